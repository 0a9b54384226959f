import { expect, it } from 'vitest';
import { shapeAt } from '../../support/media.ts';
import { asking, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

it.each([
  ['', []],
  ['keepShapeTagMedia=low', ['b', 'c']],
  ['keepShapeTagStorage=VX-1', ['a', 'b']],
  ['keepShapeTagMedia=low&keepShapeTagStorage=VX-1', ['b']],
  ['keepShapeTagMedia=*', ['a', 'b', 'c']],
  ['keepShapeTagMedia=low&keepShapeTagStorage=*', ['a', 'b', 'c']],
])('a deleted item keeps the files that satisfy both of %j: %j', async (query, kept) => {
  const world = await worldOf('placement');
  await done(world, ask('PUT /API/shape-tag/low', '{}', admin));
  await shapeAt(world, 'a');
  await shapeAt(world, 'b', { tag: 'low' });
  await shapeAt(world, 'c', { tag: 'low', storage: 'VX-2' });
  await done(world, ask(`DELETE /API/item/VX-100?${query}`, undefined, admin));
  const files = await rowsOf(world, 'file');
  const inState = (state: string) => files.filter((row) => row['state'] === state).map(({ path }) => path);
  expect([inState('CLOSED'), inState('TO_BE_DELETED')]).toEqual([
    kept,
    ['a', 'b', 'c'].filter((path) => !kept.includes(path)),
  ]);
  expect(await rowsOf(world, 'file_use')).toEqual([]);
});
