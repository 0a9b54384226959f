import { expect, it } from 'vitest';
import { fieldsOf, join, newCollection } from '../../../support/assets.ts';
import { pagesByCursor } from '../../../support/cursors.ts';
import type { World } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
import { add, catchUp, engineWorld, search } from './engine-world.ts';

const tag = (value: string) => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
const tagged = (value: string) => ({ ...tag(value), facet: [{ field: 'x_count' }] });
const change = (id: string, values: Record<string, string>) => {
  const timespan = [{ start: '-INF', end: '+INF', field: fieldsOf(values) }];
  return by(`PUT /API/item/${id}/metadata`, { timespan });
};
const grant = (path: string, [user]: Credentials) => by(`POST /API/${path}/access`, { user, permission: 'READ' });

/** Ids, hits and counts of a facet that a caller learns. */
async function learnt(world: World, as: Credentials, document: object = tagged('a')) {
  const { body } = await send(world, by('PUT /API/item', document, json, as));
  const {
    hits,
    item = [],
    facet = [],
  } = JSON.parse(body) as {
    hits: number;
    item?: { id: string }[];
    facet?: { count?: { fieldValue: string; value: number }[] }[];
  };
  const counts = facet.flatMap(({ count = [] }) => count.map(({ fieldValue, value }) => [fieldValue, value]));
  return { hits, ids: item.map(({ id }) => id), counts };
}

it('the engine answers once it has everything, and the database before', async () => {
  const world = await engineWorld();
  const [one, other] = [await add(world, { x_tag: 'a' }), await add(world, { x_tag: 'a' })];
  const noEngine = 'Expected an index that is complete';
  expect(await search(world, tag('a'))).toMatchObject({ ids: [other, one], hits: 2, noEngine });
  await catchUp(world);
  const answer = { ids: [other, one], hits: 2, strategy: 'engine', noEngine: undefined };
  expect(await search(world, tag('a'))).toEqual(answer);
  // Lists need no engine.
  expect(await search(world, {})).toMatchObject({ hits: 2, strategy: 'list' });
});

it('callers find their own changes at once, and others when the engine has them', async () => {
  const world = await engineWorld();
  for (const sent of givenTo('assets')) await send(world, sent);
  const one = await add(world, { x_tag: 'a' });
  await send(world, grant(`item/${one}`, stranger));
  await catchUp(world);
  await send(world, change(one, { x_tag: 'b' }));
  expect((await learnt(world, admin, tag('b'))).ids).toEqual([one]);
  expect(await learnt(world, stranger, tag('b'))).toMatchObject({ ids: [], hits: 0 });
  expect((await learnt(world, stranger, tag('a'))).ids).toEqual([one]);
  await catchUp(world);
  expect((await learnt(world, stranger, tag('b'))).ids).toEqual([one]);
  const asked = world.engine.queries.length;
  expect((await learnt(world, admin, tag('b'))).ids).toEqual([one]);
  expect(world.engine.queries).toHaveLength(asked + 1);
});

it('attack: a user who lost the right to read learns nothing at the next search, at any lag of the engine', async () => {
  const world = await engineWorld();
  for (const sent of givenTo('assets')) await send(world, sent);
  const one = await add(world, { x_tag: 'a', x_count: '1' });
  const other = await add(world, { x_tag: 'a', x_count: '2' });
  const collection = /VX-\d+/.exec((await send(world, newCollection('?name=above'))).body)![0];
  await send(world, join(collection, other));
  await send(world, grant(`item/${one}`, stranger));
  await send(world, grant(`collection/${collection}`, stranger));
  await catchUp(world);
  const both = {
    hits: 2,
    ids: [other, one],
    counts: [
      ['1', 1],
      ['2', 1],
    ],
  };
  expect(await learnt(world, stranger)).toEqual(both);
  const before = world.engine.queries.length;
  const remove = async (path: string) => {
    const { body } = await send(world, by(`GET /API/${path}/access`, undefined, json));
    const entries = (JSON.parse(body) as { access: { id: string; user?: string }[] }).access;
    const entry = entries.find(({ user }) => user === stranger[0])!;
    await send(world, by(`DELETE /API/${path}/access/${entry.id}`));
  };
  await remove(`item/${one}`);
  expect(await learnt(world, stranger)).toEqual({ hits: 1, ids: [other], counts: [['2', 1]] });
  await remove(`collection/${collection}`);
  expect(await learnt(world, stranger)).toEqual({ hits: 0, ids: [], counts: [] });
  expect(world.engine.queries.length).toBe(before + 2);
  await catchUp(world);
  expect(await learnt(world, stranger)).toEqual({ hits: 0, ids: [], counts: [] });
});

it('deleted items are no hits, and count nowhere, before the engine knows', async () => {
  const world = await engineWorld();
  for (const sent of givenTo('assets')) await send(world, sent);
  const one = await add(world, { x_tag: 'a', x_count: '1' }, owner);
  const other = await add(world, { x_tag: 'a', x_count: '2' }, owner);
  await catchUp(world);
  await send(world, by(`DELETE /API/item/${other}`));
  const asked = world.engine.queries.length;
  expect(await learnt(world, owner)).toEqual({ hits: 1, ids: [one], counts: [['1', 1]] });
  expect(world.engine.queries).toHaveLength(asked + 1);
});

it('moves between collections reach the engine, and searches of a collection are its own', async () => {
  const world = await engineWorld();
  const [one, other] = [await add(world, { x_tag: 'a' }), await add(world, { x_tag: 'a' })];
  const collection = /VX-\d+/.exec((await send(world, newCollection('?name=above'))).body)![0];
  await send(world, join(collection, one));
  await catchUp(world);
  const path = `/API/collection/${collection}/item`;
  expect(await search(world, tag('a'), undefined, path)).toMatchObject({ ids: [one], strategy: 'engine' });
  const above = { field: [{ name: '__ancestor_collection', value: [{ value: collection }] }, ...tag('a').field] };
  expect(await search(world, above)).toMatchObject({ ids: [one], strategy: 'engine' });
  await send(world, join(collection, other));
  await send(world, by(`DELETE /API/collection/${collection}/${one}?type=item`));
  await catchUp(world);
  expect(await search(world, tag('a'), undefined, path)).toMatchObject({ ids: [other], strategy: 'engine' });
});

it('pages by a cursor and in an order are those of the database', async () => {
  const world = await engineWorld();
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) ids.push(await add(world, { x_tag: 'a', ...(at < 5 && { x_count: String(9 - at) }) }));
  await catchUp(world);
  const sort = [{ field: 'x_count', order: 'ascending' }];
  const expected = [4, 3, 2, 1, 0, 6, 5].map((at) => ids[at]);
  const pages = await pagesByCursor(async (cursor) => {
    const path = `PUT /API/item?number=2&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await send(world, by(path, { ...tag('a'), sort }, json));
    const { item = [], nextCursor } = JSON.parse(body) as { nextCursor?: string; item?: { id: string }[] };
    return { entries: item.map(({ id }) => id), next: nextCursor };
  });
  expect(pages.flatMap(({ entries }) => entries)).toEqual(expected);
  expect(world.engine.queries).toHaveLength(5);
  // A cursor of the database goes on in the engine, and the other way round.
  world.engine.answers = 'Expected nothing';
  const path = (at: string) => `PUT /API/item?number=2&cursor=${encodeURIComponent(at)}`;
  const first = JSON.parse((await send(world, by(path('*'), { ...tag('a'), sort }, json))).body) as {
    nextCursor: string;
  };
  world.engine.answers = true;
  const { body } = await send(world, by(path(first.nextCursor), { ...tag('a'), sort }, json));
  expect((JSON.parse(body) as { item: { id: string }[] }).item.map(({ id }) => id)).toEqual(expected.slice(2, 4));
});

it('an engine that refuses a query, fails or is too far behind is left out, and the plan says why', async () => {
  const world = await engineWorld({ settings: { searchLag: 20 } });
  const one = await add(world, { x_tag: 'a' });
  await catchUp(world);
  world.engine.answers = 'Expected fewer terms';
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], noEngine: 'Expected fewer terms' });
  world.engine.answers = true;
  world.expectErrors('work-failed');
  world.engine.failure = new Error('connection refused');
  for (let turn = 0; turn < 2; turn++) {
    const noEngine = expect.stringMatching('it failed');
    expect(await search(world, tag('a'))).toMatchObject({ ids: [one], noEngine });
  }
  world.engine.failure = undefined;
  // After repeated failures the engine rests for a second.
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], noEngine: expect.stringMatching('several times') });
  await world.clock.advance(1001);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
  const two = await add(world, { x_tag: 'a' });
  await world.clock.advance(21_000);
  expect(await search(world, tag('a'))).toMatchObject({
    ids: [two, one],
    noEngine: expect.stringMatching('20 seconds'),
  });
  await catchUp(world);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [two, one], strategy: 'engine' });
});
