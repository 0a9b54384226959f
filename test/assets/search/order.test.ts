import { beforeAll, describe, expect, it } from 'vitest';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { find } from '../../../src/assets/search/find.ts';
import type { SqlValue } from '../../../src/core/store/contract.ts';
import type { LimitedReader } from '../../../src/core/store/statement.ts';
import { field, item, keepOrders, openSharedAssets } from '../../support/assets.ts';
import { pagesByCursor } from '../../support/cursors.ts';
import type { World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const viewer = { administrator: true, userId: undefined, contexts: undefined };
const opened = openSharedAssets();
let world: World;

beforeAll(async () => {
  world = opened();
  const all = [
    field('x_rank', 'integer-sortable'),
    field('x_name', 'string-sortable', { caseSensitiveSorting: false }),
    field('x_late', 'string-exact'),
    // VX-1 to VX-8
    item({ x_rank: '5', x_name: 'b', x_late: 'p' }),
    item({ x_rank: ['1', '9'], x_name: 'A', x_late: 'o' }),
    item({ title: 'none' }),
    item({ x_rank: '5', x_name: 'a' }),
    item({ x_rank: '7', title: 'none' }),
    item({ x_name: 'c' }),
    item({ x_rank: '5', x_name: 'B' }),
    item({ title: 'last' }),
  ];
  for (const sent of all) await send(world, sent);
  await keepOrders(world);
});

interface Read {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

/** Pages that are read from the order of a field, and what was read for them. */
async function page(document: ItemSearch, more: { first?: number; number?: number; cursor?: string } = {}) {
  const reads: Read[] = [];
  const reader: LimitedReader = {
    isLimited: true,
    read(sql, args = [], max) {
      reads.push({ sql, args });
      return world.service.store.read(sql, args, max);
    },
  };
  const asked = { first: 1, number: 100, ...more };
  const { entries, next, hits } = await find(reader, viewer, 'item', document, asked, {
    strategies: ['order', 'order beside count'],
  });
  return { ids: entries().map(({ id }) => Number(id.slice(3))), next, hits, reads };
}

const by_ = (...sort: readonly string[]) => ({
  sort: sort.map((each) => ({
    field: each.replace('-', ''),
    order: each.startsWith('-') ? 'descending' : 'ascending',
  })),
});
const named = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

async function plansOf(reads: readonly Read[]): Promise<readonly string[]> {
  const ordered = reads.filter(({ sql }) => sql.includes('search_order AS place'));
  expect(ordered.length).toBeGreaterThan(0);
  const plans = await Promise.all(
    ordered.map(({ sql, args }) => world.service.store.read(`EXPLAIN QUERY PLAN ${sql}`, args)),
  );
  return plans.flat().map((row) => String(row.at(-1)));
}

describe('the order of sortable fields', () => {
  it('values from one end to the other, the newest first among equal ones, what has none last', async () => {
    expect((await page(by_('x_rank'))).ids).toEqual([2, 7, 4, 1, 5, 8, 6, 3]);
    expect((await page(by_('-x_rank'))).ids).toEqual([2, 5, 7, 4, 1, 8, 6, 3]);
    expect((await page(by_('x_name'))).ids).toEqual([4, 2, 7, 1, 6, 8, 5, 3]);
    expect((await page({ ...named('title', 'none'), ...by_('x_rank') })).ids).toEqual([5, 3]);
  });

  it('further fields decide among equal values, and among entities without a value', async () => {
    expect((await page(by_('x_rank', 'x_name'))).ids).toEqual([2, 4, 7, 1, 5, 6, 8, 3]);
    expect((await page(by_('-x_rank', '-x_name'))).ids).toEqual([2, 5, 7, 1, 4, 6, 8, 3]);
    expect((await page(by_('x_rank', 'itemId'))).ids).toEqual([2, 1, 4, 7, 5, 3, 6, 8]);
  });

  it.each([['x_rank'], ['-x_rank'], ['x_rank', 'x_name'], ['-x_rank', 'itemId'], ['x_name', '-x_rank']])(
    'pages and cursors by %s %s go over from values to what has none',
    async (...sort) => {
      const document = by_(...sort.filter((each) => each !== undefined));
      const { ids: all } = await page(document);
      expect(all.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const paged = [];
      for (let first = 1; first <= 9; first += 3) paged.push(...(await page(document, { first, number: 3 })).ids);
      expect(paged).toEqual(all);
      let turn = 0;
      const walked = await pagesByCursor(async (cursor) => {
        const { ids, next } = await page(document, { number: 1 + (turn++ % 2), cursor });
        return { entries: ids, next };
      });
      expect(walked.flatMap(({ entries }) => entries)).toEqual(all);
    },
  );

  it('a page is read in the order of its rows, and nothing is sorted', async () => {
    for (const sort of ['x_rank', '-x_rank', 'x_name']) {
      const first = await page({ ...named('title', 'none'), ...by_(sort) }, { number: 1, cursor: '*' });
      const second = await page({ ...named('title', 'none'), ...by_(sort) }, { number: 1, cursor: first.next! });
      const third = await page(by_(sort), { number: 2 });
      const plans = await plansOf([...first.reads, ...second.reads, ...third.reads]);
      expect(plans.filter((step) => step.startsWith('USE TEMP B-TREE FOR ORDER'))).toEqual([]);
      const steps = plans.filter((step) => /\bplace\b/.test(step));
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) expect(step).toMatch(/^SEARCH place USING PRIMARY KEY \(field=\?/);
      if (sort !== 'x_name') expect(steps).toContainEqual(expect.stringMatching(/\(key,tie\)[<>]\(\?,\?\)/));
      expect(plans.join('\n')).not.toMatch(/SCAN (?:place|e)\b/);
    }
  });

  it('several fields sort only what has an equal first value', async () => {
    const { reads } = await page(by_('x_rank', 'x_name'), { number: 2 });
    const plans = await plansOf(reads);
    expect(plans.filter((step) => step.startsWith('USE TEMP B-TREE'))).toEqual([
      expect.stringMatching(/FOR (?:RIGHT PART|LAST \d+ TERMS) OF ORDER BY/),
    ]);
  });

  it('a range of numbers is read from the order, and reads no other values of the field', async () => {
    const range = [{ value: [{ value: '6' }, { value: '9' }] }];
    const { ids, reads } = await page({ field: [{ name: 'x_rank', range }] });
    expect(ids).toEqual([5, 2]);
    const [{ sql, args }] = reads.filter((read) => read.sql.includes('FROM search_order WHERE')) as [Read];
    const plan = (await world.service.store.read(`EXPLAIN QUERY PLAN ${sql}`, args)).map((row) => String(row.at(-1)));
    // For the page, and for the count.
    expect(new Set(plan.filter((step) => step.includes('search_')))).toEqual(
      new Set(['SEARCH search_order USING PRIMARY KEY (field=? AND key>? AND key<?)']),
    );
  });

  it('a cursor is the one bound that the text index gets, so hits ahead of it are not passed', async () => {
    const text = { text: [{ value: 'none' }] };
    const first = await page(text, { number: 1, cursor: '*' });
    const second = await page(text, { number: 1, cursor: first.next! });
    expect([first.ids, second.ids]).toEqual([[8], [7]]);
    const [{ sql, args }] = second.reads.filter((read) => read.sql.includes('search_text MATCH')) as [Read];
    const [counted, paged, ...others] = sql.match(/rowid < \S+/g)!;
    expect([paged, others, args.includes(8)]).toEqual(['rowid < ?', [], true]);
    expect(counted).not.toBe(paged);
  });

  it('a page that is full asks nothing of entities without a value', async () => {
    const { reads } = await page(by_('x_rank'), { number: 2 });
    expect(reads.some(({ sql }) => sql.includes('AS valued'))).toBe(false);
  });

  it('changed and deleted entities leave their places', async () => {
    const places = async () => (await world.service.store.read('SELECT count(*) FROM search_order'))[0]![0];
    const before = await places();
    await send(world, item({ x_rank: ['0', '2'], x_name: 'z' }));
    expect((await page(by_('x_rank'), { number: 1 })).ids).toEqual([9]);
    const change = { timespan: [{ field: [{ name: 'x_rank', value: [{ value: '6' }] }] }] };
    await send(world, by('PUT /API/item/VX-9/metadata', change));
    expect((await page(by_('x_rank'), { first: 4, number: 3 })).ids).toEqual([1, 9, 5]);
    await send(world, by('DELETE /API/item/VX-9'));
    expect(await places()).toBe(before);
  });

  it('a field that becomes sortable gets its order from the values that are there, and loses it again', async () => {
    const orders = async () =>
      (await world.service.store.read('SELECT name, state FROM search_ordered ORDER BY name')).map((row) => row.join());
    const kept = ['x_name,ready', 'x_rank,ready'];
    expect(await orders()).toEqual(kept);
    await send(world, field('x_late', 'string-exact-sortable'));
    await keepOrders(world);
    expect(await orders()).toEqual(['x_late,ready', ...kept]);
    const { ids, reads } = await page(by_('x_late'), { number: 2 });
    expect(ids).toEqual([2, 1]);
    await plansOf(reads);
    await send(world, field('x_late', 'string-exact', { sortable: false }));
    await keepOrders(world);
    expect(await orders()).toEqual(kept);
    expect((await page(by_('x_late'), { number: 2 })).ids).toEqual([2, 1]);
  });
});
