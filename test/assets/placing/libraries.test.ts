import { expect, it } from 'vitest';
import { ask, done, rowsOf } from '../../storage/jobs/world.ts';
import { admin } from '../../support/service.ts';
import { copiesOf, openPlacing, type PlacingWorld, rule, shapeWith, work } from './world.ts';

const library = async (world: PlacingWorld, ...items: readonly string[]): Promise<string> => {
  const body = JSON.stringify({ item: items.map((id) => ({ id })) });
  return (await done<{ uri: string[] }>(world, ask('POST /API/library', admin, body))).uri[0]!;
};

it('the rule of a library reaches its items, and those that join it', async () => {
  const world = await openPlacing();
  const [inside, joining] = [await shapeWith(world, 'a'), await shapeWith(world, 'b', { item: 'VX-101' })];
  const id = await library(world, 'VX-100');
  await rule(world, { storage: ['VX-1', 'VX-2'] }, `library/${id}/storage-rule`);
  await work(world);
  expect(await copiesOf(world, inside.componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  expect(await copiesOf(world, joining.componentId)).toEqual(['VX-1 CLOSED']);
  await done(world, ask(`PUT /API/library/${id}/VX-101`, admin));
  await work(world);
  expect(await copiesOf(world, joining.componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  const path = `/API/item/VX-101/shape/${joining.shapeId}/storage-rule`;
  expect(await done(world, ask(`GET ${path}`, admin))).toMatchObject({ tag: [{ appliesTo: { type: 'LIBRARY', id } }] });
});

it('a rule says where a new file of an item in the library goes, and goes with the library', async () => {
  const world = await openPlacing();
  const id = await library(world, 'VX-100');
  await rule(world, { storage: ['VX-3'] }, `library/${id}/storage-rule/original`);
  const target = async (item: string) =>
    (await done<{ id: string }>(world, ask(`GET /API/import/storage?item=${item}`, admin))).id;
  expect([await target('VX-100'), (await target('VX-101')) === 'VX-3']).toEqual(['VX-3', false]);
  await done(world, ask(`DELETE /API/library/${id}`, admin));
  expect(await rowsOf(world, 'storage_rule')).toEqual([]);
});

it('the rule of one shape is about no other shape of its item, and goes with it', async () => {
  const world = await openPlacing();
  const one = await shapeWith(world, 'a');
  const other = await shapeWith(world, 'b', { tag: '' });
  const path = `item/VX-100/shape/${one.shapeId}`;
  await rule(world, { storage: ['VX-1', 'VX-3'] }, `${path}/storage-rule`);
  await work(world);
  expect(await copiesOf(world, one.componentId)).toEqual(['VX-1 CLOSED', 'VX-3 CLOSED']);
  expect(await copiesOf(world, other.componentId)).toEqual(['VX-1 CLOSED']);
  await rule(world, { storage: ['VX-2'], precedence: 'HIGH' }, `${path}/storage-rule`);
  expect(await done(world, ask(`GET /API/${path}/storage-rule`, admin))).toMatchObject({
    tag: [{ storage: ['VX-2'], appliesTo: { type: 'SHAPE', id: one.shapeId }, precedence: 'HIGH' }],
  });
  await done(world, ask(`DELETE /API/${path}/storage-rule`, admin));
  expect(await done(world, ask(`GET /API/${path}/storage-rule`, admin))).toEqual({ tag: [] });
  await rule(world, { storage: ['VX-1'] }, `${path}/storage-rule`);
  await done(world, ask(`DELETE /API/${path}`, admin));
  expect(await rowsOf(world, 'storage_rule')).toEqual([]);
});
