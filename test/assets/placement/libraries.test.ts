import { expect, it } from 'vitest';
import { copiesOf, rule, shapeAt, work } from '../../support/media.ts';
import { asking, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const library = async (world: RoomWorld, ...items: readonly string[]): Promise<string> => {
  const body = JSON.stringify({ item: items.map((id) => ({ id })) });
  return (await done<{ uri: string[] }>(world, ask('POST /API/library', body, admin))).uri[0]!;
};

it('the rule of a library reaches its items, and those that join it', async () => {
  const world = await worldOf('placement');
  const [inside, joining] = [await shapeAt(world, 'a'), await shapeAt(world, 'b', { item: 'VX-101' })];
  const id = await library(world, 'VX-100');
  await rule(world, { storage: ['VX-1', 'VX-2'] }, `library/${id}/storage-rule`);
  await work(world);
  expect(await copiesOf(world, inside.componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  expect(await copiesOf(world, joining.componentId)).toEqual(['VX-1 CLOSED']);
  await done(world, ask(`PUT /API/library/${id}/VX-101`, undefined, admin));
  await work(world);
  expect(await copiesOf(world, joining.componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  const path = `/API/item/VX-101/shape/${joining.shapeId}/storage-rule`;
  expect(await done(world, ask(`GET ${path}`, undefined, admin))).toMatchObject({
    tag: [{ appliesTo: { type: 'LIBRARY', id } }],
  });
});

it('a rule says where a new file of an item in the library goes, and goes with the library', async () => {
  const world = await worldOf('placement');
  const id = await library(world, 'VX-100');
  await rule(world, { storage: ['VX-3'] }, `library/${id}/storage-rule/original`);
  const target = async (item: string) =>
    (await done<{ id: string }>(world, ask(`GET /API/import/storage?item=${item}`, undefined, admin))).id;
  expect([await target('VX-100'), (await target('VX-101')) === 'VX-3']).toEqual(['VX-3', false]);
  await done(world, ask(`DELETE /API/library/${id}`, undefined, admin));
  expect(await rowsOf(world, 'storage_rule')).toEqual([]);
});

it('the rule of one shape is about no other shape of its item, and goes with it', async () => {
  const world = await worldOf('placement');
  const one = await shapeAt(world, 'a');
  const other = await shapeAt(world, 'b', { tag: '' });
  const path = `item/VX-100/shape/${one.shapeId}`;
  await rule(world, { storage: ['VX-1', 'VX-3'] }, `${path}/storage-rule`);
  await work(world);
  expect(await copiesOf(world, one.componentId)).toEqual(['VX-1 CLOSED', 'VX-3 CLOSED']);
  expect(await copiesOf(world, other.componentId)).toEqual(['VX-1 CLOSED']);
  await rule(world, { storage: ['VX-2'], precedence: 'HIGH' }, `${path}/storage-rule`);
  expect(await done(world, ask(`GET /API/${path}/storage-rule`, undefined, admin))).toMatchObject({
    tag: [{ storage: ['VX-2'], appliesTo: { type: 'SHAPE', id: one.shapeId }, precedence: 'HIGH' }],
  });
  await done(world, ask(`DELETE /API/${path}/storage-rule`, undefined, admin));
  expect(await done(world, ask(`GET /API/${path}/storage-rule`, undefined, admin))).toEqual({ tag: [] });
  await rule(world, { storage: ['VX-1'] }, `${path}/storage-rule`);
  await done(world, ask(`DELETE /API/${path}`, undefined, admin));
  expect(await rowsOf(world, 'storage_rule')).toEqual([]);
});
