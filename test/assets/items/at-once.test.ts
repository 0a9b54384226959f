import { expect, it } from 'vitest';
import type { Collection } from '../../../src/assets/items/documents.ts';
import type { MetadataListValue } from '../../../src/assets/metadata/documents.ts';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, jsonOf, send } from '../../support/requests.ts';

/** Requests that come at once to one entity are all kept: none of them is told to try again. */

const twenty = Array.from({ length: 20 }, (_, index) => index);
const fieldsOf = (note: string) => ({ timespan: [{ field: [{ name: note, value: [{ value: note }] }] }] });

it('twenty PUTs at once on one item are all kept, by id and by external id', async () => {
  const world = await openWorld('fetch');
  for (const each of twenty) await send(world, by(`PUT /API/metadata-field/x_${each}`, { type: 'string' }));
  await send(world, by('PUT /API/external-id/any', { pattern: 'tape.*', priority: 1 }));
  await send(world, newItem('?container=1&externalId=tape1'));
  const before = (await world.events()).at(-1)!.sequence;
  const answers = await Promise.all(
    twenty.map((each) =>
      world.send(by(`PUT /API/item/${each % 2 ? 'tape1' : 'VX-1'}/metadata`, fieldsOf(`x_${each}`))),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(twenty.map(() => 200));
  const told = (await world.events(before)).map(({ payload }) => payload['changeSetId']);
  expect(new Set(told).size).toBe(20);
  const { item } = await jsonOf<MetadataListValue>(world, 'GET /API/item/VX-1/metadata?includeTransientMetadata=false');
  const names = item![0]!.metadata!.timespan![0]!.field!.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(twenty.map((each) => `x_${each}`)));
});

it('twenty changes at once of the shapes of one item are all kept', async () => {
  const world = await openWorld('fetch');
  for (const each of twenty) await send(world, by(`PUT /API/shape-tag/t${each}`, { format: 'mp4' }));
  await send(world, newItem('?container=1'));
  const shape = '/API/item/VX-1/shape/VX-1';
  const answers = await Promise.all(
    twenty.map((each) =>
      world.send(
        each % 2
          ? by(`PUT ${shape}/tag/t${each}`)
          : by(`PUT ${shape}/metadata`, { field: [{ key: `k${each}`, value: 'v' }] }),
      ),
    ),
  );
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  const { uri } = await jsonOf<{ uri: string[] }>(world, `GET ${shape}/tag`);
  expect(uri).toHaveLength(11);
  const { field } = await jsonOf<{ field: object[] }>(world, `GET ${shape}/metadata`);
  expect(field).toHaveLength(10);
});

it('twenty changes at once of one collection are all kept: members, order and name', async () => {
  const world = await openWorld('fetch');
  await send(world, newCollection('?name=one'));
  for (const _ of twenty) await send(world, newItem());
  const answers = await Promise.all(
    twenty.map((each) => {
      if (each % 4 === 0) return world.send(by(`PUT /API/collection/VX-1/rename?name=n${each}`));
      if (each % 4 === 1) {
        const content = [{ id: `VX-${each + 1}`, mode: 'add' }];
        return world.send(by('PUT /API/collection/VX-1', { content }));
      }
      return world.send(join('VX-1', `VX-${each + 1}`));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(twenty.map(() => 200));
  const collection = await jsonOf<Collection>(world, 'GET /API/collection/VX-1');
  expect(collection.name).toBe('n16');
  expect(collection.content).toHaveLength(15);
});

it('a change that is refused does not stop those behind it', async () => {
  const world = await openWorld('fetch');
  await send(world, newItem());
  const answers = await Promise.all(
    ['title', 'x_unknown', 'title', 'x_unknown'].map((name) =>
      world.send(by('PUT /API/item/VX-1/metadata', fieldsOf(name))),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 404]);
});
