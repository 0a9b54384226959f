import { expect, it } from 'vitest';
import { rule, shapeAt, work } from '../../support/media.ts';
import { asking, done, sqlIn } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

/** The item VX-100 in the collection `inner`, which is in `outer`. */
async function collected(): Promise<RoomWorld & { readonly outer: string }> {
  const world = await worldOf('placement');
  const [outer, inner] = [await collection(world, 'outer'), await collection(world, 'inner')];
  await done(world, ask(`PUT /API/collection/${outer}/${inner}?type=collection`, undefined, admin));
  await done(world, ask(`PUT /API/collection/${inner}/VX-100`, undefined, admin));
  return { ...world, outer };
}

const collection = async (world: RoomWorld, name: string): Promise<string> =>
  (await done<{ id: string }>(world, ask(`POST /API/collection?name=${name}`, undefined, admin))).id;

const target = async (world: RoomWorld, query: string) =>
  (await done<{ id: string }>(world, ask(`GET /API/import/storage${query}`, undefined, admin))).id;

it('the rule of a collection says which storage takes a new file of an item in it, also further down', async () => {
  const world = await collected();
  await rule(world, { storage: ['VX-3'] }, `collection/${world.outer}/storage-rule/original`);
  expect(await target(world, '?item=VX-100')).toBe('VX-3');
  expect(await target(world, '?item=VX-100&tag=lowres'), 'another tag').not.toBe('VX-3');
  expect(await target(world, '?item=VX-101'), 'another item').not.toBe('VX-3');
  // The rule of the item is nearer than that of its collection.
  await rule(world, { storage: ['VX-2'] }, 'item/VX-100/storage-rule/original');
  expect(await target(world, '?item=VX-100')).toBe('VX-2');
});

it('files of a storage that is emptied move where the rule of their collection says', async () => {
  const world = await collected();
  await shapeAt(world, 'in/a.mov');
  await shapeAt(world, 'in/b.mov', { item: 'VX-101' });
  await sqlIn(world, "UPDATE storage SET capacity = 1000000000000 WHERE id = 'VX-2'");
  await rule(world, { storage: ['VX-3'] }, `collection/${world.outer}/storage-rule/original`);
  await done(world, ask('PUT /API/storage/VX-1/evacuate', undefined, admin));
  await work(world, 120);
  // The rule also makes a copy of its own there.
  expect([...world.third.files.keys()]).toContain('in/a.mov');
  expect([...world.to.files.keys()]).toEqual(['in/b.mov']);
});
