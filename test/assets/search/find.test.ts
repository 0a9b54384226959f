import { expect, it } from 'vitest';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { findIds } from '../../../src/assets/search/find.ts';
import { field, item } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const viewer = { administrator: true, userId: undefined, contexts: undefined };
const page = { first: 1, number: 100 };

async function ids(world: World, search: ItemSearch) {
  return (await findIds(world.service.store.reader('test'), viewer, 'item', search, page)).ids;
}

it('values that a commit wrote are found by the next search, and values that it removed are not', async () => {
  const world = await openWorld('fetch');
  await send(world, field('x_tag', 'string-exact'));
  await send(world, field('x_count', 'integer'));
  await send(world, item({ title: 'Harbour at night', x_tag: 'sea', x_count: '3' }));
  await send(world, item({ title: 'The old harbour', x_tag: ['sea', 'old'], x_count: '10' }));
  await send(world, item({ title: 'Wälder', x_count: '7' }));
  const text = (value: string) => ({ text: [{ value }] });
  const named = (name: string, ...values: string[]) => ({
    field: [{ name, value: values.map((value) => ({ value })) }],
  });
  expect(await ids(world, {})).toEqual(['VX-3', 'VX-2', 'VX-1']);
  expect(await ids(world, text('HARBOUR'))).toEqual(['VX-2', 'VX-1']);
  expect(await ids(world, text('harb*'))).toEqual(['VX-2', 'VX-1']);
  expect(await ids(world, text('*arbou?'))).toEqual(['VX-2', 'VX-1']);
  expect(await ids(world, text('walder'))).toEqual(['VX-3']);
  expect(await ids(world, named('title', 'old harbour'))).toEqual(['VX-2']);
  expect(await ids(world, named('title', 'harbour old'))).toEqual([]);
  expect(await ids(world, named('x_tag', 'sea'))).toEqual(['VX-2', 'VX-1']);
  expect(await ids(world, named('x_tag', 'o*'))).toEqual(['VX-2']);
  expect(await ids(world, named('x_tag', '*'))).toEqual(['VX-2', 'VX-1']);
  expect(await ids(world, named('x_none', 'sea'))).toEqual([]);
  const range = { field: [{ name: 'x_count', range: [{ value: [{ value: '4' }, { value: '10' }] }] }] };
  expect(await ids(world, range)).toEqual(['VX-3', 'VX-2']);
  expect(await ids(world, { operator: [{ operation: 'NOT', ...named('x_tag', '*') }] })).toEqual(['VX-3']);
  expect(await ids(world, { sort: [{ field: 'x_count', order: 'descending' }] })).toEqual(['VX-2', 'VX-3', 'VX-1']);

  await send(
    world,
    by('PUT /API/item/VX-2/metadata', { timespan: [{ field: [{ name: 'title', value: [{ value: 'Stadt' }] }] }] }),
  );
  expect(await ids(world, text('harbour'))).toEqual(['VX-1']);
  expect(await ids(world, text('stadt'))).toEqual(['VX-2']);
  await send(world, by('DELETE /API/item/VX-2'));
  expect(await ids(world, {})).toEqual(['VX-3', 'VX-1']);
  expect(await ids(world, named('x_tag', 'sea'))).toEqual(['VX-1']);
});
