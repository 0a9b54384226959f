import { expect, it, onTestFinished } from 'vitest';
import { outliving } from '../../support/databases.ts';
import { requestOf, type Sent } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testRandom } from '../../support/random.ts';
import { openService } from '../../support/service.ts';
import { fill } from '../../support/world.ts';
import { field, getItem, putItem, textsOf, untimed } from './support.ts';

it('metadata takes an id above those of another instance, also from one whose ids are twenty thousand behind', async () => {
  const database = await migratedDatabase();
  const instance = async (seed: number) => {
    const opened = await openService({
      database: outliving(database),
      random: testRandom(seed),
      settings: { idBlock: 20_000 },
    });
    onTestFinished(() => opened.close());
    const send = async (sent: Sent) => {
      const response = await opened.service.fetch(requestOf('http://portico.test', sent));
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    return { ...opened, send };
  };
  const [one, other] = [await instance(1), await instance(2)];
  await fill(one, 'metadata');
  await putItem(one, untimed(field('x_note', 'first')));
  await putItem(other, untimed(field('x_note', 'second')));
  await putItem(one, untimed(field('x_note', 'third')));
  expect(textsOf(await getItem(other))).toMatchObject({ x_note: ['third'] });
});
