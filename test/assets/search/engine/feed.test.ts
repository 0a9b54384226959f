import { expect, it } from 'vitest';
import { systemActor } from '../../../../src/core/store/contract.ts';
import { memorySearchEngine } from '../../../../src/kit/testing/index.ts';
import type { EngineBatch } from '../../../../src/spi/index.ts';
import { field, fieldsOf, join, newCollection } from '../../../support/assets.ts';
import { testClock } from '../../../support/clock.ts';
import { openWorld, type World } from '../../../support/matrix.ts';
import { testRandom } from '../../../support/random.ts';
import { by, json, send } from '../../../support/requests.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
import { add, catchUp, engineWorld, search, sharedDatabase } from './engine-world.ts';

const tag = (value: string) => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
const rowsOf = async ({ service }: World, table: string) =>
  Number((await service.store.read(`SELECT count(*) FROM ${table}`))[0]![0]);
const reindex = async (world: World, status?: string) => {
  const sent =
    status === undefined
      ? by('GET /API/reindex/engine', undefined, json)
      : by(`PUT /API/reindex/engine?status=${status}`, undefined, json);
  const {
    status: state,
    indexesDone,
    indexesTotal,
  } = JSON.parse((await send(world, sent)).body) as Record<string, unknown>;
  return [state, indexesDone, indexesTotal];
};

it('the engine gets what is older than it, and then nothing twice', async () => {
  const world = await engineWorld();
  const one = await add(world, { x_tag: 'a' });
  await catchUp(world);
  expect([...world.engine.documents.values()].map(({ entityId }) => entityId)).toEqual([one]);
  // Changes that the engine has are not kept.
  expect(await rowsOf(world, 'search_change')).toBe(0);
});

it('hundreds of changes are one batch, which has each entity once, in its last state', async () => {
  const engine = memorySearchEngine();
  const batches: EngineBatch[] = [];
  const apply = async (batch: EngineBatch) => {
    batches.push(batch);
    await engine.apply(batch);
  };
  const world = await engineWorld({}, { ...engine, apply });
  await catchUp(world);
  const ids: string[] = [];
  for (let each = 0; each < 300; each++) ids.push(await add(world, { x_tag: 'a' }));
  const change = { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'x_tag', value: [{ value: 'b' }] }] }] };
  await send(world, by(`PUT /API/item/${ids[0]}/metadata`, change, json));
  await send(world, by(`DELETE /API/item/${ids[1]}`));
  batches.length = 0;
  await catchUp(world);
  expect(batches.map(({ upserts, deletes }) => [upserts.length, deletes.length])).toEqual([[299, 1]]);
  expect(await rowsOf(world, 'search_change')).toBe(0);
  expect(await search(world, tag('b'))).toMatchObject({ ids: [ids[0]], strategy: 'engine' });
});

it('an engine that lost something, or that is older than its database, is built again, and not asked meanwhile', async () => {
  const world = await engineWorld();
  const one = await add(world, { x_tag: 'a' });
  await catchUp(world);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
  await world.engine.begin();
  await world.engine.finish();
  // Nobody has looked yet: the answer itself tells.
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], noEngine: expect.stringMatching('it failed') });
  await world.clock.advance(10_000);
  await catchUp(world);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
});

it('a change of the access of all items does not delay the changes of others, and its user waits for it', async () => {
  const engine = memorySearchEngine();
  const batches: EngineBatch[] = [];
  const apply = async (batch: EngineBatch) => {
    batches.push(batch);
    await engine.apply(batch);
  };
  const world = await engineWorld({ settings: { searchIndex: 'engine' } }, { ...engine, apply });
  for (const sent of givenTo('assets')) await send(world, sent);
  for (let each = 0; each < 230; each++) await add(world, { x_tag: 'a' });
  const [mine] = [await add(world, { x_tag: 'a' }, owner)];
  await catchUp(world);
  const [user] = stranger;
  await send(world, by('POST /API/item/access', { user, permission: 'READ' }));
  const waiting = async (): Promise<readonly number[]> => [
    await rowsOf(world, '(SELECT DISTINCT entity FROM search_change)'),
    await rowsOf(world, '(SELECT DISTINCT entity FROM search_bulk)'),
  ];
  expect(await waiting()).toEqual([31, 200]);
  const change = { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'x_tag', value: [{ value: 'b' }] }] }] };
  await send(world, by(`PUT /API/item/${mine}/metadata`, change, json, owner));
  batches.length = 0;
  const its = world.send(by('PUT /API/item', tag('a'), json));
  await catchUp(world);
  // The bulk goes behind the change that came later.
  expect(batches.map(({ upserts }) => upserts.length)).toEqual([32, 200]);
  expect(batches[0]!.upserts.map(({ entityId }) => entityId)).toContain(mine);
  expect(batches[1]!.position).toBeGreaterThan(batches[0]!.position);
  expect(JSON.parse((await its).body).hits).toBe(230);
  expect(await waiting()).toEqual([0, 0]);
  expect((await search(world, tag('a'), stranger)).hits).toBe(230);
});

it('an index with documents of an earlier form is built again, and not asked meanwhile', async () => {
  const [database, engine] = [await sharedDatabase(), memorySearchEngine()];
  const first = await engineWorld({ database }, engine);
  const one = await add(first, { x_tag: 'a' });
  await catchUp(first);
  await first.service.store.commit(
    { changes: [{ sql: "UPDATE search_feed SET name = replace(name, 'form', 'earlier form')", args: [] }], events: [] },
    systemActor,
  );
  let builds = 0;
  const begin = () => {
    builds++;
    return engine.begin();
  };
  const second = await engineWorld({ database, random: testRandom(2) }, { ...engine, begin });
  expect(await search(second, tag('a'))).toMatchObject({ ids: [one], noEngine: expect.stringMatching('complete') });
  await catchUp(second);
  expect(await search(second, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
  expect([builds, await rowsOf(second, 'search_feed')]).toEqual([1, 1]);
});

it('a build is asked for, paused, continued and ended, and searches go on', async () => {
  const world = await engineWorld();
  const one = await add(world, { x_tag: 'a' });
  expect((await reindex(world))[0]).toBe('IN_QUEUE');
  await catchUp(world);
  expect(await reindex(world)).toEqual(['FINISHED', 1, 1]);
  expect(await reindex(world, 'IN_QUEUE')).toEqual(['IN_QUEUE', 0, 0]);
  await reindex(world, 'PAUSED');
  await catchUp(world);
  expect(await reindex(world)).toEqual(['PAUSED', 0, 0]);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
  await reindex(world, 'IN_PROGRESS');
  await catchUp(world);
  expect(await reindex(world)).toEqual(['FINISHED', 1, 1]);
  await reindex(world, 'IN_QUEUE');
  expect(await reindex(world, 'ABORTED')).toEqual(['ABORTED', 0, 0]);
  await catchUp(world);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
});

it('a batch that failed is sent again', async () => {
  const world = await engineWorld();
  await add(world, { x_tag: 'a' });
  await catchUp(world);
  world.expectErrors('work-failed');
  world.engine.failure = new Error('no room');
  const other = await add(world, { x_tag: 'b' });
  await catchUp(world);
  expect((await search(world, tag('b'))).ids).toEqual([other]);
  world.engine.failure = undefined;
  await catchUp(world);
  expect(await search(world, tag('b'))).toMatchObject({ ids: [other], strategy: 'engine' });
});

it('one instance feeds the engine, and another one when the first is gone', async () => {
  const [database, clock, engine] = [await sharedDatabase(), testClock(), memorySearchEngine()];
  const first = await engineWorld({ database, clock }, engine);
  await add(first, { x_tag: 'a' });
  await catchUp(first);
  const second = await engineWorld({ database, clock, random: testRandom(2) }, engine);
  const owner = async () => (await second.service.store.read('SELECT lease_owner FROM search_feed'))[0]![0];
  const before = await owner();
  await add(second, { x_tag: 'b' });
  await second.service.tick(1000);
  expect(await owner()).toBe(before);
  expect(await rowsOf(second, 'search_change')).toBeGreaterThan(0);
  await clock.advance(31_000);
  await catchUp(second);
  expect(await owner()).not.toBe(before);
  expect(await rowsOf(second, 'search_change')).toBe(0);
});

it('without an engine nothing waits for it', async () => {
  const database = await sharedDatabase();
  const first = await engineWorld({ database });
  await add(first, { x_tag: 'a' });
  await catchUp(first);
  const second = await openWorld('fetch', { database });
  await add(second, { x_tag: 'b' });
  await catchUp(second);
  expect([await rowsOf(second, 'search_feed'), await rowsOf(second, 'search_change')]).toEqual([0, 0]);
});

/** Changes by which the documents of items are others, and their stored states are not. `id`: of an item. */
const besides = {
  'a field that is not searched any more': () =>
    by('PUT /API/metadata-field/x_count', { type: 'integer', index: 'noindex' }),
  'a deleted field': () => by('DELETE /API/metadata-field/x_gone'),
  'a collection above': (collection: string, id: string) => join(collection, id),
};

it.each(Object.entries(besides))(
  'what a commit built is sent as a build from the beginning sends it: %s',
  async (_, change) => {
    const world = await engineWorld();
    await send(world, field('x_heir', 'string', { inheritance: 'true' }));
    await send(world, field('x_gone', 'string'));
    const collection = /VX-\d+/.exec((await send(world, newCollection('?name=above'))).body)![0];
    const above = { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf({ x_heir: 'from above' }) }] };
    await send(world, by(`PUT /API/collection/${collection}/metadata`, above));
    const values = { x_tag: 'a', x_count: '7', x_gone: 'gone' };
    // The first value of a field changes its definition.
    await add(world, values);
    await catchUp(world);
    world.expectErrors('work-failed');
    world.engine.failure = new Error('connection refused');
    const item = await add(world, values);
    const timed = { timespan: [{ start: '10', end: '20', field: fieldsOf({ x_tag: 'timed' }) }] };
    await send(world, by(`PUT /API/item/${item}/metadata`, timed));
    await send(world, change(collection, item));
    await catchUp(world);
    world.engine.failure = undefined;
    await catchUp(world);
    const sent = () =>
      new Map(Array.from(world.engine.documents, ([id, { position: _, ...document }]) => [id, document]));
    const fed = sent();
    await reindex(world, 'IN_QUEUE');
    await catchUp(world);
    expect(sent()).toEqual(fed);
  },
);

it('a change by another instance is sent instead of what the own commit built', async () => {
  const [database, clock, engine] = [await sharedDatabase(), testClock(), memorySearchEngine()];
  const feeding = await engineWorld({ database, clock }, engine);
  await add(feeding, { x_tag: 'before' });
  await catchUp(feeding);
  const one = await add(feeding, { x_tag: 'a' });
  const other = await openWorld('fetch', { database, clock, searchEngines: [engine] });
  const change = { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf({ x_tag: 'b' }) }] };
  await send(other, by(`PUT /API/item/${one}/metadata`, change));
  await catchUp(feeding);
  const document = [...engine.documents.values()].find(({ entityId }) => entityId === one);
  expect(document!.values.map(({ value }) => value)).toContain('b');
});
