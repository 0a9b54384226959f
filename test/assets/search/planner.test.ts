import { beforeAll, describe, expect, it } from 'vitest';
import { cheapest } from '../../../src/assets/search/planner.ts';
import type { SortTerm } from '../../../src/assets/search/query/page.ts';
import type { Plan } from '../../../src/assets/search/query/rows-sql.ts';
import type { PageQuery, Statistics } from '../../../src/assets/search/strategies.ts';
import { strategies } from '../../../src/assets/search/strategies.ts';
import { field, item, keepOrders, openSharedAssets } from '../../support/assets.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { givenTo, owner } from '../../support/world.ts';

const always = { text: '1', values: [] };
const nothing: Plan = { kind: 'item', match: undefined, where: () => always };
const word: Plan = {
  ...nothing,
  match: 'gw : "sea"',
  single: { text: 'search_text WHERE search_text MATCH ?', values: ['gw : "sea"'], isOnce: true, key: 'item,sea' },
};
const range: Plan = { ...nothing, single: { text: 'search_order', values: [], isOnce: true, key: 'item,1' } };
const words: Plan = { ...nothing, match: 'gw : "old" gw : "sea"' };
const guarded: Plan = { ...words, readableList: () => ({ areAtMost: () => always, where: always }) };
const term: SortTerm = {
  by: 'fact',
  value: always,
  descending: false,
  nullable: true,
  numeric: true,
  cheap: false,
  field: 'x',
};

const plain = {
  viewer: { administrator: true, userId: undefined, contexts: undefined },
  order: { terms: [], ascending: false, signature: '[]' },
  sort: [],
  after: { ascending: false },
  limit: 100,
  offset: 0,
  timed: [],
  counts: true,
  cursor: undefined,
  position: undefined,
  isListed: false,
} as const;
const many: Statistics = { entities: 100_000, isOrdered: false, readsAtOnce: true };
const ordered = { ...many, isOrdered: true };
const sorted = { sort: [term] };

const table: readonly (readonly [
  says: string,
  plan: Plan,
  query: Partial<PageQuery>,
  statistics: Statistics,
  strategy: string | undefined,
])[] = [
  ['everything', nothing, { isListed: true }, many, 'list'],
  ['a page without entries', words, { limit: 0 }, many, 'count'],
  ['one word', word, {}, many, 'word at once'],
  ['one word that few have', word, {}, { ...many, remembered: 2500 }, 'word at once'],
  ['one word that many have', word, {}, { ...many, remembered: 2501 }, 'cheap order'],
  ['one word that many have, without a total', word, { counts: false }, { ...many, remembered: 9999 }, 'word at once'],
  ['one word, on a deep page', word, { offset: 151 }, many, 'cheap order'],
  ['one word, of a remote database', word, {}, { ...many, readsAtOnce: false }, 'cheap order'],
  ['one word, the oldest first', word, { after: { ascending: true } }, many, 'cheap order'],
  ['one word, of both kinds', { ...word, kind: 'both' }, { sort: [{ ...term, cheap: true }] }, many, 'cheap order'],
  ['one range', range, {}, many, 'range at once'],
  ['one range that many have', range, {}, { ...many, remembered: 2501 }, 'range by places'],
  ['one range, on a large page', range, { limit: 300 }, many, 'range by places'],
  ['words', words, {}, many, 'cheap order'],
  ['words, of a caller with restricted rights', guarded, {}, many, 'readable items'],
  ['words of such a caller, without a total', guarded, { counts: false }, many, 'cheap order'],
  ['words of such a caller, the oldest first', guarded, { after: { ascending: true } }, many, 'cheap order'],
  ['an order with an index', words, sorted, ordered, 'order beside count'],
  ['the same of more entities', words, sorted, { ...ordered, entities: 200_001 }, 'order'],
  ['the same by a cursor', words, { ...sorted, cursor: '*' }, ordered, 'order'],
  ['two orders with an index', words, { sort: [term, term] }, ordered, 'order'],
  ['an order with an index, of 1,581 hits', words, sorted, { ...ordered, hits: 1581 }, 'sort'],
  ['an order with an index, of 1,582 hits', words, sorted, { ...ordered, hits: 1582 }, 'order'],
  ['an order with an index, of timespans', words, { ...sorted, timed: [[1, '0', '1', 0]] }, ordered, 'sort'],
  ['an order without an index', words, sorted, many, 'sort'],
  ['an order without an index, of 200,001 hits', words, sorted, { ...many, hits: 200_001 }, undefined],
];

it.each(table)('%s: the planner takes the cheapest strategy', (_, plan, query, statistics, strategy) => {
  expect(cheapest({ ...plain, ...query, plan }, statistics)?.name).toBe(strategy);
});

it('takes each strategy for some search', () => {
  expect(new Set(strategies.map(({ name }) => name))).toEqual(new Set(table.flatMap(([, , , , name]) => name ?? [])));
});

describe('the plan of a search', () => {
  const opened = openSharedAssets();
  const get = (target: string, as: Credentials = admin, headers = json) =>
    send(opened(), { request: `GET /API${target}`, as, headers });
  const put = (target: string, body: object, as: Credentials = admin) =>
    send(opened(), by(`PUT /API${target}`, body, json, as));

  beforeAll(async () => {
    for (const sent of [...givenTo('assets'), field('x_count', 'integer-sortable')]) await send(opened(), sent);
    for (const count of ['1', '2', '3']) await send(opened(), item({ title: 'Old harbour', x_count: count }));
    await keepOrders(opened());
  });

  it('tells strategy, estimate, hits, thread, cache, and why others are refused', async () => {
    const search = { text: [{ value: 'harbour' }] };
    await put('/item?explain=true', search);
    const { status, body } = await put('/item?explain=true', search);
    expect(status).toBe(200);
    const plan = JSON.parse(body) as { candidate: readonly { name: string }[] };
    expect(plan).toMatchObject({
      strategy: 'word at once',
      reason: 'Its cost of 101 is the lowest of 2',
      estimatedHits: 3,
      hits: 3,
      milliseconds: 0,
      thread: 'serving',
      candidate: expect.arrayContaining([
        { name: 'list', refusal: 'Expected neither criteria nor an order' },
        { name: 'word at once', cost: 101 },
        { name: 'cheap order', cost: 203 },
      ]),
    });
    expect(plan.candidate.map(({ name }) => name)).toEqual(strategies.map(({ name }) => name));
  });

  it.each([
    ['/item', 'list'],
    ['/collection', 'list'],
    ['/search', 'cheap order'],
    ['/search/shape', 'cheap order'],
    ['/search/file', 'file list'],
    ['/item?q={"sort":[{"field":"x_count"}]}', 'sort'],
  ])('comes from %s, too: %s', async (target, strategy) => {
    const explained = `${target}${target.includes('?') ? '&' : '?'}explain=true`;
    expect(JSON.parse((await get(explained)).body)).toMatchObject({ strategy });
    expect((await get(explained, admin, { ...json, accept: 'text/plain' })).body.trim()).toBe(strategy);
  });

  it('is for administrators alone', async () => {
    for (const target of ['/item', '/collection']) {
      const request = `GET /API${target}?explain=true`;
      const { status, headers } = await opened().send({ request, as: owner, headers: json });
      expect([status, headers.get('portico-error')]).toEqual([403, 'role-missing']);
      expect((await get(`${target}?explain=false`, owner)).status).toBe(200);
    }
  });

  it('adds nothing to the history, and makes no library', async () => {
    await put('/item?explain=true&result=library', { text: [{ value: 'lighthouse' }] });
    expect((await get('/item/history')).body).not.toContain('lighthouse');
    expect(JSON.parse((await get('/library')).body)).toMatchObject({ hits: 0 });
  });
});
