import { expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const tables = [
  'item',
  'access_entry',
  'external_id',
  'metadata_state',
  'metadata_change_set',
  'shape',
  'shape_tagged',
  'component',
  'collection_member',
  'item_relation',
  'item_lock',
  'deletion_lock',
  'key_value',
] as const;

/** The tables that have rows, and how many. */
async function rowsIn({ service: { store } }: World): Promise<Readonly<Record<string, number>>> {
  const counts: [string, number][] = [];
  for (const table of tables) {
    // Change sets of what is deleted stay until their events go.
    const kept = table === 'metadata_change_set' ? ` WHERE owner_type <> 'gone'` : '';
    const [row] = await store.read(`SELECT count(*) FROM ${table}${kept}`);
    if (Number(row![0]) > 0) counts.push([table, Number(row![0])]);
  }
  return Object.fromEntries(counts);
}

const namespace = by('PUT /API/external-id/all', { pattern: '.*' });

it('a refused creation leaves nothing, and one that is accepted leaves all', async () => {
  const world = await openWorld('fetch');
  await send(world, namespace);
  const before = await rowsIn(world);
  const query = '?container=1&externalId=a';
  expect((await world.send(newItem(`${query},${'x'.repeat(256)}`))).status).toBe(400);
  expect(await rowsIn(world)).toEqual(before);
  await send(world, newItem(query));
  expect(await rowsIn(world)).toMatchObject({ item: 1, access_entry: 1, external_id: 1, metadata_state: 1, shape: 1 });
  expect((await world.send(newItem(query))).status).toBe(400);
  expect(await rowsIn(world)).toMatchObject({ item: 1, access_entry: 1, external_id: 1, metadata_state: 1, shape: 1 });
});

it('a deleted item leaves no row in any table', async () => {
  const world = await openWorld('fetch');
  await send(world, namespace);
  const before = await rowsIn(world);
  await send(world, newItem('?container=1&video=1&externalId=a'));
  await send(world, newItem());
  await send(world, newCollection('?name=c'));
  await send(world, join('VX-1', 'VX-1'));
  await send(world, by('PUT /API/collection/VX-1/VX-1?metadata=role%3Dlead'));
  await send(world, by('POST /API/item/VX-1/relation/VX-2?direction=S&kind=sequel'));
  await send(world, by('POST /API/item/VX-1/lock'));
  const expired = { expiryTime: '2001-01-01T00:00:00Z', metadata: { field: [{ key: 'k', value: 'v' }] } };
  await send(world, by('POST /API/item/VX-1/deletion-lock', expired));
  await send(world, by('DELETE /API/item?id=VX-1,VX-2'));
  await send(world, by('DELETE /API/collection/VX-1'));
  expect(await rowsIn(world)).toEqual(before);
});
