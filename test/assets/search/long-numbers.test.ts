import { expect, it } from 'vitest';
import { findIds } from '../../../src/assets/search/find.ts';
import { field, item, keepOrders, openSharedAssets } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const opened = openSharedAssets();
const viewer = { administrator: true, userId: undefined, contexts: undefined };

const between = async ({ service: { store } }: World, from: string, to: string, more: object = {}) => {
  const document = { field: [{ name: 'x_size', range: [{ value: [{ value: from }, { value: to }] }] }], ...more };
  return (await findIds(store.reader('test'), viewer, 'item', document, { first: 1, number: 10 })).ids;
};

/** JSON in memory keeps fifteen digits of a number. */
it.each([
  ['a number', 'x_long', 'long', '9223372036854775807'],
  ['a text', 'x_text', 'string', 'code 1234567890123456'],
])('%s of more than fifteen digits does not keep an item out of ranges and orders', async (_, name, type, long) => {
  const world = opened();
  for (const each of [field('x_size', 'integer-sortable'), field(name, type)]) await send(world, each);
  const sizes = async (size: string) => JSON.parse((await send(world, item({ x_size: size, [name]: long }))).body).id;
  const [, second] = [await sizes('31'), await sizes('35')];
  await keepOrders(world);
  const resize = (value: string) =>
    by(`PUT /API/item/${second}/metadata`, {
      timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'x_size', value: [{ value }] }] }],
    });
  expect(await between(world, '34', '36')).toEqual([second]);
  await send(world, resize('50'));
  expect([await between(world, '45', '55'), await between(world, '34', '36')]).toEqual([[second], []]);
  const largest = { sort: [{ field: 'x_size', order: 'descending' }] };
  expect((await between(world, '30', '55', largest))[0]).toBe(second);
  await send(world, resize('3'));
});
