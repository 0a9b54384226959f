import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { findIds } from '../../src/search/find.ts';
import { searchRowsVersionMigration } from '../../src/search/migrations/0045-search-rows-version.ts';
import { openStore } from '../../src/store/store.ts';
import { by, send } from '../assets/asset-support.ts';
import type { World } from '../support/matrix.ts';
import { migrations, nobody, storeSettings } from '../support/store.ts';
import { field, item, keepOrders, openSharedAssets } from './search-support.ts';

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
])(
  'search 4.7: %s of more than fifteen digits does not keep an item out of ranges and orders',
  async (_, name, type, long) => {
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
  },
);

it('search 5: an upgrade builds the index again where an item has such a value, and else does not', async () => {
  const until = migrations.filter(({ number }) => number <= searchRowsVersionMigration.number);
  const store = openStore(await openDatabase('memory:'), storeSettings({ migrations: until }));
  onTestFinished(() => store.close());
  await store.migrate();
  const [, sql = ''] = searchRowsVersionMigration.statements;
  const run = (text: string) => store.commit({ changes: [{ sql: text, args: [] }], events: [] }, nobody);
  const queued = async () =>
    (await store.read(`SELECT name FROM search_reindex WHERE status = 'IN_QUEUE' ORDER BY name`)).flat();
  await run(`INSERT INTO search_rows (id, rows) VALUES (1, '[[281474976710655,"123456789012345"]]')`);
  await run(sql);
  expect(await queued()).toEqual([]);
  await run(`INSERT INTO search_rows (id, rows) VALUES (2, '[[7,9223372036854775807]]')`);
  await run(sql);
  expect(await queued()).toEqual(['collection', 'item']);
});

it.each([
  ['as it was left', '[[field,7050],[9,9223372036854775807]]'],
  ['that has lost its long value since', '[[field,7050]]'],
  ['of which the rows tell nothing', '[[9,17]]'],
])('search 5: the index that an upgrade builds again forgets what an item had first, %s', async (_, left) => {
  const world = opened();
  const { store } = world.service;
  const run = (sql: string, args: readonly string[] = []) =>
    store.commit({ changes: [{ sql, args }], events: [] }, nobody);
  await send(world, field('x_size', 'integer-sortable'));
  const id = JSON.parse((await send(world, item({ x_size: '7035' }))).body).id;
  await keepOrders(world);
  await send(
    world,
    by(`PUT /API/item/${id}/metadata`, {
      timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'x_size', value: [{ value: '7050' }] }] }],
    }),
  );
  // What a change of 7035 to 7050 left beside a long value: new rows and old values.
  const serial = Number(id.split('-')[1]);
  const [ordered] = await store.read("SELECT field FROM search_ordered WHERE name = 'x_size'");
  await run(`UPDATE search_fields SET fields = ? WHERE id = ${serial}`, [left.replace('field', String(ordered![0]))]);
  await run(`UPDATE search_value SET val = 7035 WHERE entity = ${serial} AND val = 7050`);
  await run(`UPDATE search_order SET key = 7035 WHERE abs(tie) = ${serial} AND key = 7050`);
  expect([await between(world, '7034', '7036'), await between(world, '7045', '7055')]).toEqual([[id], []]);
  await send(world, by('PUT /API/reindex/item'));
  for (let round = 0; round < 12; round++) {
    await world.service.tick(1000);
    await world.clock.advance(3000);
  }
  expect([await between(world, '7034', '7036'), await between(world, '7045', '7055')]).toEqual([[], [id]]);
  expect(
    await store.read(`SELECT val FROM search_value WHERE entity = ${serial} AND val BETWEEN 7000 AND 7100`),
  ).toEqual([[7050]]);
  await send(world, by(`DELETE /API/item/${id}`));
});
