import { expect, it } from 'vitest';
import { find } from '../../../src/assets/search/find.ts';
import { field, item, keepOrders, openSharedAssets } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const opened = openSharedAssets();
const one = '= ?';
const all = 'IN (?, ?)';
const viewer = { administrator: true, userId: undefined, contexts: undefined };

/** The items in a range, and which places of the order were read for them. */
async function between(world: World, name: string, from: string, to: string) {
  const ways = new Set<string>();
  const { store } = world.service;
  const reader = {
    isLimited: true as const,
    read: (sql: string, args: Parameters<typeof store.read>[1] = []) => {
      const [, way] = /search_order WHERE field (= \?|IN \(\?, \?\))/.exec(sql) ?? [];
      if (way !== undefined) ways.add(way);
      return store.read(sql, args);
    },
  };
  const document = { field: [{ name, range: [{ value: [{ value: from }, { value: to }] }] }] };
  const { entries, hits } = await find(reader, viewer, 'item', document, { first: 1, number: 10 });
  return { ids: entries().map(({ id }) => id), hits, ways: [...ways] };
}

it('a range of a field without second values reads one place of an entity, until one has two', async () => {
  const world = opened();
  const given = [
    field('x_once', 'integer-sortable'),
    item({ x_once: '5' }),
    item({ x_once: '7' }),
    item({ x_once: '30' }),
  ];
  for (const each of given) await send(world, each);
  await keepOrders(world);
  expect(await between(world, 'x_once', '5', '9')).toEqual({ ids: ['VX-2', 'VX-1'], hits: 2, ways: [one] });
  const values = {
    timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'x_once', value: [{ value: '1' }, { value: '8' }] }] }],
  };
  await send(world, by('PUT /API/item/VX-3/metadata', values));
  expect(await between(world, 'x_once', '6', '9')).toEqual({ ids: ['VX-3', 'VX-2'], hits: 2, ways: [all] });
});

it('an entity that has two values before the order exists is found by both', async () => {
  const world = opened();
  await send(world, field('x_later', 'integer'));
  for (const values of [['1', '8'], ['20']]) await send(world, item({ x_later: values }));
  await send(world, field('x_later', 'integer-sortable'));
  await keepOrders(world);
  const { hits, ways } = await between(world, 'x_later', '7', '9');
  expect([hits, ways]).toEqual([1, [all]]);
});
