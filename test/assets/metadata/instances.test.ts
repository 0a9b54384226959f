import { expect, it } from 'vitest';
import { outliving } from '../../support/databases.ts';
import { openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testRandom } from '../../support/random.ts';
import { fill } from '../../support/world.ts';
import { field, getItem, putItem, textsOf, untimed } from './support.ts';

it('metadata takes an id above those of another instance, also from one whose ids are twenty thousand behind', async () => {
  const database = await migratedDatabase();
  const instance = (seed: number) =>
    openWorld('fetch', {
      database: outliving(database),
      random: testRandom(seed),
      settings: { idBlock: 20_000 },
    });
  const [one, other] = [await instance(1), await instance(2)];
  await fill(one, 'metadata');
  await putItem(one, untimed(field('x_note', 'first')));
  await putItem(other, untimed(field('x_note', 'second')));
  await putItem(one, untimed(field('x_note', 'third')));
  expect(textsOf(await getItem(other))).toMatchObject({ x_note: ['third'] });
});
