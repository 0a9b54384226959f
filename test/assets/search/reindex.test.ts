import { expect, it } from 'vitest';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { findIds } from '../../../src/assets/search/find.ts';
import { reindexKind } from '../../../src/assets/search/index/reindex-work.ts';
import { embeddedIndex } from '../../../src/assets/search/index/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { field, item } from '../../support/assets.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import type { World } from '../../support/matrix.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';
import type { ScenarioOptions } from '../../support/scenario.ts';
import { held } from '../../support/work.ts';
import { givenTo, owner } from '../../support/world.ts';

const viewer = { administrator: true, userId: undefined, contexts: undefined };

const ids = async ({ service: { store } }: World, document: ItemSearch) =>
  (await findIds(store.reader('test'), viewer, 'item', document, { first: 1, number: 1000 })).ids;
const tagged = (value: string): ItemSearch => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
const put = (index: string, query = '') => by(`PUT /API/reindex/${index}${query}`, undefined, json);

async function state(world: World, index = 'item') {
  return JSON.parse((await send(world, by(`GET /API/reindex/${index}`))).body) as Record<string, unknown>;
}

/** The work that is due, until nothing is left. */
async function work({ service, clock }: World, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await service.tick(1000);
    await clock.advance(3000);
  }
}

/** Single steps of the work, which a tick takes one after the other. */
function stepping({ service: { store }, clock }: World): () => Promise<void> {
  const failed = (says: string) => {
    throw new Error(says);
  };
  const counting = { ...held, failed };
  const kind = reindexKind({ index: embeddedIndex, store, clock });
  return () => kind.do({ key: 'reindex' }, counting);
}

async function filled(count: number, options: ScenarioOptions = {}): Promise<World> {
  const world = await openWorld('fetch', options);
  await send(world, field('x_tag', 'string-exact'));
  for (let index = 0; index < count; index++) await send(world, item({ x_tag: `t${index % 3}` }));
  return world;
}

it('an index that is lost is built again while searches go on', async () => {
  const world = await filled(5);
  const { store } = world.service;
  const lose = ['search_text', 'search_value', 'search_fields', 'search_entity'].map((table) => ({
    sql: `DELETE FROM ${table}`,
    args: [],
  }));
  await store.commit({ changes: lose, events: [] }, { user: 'test' });
  expect(await ids(world, tagged('t0'))).toEqual([]);
  expect(JSON.parse((await send(world, put('ITEM'))).body)).toMatchObject({
    index: 'item',
    priority: 500,
    status: 'IN_QUEUE',
  });
  await work(world, 4);
  expect(await ids(world, tagged('t0'))).toEqual(['VX-4', 'VX-1']);
  expect(await state(world)).toMatchObject({ status: 'FINISHED', indexesDone: 5, indexesTotal: 5 });
});

it('a search of an index that was never whole is 503 with its progress, and lists go on', async () => {
  const world = await filled(101);
  const { store } = world.service;
  // As an upgrade leaves it, where items are older than the index.
  const upgraded = [
    'DELETE FROM search_entity',
    `INSERT INTO search_reindex (name, priority, status, done, total, run, built) VALUES ('item', 500, 'IN_QUEUE', 0, 0, 1, 0)`,
  ].map((sql) => ({ sql, args: [] }));
  await store.commit({ changes: upgraded, events: [] }, { user: 'test' });
  const searched = async (request: string, body: object = tagged('t0')) => {
    const answer = await world.send(by(request, body));
    return [answer.status, /\d+ of \d+/.exec(answer.body)?.[0], answer.headers.get('retry-after')];
  };
  expect(await searched('PUT /API/item')).toEqual([503, '0 of 0', '5']);
  expect(await searched('PUT /API/search')).toEqual([503, '0 of 0', '5']);
  expect(await searched('PUT /API/search/shape', { item: tagged('t0') })).toEqual([503, '0 of 0', '5']);
  expect(await searched('PUT /API/search/autocomplete', { text: 't' })).toEqual([503, '0 of 0', '5']);
  expect((await searched('PUT /API/collection'))[0]).toBe(200);
  expect((await searched('PUT /API/item', {}))[0]).toBe(200);
  expect((await searched('PUT /API/search/shape', {}))[0]).toBe(200);
  // A second request does not make it whole.
  await send(world, put('item'));
  expect((await searched('PUT /API/item'))[0]).toBe(503);
  await work(world, 4);
  expect((await searched('PUT /API/item'))[0]).toBe(200);
  // From then on it goes on with the values as they were.
  await send(world, put('item'));
  expect((await searched('PUT /API/item'))[0]).toBe(200);
});

it('a re-index is paused, goes on, is ended, and starts over', async () => {
  const world = await filled(2);
  expect(await state(world)).toEqual({ index: 'item', priority: 500, status: 'FINISHED' });
  expect((await world.send(put('item', '?status=PAUSED'))).status).toBe(404);
  expect((await world.send(put('nothing'))).status).toBe(404);
  expect((await world.send(put('item', '?status=LATER'))).status).toBe(400);
  for (const sent of givenTo('assets')) await send(world, sent);
  expect((await world.send({ ...put('item'), as: owner })).status).toBe(403);
  await send(world, put('item', '?priority=7'));
  await send(world, put('item', '?status=PAUSED'));
  await work(world, 2);
  expect(await state(world)).toMatchObject({ status: 'PAUSED', indexesDone: 0 });
  await send(world, put('item', '?status=IN%20PROGRESS'));
  await work(world, 3);
  expect(await state(world)).toMatchObject({ status: 'FINISHED', indexesDone: 2 });
  await send(world, put('item', '?status=PAUSED'));
  expect(await state(world)).toMatchObject({ status: 'FINISHED' });
  await send(world, put('item'));
  await send(world, put('item', '?status=ABORTED'));
  await work(world, 2);
  expect(await state(world)).toMatchObject({ status: 'ABORTED', indexesDone: 0 });
  await send(world, put('acl'));
  expect(await state(world, 'acl')).toMatchObject({ index: 'acl', status: 'FINISHED', indexesTotal: 0 });
});

it('one index is built at a time, the most urgent first', async () => {
  const world = await filled(101);
  await send(world, by('POST /API/collection'));
  await send(world, put('item', '?priority=1'));
  await send(world, put('collection', '?priority=9'));
  const step = stepping(world);
  const seen = new Set<string>();
  for (let count = 0; count < 6; count++) {
    await step();
    seen.add(`${(await state(world, 'collection'))['status']}, ${(await state(world))['status']}`);
  }
  expect([...seen]).toEqual([
    'IN_PROGRESS, IN_QUEUE',
    'FINISHED, IN_QUEUE',
    'FINISHED, IN_PROGRESS',
    'FINISHED, FINISHED',
  ]);
});

it('the next process goes on where one ended in the middle', async () => {
  const shared = { database: outliving(await openDatabase('memory:')), clock: testClock() };
  const ended = await filled(101, shared);
  await send(ended, put('item'));
  await stepping(ended)();
  const before = await state(ended);
  expect(before).toMatchObject({ status: 'IN_PROGRESS', indexesDone: 100, indexesTotal: 101 });
  await shared.clock.advance(60_000);
  const world = await openWorld('fetch', shared);
  expect(await state(world)).toEqual(before);
  await work(world, 3);
  expect(await state(world)).toMatchObject({ status: 'FINISHED', start: before['start'], indexesDone: 101 });
});

it('a re-index of items includes thumbnails where the property says so', async () => {
  const world = await filled(1);
  await send(world, put('item'));
  expect(await state(world, 'thumbnail')).not.toHaveProperty('start');
  const text = { 'content-type': 'text/plain' };
  await send(world, by('PUT /API/configuration/properties/disableThumbnailReindexing', 'false', text));
  await send(world, put('item'));
  expect(await state(world, 'thumbnail')).toMatchObject({ status: 'FINISHED' });
});

it('search: a changed definition builds the index of its values again', async () => {
  const world = await filled(3);
  await send(world, field('x_tag', 'string-exact', { index: 'noindex' }));
  expect(await state(world)).toMatchObject({ status: 'IN_QUEUE' });
  await work(world, 6);
  await send(world, field('x_tag', 'string'));
  await work(world, 6);
  expect(await ids(world, { text: [{ value: 'T2' }] })).toEqual([]);
  await send(world, field('x_tag', 'string', { index: 'index' }));
  await work(world, 6);
  expect(await ids(world, { text: [{ value: 'T2' }] })).toEqual(['VX-3']);
});

it('the index of one item is built again at once', async () => {
  const world = await filled(2);
  await world.service.store.commit(
    { changes: [{ sql: 'DELETE FROM search_text', args: [] }], events: [] },
    { user: 'test' },
  );
  await send(world, by('PUT /API/item/VX-2/re-index', undefined, { accept: 'text/plain' }));
  expect(await ids(world, { field: [{ name: 'x_tag' }] })).toEqual(['VX-2']);
});
