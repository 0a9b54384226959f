import { expect, it } from 'vitest';
import type { Collection } from '../../../src/assets/items/documents.ts';
import type { MetadataListValue } from '../../../src/assets/metadata/documents.ts';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { alice, newUser } from '../../support/cast.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { by, json, jsonOf, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';

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

/** The answer to a read of the first of two entities, which is deleted before the read that has the last words. */
async function overtaken(kind: string, path: string, as: Credentials, ...words: readonly string[]): Promise<string> {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  const roles = ['_import', '_item_read', '_item_search', '_metadata_read', '_collection_read', '_collection_write'];
  await send(world, newUser(alice, roles));
  for (const _ of [1, 2]) await send(world, kind === 'item' ? newItem('', alice) : newCollection('', alice));
  const remove = () => send(world, by(`DELETE /API/${kind}/VX-1`));
  const wait = ([first, ...others]: readonly string[]): void =>
    database.beforeNextRead(first!, async () => (others.length > 0 ? wait(others) : remove()));
  wait(words);
  const { status, headers, body } = await world.send(by(`GET /API${path}`, undefined, json, as));
  const ids = new Set(Array.from(body.matchAll(/"id":"(VX-\d+)"/g), ([, id]) => id));
  return `${status} ${headers.get('portico-error') ?? [...ids].join(' ')}`;
}

it.each([
  ['item', '/item/VX-1/metadata', '404 no-such-entity'],
  ['item', '/item/VX-1?content=metadata', '404 no-such-entity'],
  ['item', '/item?content=metadata', '200 VX-2'],
  ['item', '/search?content=metadata', '200 VX-2'],
  ['collection', '/collection/VX-1/metadata', '404 no-such-entity'],
  ['collection', '/collection/VX-1?content=metadata', '404 no-such-entity'],
  ['collection', '/collection?content=metadata', '200 VX-2'],
  ['collection', '/search?content=metadata', '200 VX-2'],
])('a deletion of one %s that overtakes GET %s leaves nothing without its metadata', async (kind, path, expected) => {
  expect(await overtaken(kind, path, admin, 'metadata_state')).toBe(expected);
  // Rights in fields are read behind the metadata, and go with the entity, too.
  expect(await overtaken(kind, path, alice, 'metadata_state', `"${kind}"`)).toBe(expected);
});
