import { expect, it } from 'vitest';
import { newItem } from '../../../support/assets.ts';
import type { World } from '../../../support/matrix.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, jsonOf, send } from '../../../support/requests.ts';

const setRule = (world: World, name: string, script: string) =>
  send(world, by(`PUT /API/auto-projection/${name}`, { step: [{ script }] }));
const put = (world: World, field: object) =>
  send(world, by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [field] }] }));
const echo = (value: string) =>
  `wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ mode: 'add', value: '${value}' }] }] }] }`;
const failureOf = async (world: World, name: string) =>
  (await jsonOf<{ failureMessage?: string }>(world, `GET /API/auto-projection/${name}`)).failureMessage;
const waiting = async (world: World) =>
  Number((await world.service.store.read('SELECT count(*) FROM auto_projection_due'))[0]![0]);
async function echoed(world: World): Promise<readonly string[]> {
  type Told = { item: { metadata: { timespan: { field: { name: string; value?: { value: string }[] }[] }[] } }[] };
  const { item } = await jsonOf<Told>(world, 'GET /API/item/VX-1/metadata');
  const fields = item[0]!.metadata.timespan.flatMap(({ field }) => field);
  return fields.filter(({ name }) => name === 'x_echo').flatMap(({ value = [] }) => value.map((each) => each.value));
}

async function opened(): Promise<World> {
  const world = await openWorld('fetch');
  for (const name of ['x_echo', 'x_many']) {
    await send(world, by(`PUT /API/metadata-field/${name}`, { type: 'string' }));
  }
  await send(world, newItem());
  return world;
}

it('rules see items with more values than one document may bring', async () => {
  const world = await opened();
  for (const half of [0, 600]) {
    const value = Array.from({ length: 600 }, (_, at) => ({ mode: 'add', value: `${half + at}` }));
    expect((await put(world, { name: 'x_many', value })).status).toBe(200);
  }
  await setRule(world, 'a', echo('a'));
  await put(world, { name: 'title', value: [{ value: 'Harbour' }] });
  await world.service.tick();
  await world.service.tick();
  expect([await failureOf(world, 'a'), await echoed(world), await waiting(world)]).toEqual([undefined, ['a'], 0]);
});

it.each([
  [
    'too deep a document',
    `let deep = {}; for (let at = 0; at < 20000; at++) deep = { group: [deep] }; wrapper.metadata = { timespan: [deep] }`,
  ],
  [
    'a prototype',
    `wrapper = JSON.parse('{"__proto__": {"metadata": 1}, "metadata": {"__proto__": {"timespan": 3}, "timespan": [{"field": [{"name": "__proto__", "value": [{"value": "x"}]}]}]}}')`,
  ],
  ['toJSON', `wrapper.metadata.toJSON = () => ({ timespan: 7 })`],
  ['a getter', `Object.defineProperty(wrapper, 'metadata', { enumerable: true, get() { throw 1 } })`],
  [
    'an array that changes',
    `Array.prototype.map = () => { throw 1 }; JSON.stringify = () => 'no'; wrapper.metadata = 5`,
  ],
  [
    'half a character',
    `wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ value: '\\ud800' }] }] }] }`,
  ],
  [
    'a null character',
    `wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ value: '\\u0000' }] }] }] }`,
  ],
  ['no time', `wrapper.metadata = { timespan: [{ start: 'x', end: {}, field: [] }] }`],
  ['null', `wrapper.metadata = null`],
  [
    'unknown uuid',
    `wrapper.metadata = { timespan: [{ field: [{ uuid: 'zz', name: 'x_echo', value: [{ value: 'x' }] }] }] }`,
  ],
  [
    'much text',
    `wrapper.metadata = { timespan: [{ field: [{ name: 'x_many', value: [{ value: 'x'.repeat(900000) }] }] }] }`,
  ],
  ['a system field', `wrapper.metadata = { timespan: [{ field: [{ name: 'itemId', value: [{ value: 'VX-9' }] }] }] }`],
  ['a promise', `wrapper = Promise.resolve(1)`],
])('a hostile rule ends and lets others go on: %s', async (_title, script) => {
  const world = await opened();
  expect((await setRule(world, 'a', script)).status).toBe(200);
  await setRule(world, 'b', echo('b'));
  await put(world, { name: 'title', value: [{ value: 'Harbour' }] });
  await world.service.tick();
  await world.service.tick();
  expect([(await echoed(world)).includes('b'), await waiting(world)]).toEqual([true, 0]);
});

it('a rule of more steps than a lease has time for fails, and lets others go on', async () => {
  const world = await opened();
  const step = Array.from({ length: 51 }, () => ({ script: '1' }));
  await send(world, by('PUT /API/auto-projection/a', { step }));
  await setRule(world, 'b', echo('b'));
  await put(world, { name: 'title', value: [{ value: 'Harbour' }] });
  await world.service.tick();
  expect(await failureOf(world, 'a')).toBe('VX-1: Expected at most 50 steps: found 51');
  expect([await echoed(world), await waiting(world)]).toEqual([['b'], 0]);
});

it('an instance that takes over an item lets all rules see what changed since', async () => {
  const world = await opened();
  await setRule(world, 'a', echo('a'));
  await setRule(world, 'b', echo('b'));
  await put(world, { name: 'title', value: [{ value: 'Harbour' }] });
  const taken = world.clock.now() + 60_000;
  const take = { sql: `UPDATE auto_projection_due SET due = ?, later = '', done = 'a'`, args: [taken] };
  await world.service.store.commit({ changes: [take], events: [] }, { user: 'test' });
  await put(world, { name: 'title', value: [{ value: 'Bridge' }] });
  await world.clock.advance(60_001);
  await world.service.tick();
  await world.service.tick();
  expect([await echoed(world), await waiting(world)]).toEqual([['b', 'a', 'b'], 0]);
});

it('an instance whose rules take long keeps its item', async () => {
  const world = await opened();
  for (const name of ['a', 'b', 'c']) await setRule(world, name, echo(name));
  await put(world, { name: 'title', value: [{ value: 'Harbour' }] });
  const { store } = world.service;
  const commit = store.commit.bind(store);
  const due: number[] = [];
  Object.assign(store, {
    commit: async (...given: Parameters<typeof commit>) => {
      const told = await commit(...given);
      // Each rule takes 70 seconds.
      if (given[0].changes.some(({ sql }) => sql.includes('SET done ='))) {
        await world.clock.advance(70_000);
        due.push(Number((await store.read('SELECT due FROM auto_projection_due'))[0]![0]) - world.clock.now());
      }
      return told;
    },
  });
  await world.service.tick();
  expect([await echoed(world), await waiting(world)]).toEqual([['a', 'b', 'c'], 0]);
  expect(due.map((left) => left > 0)).toEqual([true, true, true]);
});
