import { expect, it } from 'vitest';
import { maxUnreadable } from '../../../src/assets/access/contexts-sql.ts';
import { mayHaveAll } from '../../../src/assets/access/store.ts';
import { type Viewer, viewerFor } from '../../../src/assets/access/viewer.ts';
import { find, type SearchPage } from '../../../src/assets/search/find.ts';
import type { SqlValue } from '../../../src/core/store/contract.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import { item, openSharedAssets } from '../../support/assets.ts';
import { send } from '../../support/requests.ts';
import type { Credentials } from '../../support/service.ts';
import { nobody } from '../../support/store.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';
import { addClosedContexts, removeClosedContexts } from './closed-contexts.ts';

const opened = openSharedAssets();
const harbours = { text: [{ value: 'harbour' }] };

/** Result of a search by the viewer, and the statement that read it. */
async function found(viewer: Viewer, page: SearchPage) {
  const { store } = opened().service;
  const reads: (readonly [sql: string, args: readonly SqlValue[]])[] = [];
  const read: Reader['read'] = (sql, args = [], max = 'all') => {
    if (sql.includes('search_text MATCH')) reads.push([sql, args]);
    return store.read(sql, args, max);
  };
  const { hits, entries } = await find({ ...store.reader('test'), read }, viewer, 'item', harbours, page);
  expect(reads).toHaveLength(1);
  return { hits, ids: entries().map(({ id }) => id), statement: reads[0]! };
}

const write = (sql: string) => opened().service.store.commit({ changes: [{ sql, args: [] }], events: [] }, nobody);

async function viewerOf([name]: Credentials): Promise<Viewer> {
  const { store } = opened().service;
  const [row] = await store.read('SELECT id FROM user WHERE name = ?', [name]);
  return viewerFor(store, { administrator: false, userId: String(row![0]) });
}

it('a user who may read few of many hits gets them by a list, and one who may read many by looking them up', async () => {
  const { store } = opened().service;
  for (const sent of givenTo('assets')) await send(opened(), sent);
  for (let at = 1; at <= 12; at++)
    await send(opened(), item({ title: 'harbour' }, {}, at % 6 === 0 ? stranger : owner));
  await addClosedContexts(store);
  const [few, many] = [await viewerOf(stranger), await viewerOf(owner)];
  const isFew = async ([sql, args]: readonly [string, readonly SqlValue[]]) => {
    const upTo = sql.slice(0, sql.indexOf('SELECT CASE WHEN few'));
    const marks = upTo.split('?').length - 1;
    const [row] = await store.read(`${upTo} SELECT few FROM chosen`, args.slice(0, marks));
    return row![0];
  };
  const one = await found(few, { first: 1, number: 1 });
  expect(one).toMatchObject({ hits: 2, ids: ['VX-12'] });
  expect(await isFew(one.statement)).toBe(1);
  expect(await found(few, { first: 2, number: 5 })).toMatchObject({ hits: 2, ids: ['VX-6'] });
  const bounded = await found(few, { first: 1, number: 1, counts: 50 });
  expect(bounded).toMatchObject({ hits: 2, ids: ['VX-12'] });
  expect(await isFew(bounded.statement)).toBe(1);
  const two = await found(many, { first: 1, number: 2 });
  expect(two).toMatchObject({ hits: 10, ids: ['VX-11', 'VX-10'] });
  expect(await isFew(two.statement)).toBe(0);
  // Nobody asks for their number: the newest are looked up until the page is full.
  expect((await found(few, { first: 1, number: 1, counts: false })).statement[0]).not.toContain('chosen');
});

it('an order of their own, as that of a collection, is kept for a user who may read few of many hits', async () => {
  const { store } = opened().service;
  const few = await viewerOf(stranger);
  const order = { signature: 'ascending' };
  const { ids } = await find(store.reader('test'), few, 'item', harbours, { first: 1, number: 10 }, { order });
  expect(ids).toEqual(['VX-6', 'VX-12']);
});

it('entities that a user may not read are left out at once while they are few, and by each hit when they are many', async () => {
  await removeClosedContexts(opened().service.store);
  const viewer = await viewerOf(owner);
  const expected = { hits: 10, ids: ['VX-11', 'VX-10'] };
  const page = { first: 1, number: 2 };
  const atOnce = await found(viewer, page);
  expect(atOnce).toMatchObject(expected);
  expect(atOnce.statement[0]).toContain('NOT IN (SELECT serial FROM item');
  const grown = (by: string) => write(`UPDATE access_context SET entities = entities ${by} ${maxUnreadable.entities}`);
  await grown('+');
  // A list of contexts from before: their entities are counted in the query.
  expect(await found(viewer, page)).toMatchObject(expected);
  await grown('-');
});

it('a new item of somebody else is hidden from a user whose contexts were read before', async () => {
  const before = await viewerOf(owner);
  expect(mayHaveAll(before, 'item')).toBe(false);
  await send(opened(), item({ title: 'harbour' }, {}, stranger));
  expect((await found(await viewerOf(owner), { first: 1, number: 2 })).hits).toBe(10);
});

it('neither way reads all items', async () => {
  const { store } = opened().service;
  const { statement } = await found(await viewerOf(stranger), { first: 1, number: 10 });
  const steps = (await store.read(`EXPLAIN QUERY PLAN ${statement[0]}`, statement[1])).map((row) => String(row.at(-1)));
  const ofItems = steps.filter((step) => /\b(?:item|guarded)\b/.test(step) && !step.includes('search_'));
  expect(new Set(ofItems)).toEqual(
    new Set([
      'SEARCH item USING COVERING INDEX item_context (context=?)',
      'SEARCH guarded USING COVERING INDEX item_serial (serial=?)',
    ]),
  );
});

it('no item or collection is without an access context, by which searches leave entities out', async () => {
  const [row] = await opened().service.store.read(
    `SELECT count(*), total(context IS NULL) FROM (SELECT context FROM item UNION ALL SELECT context FROM collection)`,
  );
  expect(Number(row![0])).toBeGreaterThan(12);
  expect(row![1]).toBe(0);
});
