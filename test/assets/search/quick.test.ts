import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Viewer } from '../../../src/assets/access/public-reading.ts';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { find, type SearchOptions } from '../../../src/assets/search/find.ts';
import { exactKey, existsKey, fieldKey, isKeyLike, referenceKey } from '../../../src/assets/search/index/keys.ts';
import { keepHits, statisticsOf } from '../../../src/assets/search/planner.ts';
import { fragment } from '../../../src/assets/search/query/conditions.ts';
import type { Counting, PageAndHits } from '../../../src/assets/search/query/page.ts';
import { pageAndHits } from '../../../src/assets/search/query/paged-sql.ts';
import type { Paged, Plan } from '../../../src/assets/search/query/rows-sql.ts';
import { type SingleCondition, singleCondition } from '../../../src/assets/search/query/single.ts';
import type { PageQuery } from '../../../src/assets/search/strategies.ts';
import { strategies } from '../../../src/assets/search/strategies.ts';
import type { Reduced, Row, SqlValue } from '../../../src/core/store/contract.ts';
import { reduced } from '../../../src/core/store/local/reduced.ts';
import type { LimitedReader, Reader } from '../../../src/core/store/statement.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { memoryStore, nobody } from '../../support/store.ts';

/** Each word is in as many items as it says, from the first on, and in all collections. Numbers are twice the values. */
const words = [1, 20, 21, 100, 249, 2499, 2500, 2501, 3000];
const upTo = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)';
const collections = 2 ** 50;
let store: Store;

beforeAll(async () => {
  store = await memoryStore();
  const text = (number: string) => `INSERT INTO search_text (rowid, gw, gp, gk, tw, tp, tk)
    SELECT ${number}, (SELECT group_concat('w' || value, ' ') FROM json_each('${JSON.stringify(words)}')
      WHERE value >= i OR ${number} > ${collections}), '', 'all', '', '', '' FROM n`;
  const changes = [
    `${upTo} INSERT INTO search_entity (id, entity_id, created_at, timed) SELECT i, 'VX-' || i, 0, 0 FROM n`,
    `${upTo} INSERT INTO search_entity (id, entity_id, created_at, timed)
      SELECT i + ${collections}, 'VX-' || i, 0, 0 FROM n`,
    `${upTo} ${text('i')}`,
    `${upTo} ${text(`i + ${collections}`)}`,
    `${upTo} INSERT INTO search_order (field, key, tie) SELECT 7, i * 2, -i FROM n`,
    `${upTo} INSERT INTO search_order (field, key, tie) SELECT 7, i * 2 + (i = 9), i FROM n`,
    `${upTo} INSERT INTO search_order (field, key, tie) SELECT 7, 6004 - i % 2, -i - ${collections} FROM n
      WHERE i <= 20`,
    `${upTo} INSERT INTO search_order (field, key, tie) SELECT column1, 7000 + i, i + ${collections}
      FROM n, (VALUES (7), (-7))`,
  ].map((sql) => ({ sql, args: [] }));
  await store.commit({ changes, events: [] }, nobody);
});
afterAll(() => store.close());

/** Reads and reduces rows as a reader thread does. */
const telling = async (sql: string, args: readonly SqlValue[], how: Reduced): Promise<Row[]> =>
  reduced(await store.read(sql, args, 'one'), how);

const always = fragment('1');
const admin: Viewer = { administrator: true, userId: undefined, contexts: undefined };
function single(
  kind: Plan['kind'],
  isOnce: boolean,
  ...condition: Parameters<typeof fragment>
): { readonly single: SingleCondition } {
  const { text, values } = fragment(...condition);
  const key = [kind, ...values].join();
  return { single: { text, values, isOnce, key: key.length > 200 ? undefined : key } };
}
const wordPlan = (count: number, kind: Plan['kind'] = 'item'): Plan => {
  const match = `gw : "w${count}"`;
  return { kind, match, where: () => always, ...single(kind, true, 'search_text WHERE search_text MATCH ?', match) };
};
const rangePlan = (from: number, to: number, kind: Plan['kind'] = 'item'): Plan => {
  const places = 'search_order WHERE field IN (7, -7) AND key BETWEEN ? AND ?';
  const where = fragment(`e.id IN (SELECT abs(tie) FROM ${places})`, from, to);
  return { kind, match: undefined, where: () => where, ...single(kind, false, places, from, to) };
};
/** The same where each entity has one place. */
const oncePlan = (from: number, to: number, kind: Plan['kind'] = 'item'): Plan => ({
  ...rangePlan(from, to, kind),
  ...single(kind, true, 'search_order WHERE field = 7 AND tie < 0 AND key BETWEEN ? AND ?', from, to),
});
const plain: Paged = { sort: [], after: { ascending: false }, limit: 100, offset: 0, timed: [] };
const index = {
  isTimed: false,
  ordered: new Set<string>(),
  ranged: new Map(),
  entities: {},
  counted: new Set<string>(),
  isCached: true,
  building: [],
};

/** Page that can be compared. */
const withRows = (page: PageAndHits) => ({ ...page, rows: page.rows() });

/** Page by one strategy. Undefined: it does not fit, or gives up. */
async function pageBy(name: string, reader: LimitedReader, plan: Plan, paged: Paged, counts: boolean) {
  const order = { terms: [], ascending: false, signature: '[]' };
  const by = { viewer: admin, order, cursor: undefined, position: undefined, isListed: false };
  const query: PageQuery = { ...paged, ...by, plan, counts };
  const strategy = strategies.find((each) => each.name === name)!;
  const statistics = statisticsOf(reader, query, index);
  if (strategy.fits(query, statistics) !== true) return undefined;
  const outcome = await strategy.run(reader, query, statistics);
  if (!('because' in outcome)) return withRows(outcome);
  keepHits(query, outcome.learned?.remembered);
  return undefined;
}
const quickPage = (reader: LimitedReader, plan: Plan, paged: Paged, counts: boolean) =>
  pageBy(plan.match === undefined ? 'range at once' : 'word at once', reader, plan, paged, counts);
const rangePage = (reader: LimitedReader, plan: Plan, paged: Paged, counts: boolean) =>
  pageBy('range by places', reader, plan, paged, counts);
const quickly = (plan: Plan, paged: Partial<Paged> = {}, counts = true) =>
  quickPage(store.reader('ann'), plan, { ...plain, ...paged }, counts);
const slowly = async (plan: Plan, paged: Partial<Paged> = {}, counts: Counting = true) =>
  withRows(await pageAndHits(store.reader('ann'), plan, { ...plain, ...paged }, { counts }));

it('a bounded count looks at so many matches of a word, and tells where there are more', async () => {
  const total = async (count: number, paged: Partial<Paged>, counts: number) => {
    const { hits, mayBeMore } = await slowly(wordPlan(count), paged, counts);
    return [hits, mayBeMore];
  };
  expect(await total(2500, {}, 2500)).toEqual([2500, undefined]);
  expect(await total(2500, {}, 2499)).toEqual([2500, true]);
  expect(await total(2500, { offset: 2000 }, 99)).toEqual([2100, true]);
  expect(await total(2500, { limit: 0 }, 99)).toEqual([100, true]);
});

it('a bounded count looks at so many places of a range, or at so many hits', async () => {
  const range = rangePlan(2, 2498);
  const total = async (plan: Plan, counts: number, paged: Partial<Paged> = { limit: 0 }) => {
    const { hits, mayBeMore } = await slowly(plan, paged, counts);
    return [hits, mayBeMore];
  };
  expect(await total(range, 1249)).toEqual([1249, undefined]);
  expect(await total(range, 10)).toEqual([11, true]);
  expect(await total(range, 10, {})).toEqual([100, true]);
  const { text, values } = range.single!;
  const placed = (probe: string): Plan => ({ ...range, places: { text, values }, probe: () => fragment(probe) });
  expect(await total(placed('1'), 10)).toEqual([6, true]);
  expect(await total(placed('e.id > 4'), 10)).toEqual([2, true]);
  expect(await total(placed('e.id > 4'), 2498)).toEqual([1245, undefined]);
});

const plans: readonly (readonly [string, Plan])[] = [
  ...words.slice(0, -2).map((count) => [`a word of ${count}`, wordPlan(count)] as const),
  ['a range of none', rangePlan(6100, 6900)],
  ['a range of one with two values', rangePlan(17, 19)],
  ['a range of few', rangePlan(20, 61)],
  ['a range of 1249', rangePlan(2, 2498)],
  ['a range of none with one place each', oncePlan(6100, 6900)],
  ['a range of 2500 with one place each', oncePlan(2, 5000)],
];

it.each(plans)('%s is what a thread would answer, whatever the page', async (_, plan) => {
  for (const paged of [
    {},
    { limit: 1 },
    { limit: 20 },
    { limit: 21, offset: 3 },
    { limit: 150, offset: 100 },
    { after: { ascending: false, at: 15 } },
    { limit: 5, after: { ascending: false, at: 10 } },
  ]) {
    for (const counts of [true, false]) {
      const quick = await quickly(plan, paged, counts);
      expect(quick, JSON.stringify([paged, counts])).toEqual(await slowly(plan, paged, counts));
    }
  }
});

it.each<[string, Plan]>([
  ['none', rangePlan(6100, 6900)],
  ['few', rangePlan(17, 61)],
  ['all', rangePlan(0, 20_000)],
  ['all collections', rangePlan(0, 20_000, 'collection')],
  ['all with one place each', oncePlan(0, 20_000)],
  ['collections with one place each', oncePlan(0, 6500, 'collection')],
])('a thread tells a range of %s by its places as it tells it by the entities', async (_, plan) => {
  for (const paged of [
    {},
    { limit: 1 },
    { limit: 150, offset: 100 },
    { offset: 400 },
    { after: { ascending: false, at: 215 } },
    { limit: 5, after: { ascending: false, at: 2 ** 50 + 10 } },
  ]) {
    for (const counts of [true, false]) {
      const expected = await slowly(plan, paged, counts);
      const lent = { ...store.reader('ann'), tally: telling };
      for (const reader of [store.reader('ann'), lent, { ...lent, bounded: undefined }]) {
        const told = await rangePage(reader, plan, { ...plain, ...paged }, counts);
        expect(told, JSON.stringify([paged, counts])).toEqual(expected);
      }
    }
  }
});

it('where an entity goes while a thread tells a range, the engine does', async () => {
  const reads: string[] = [];
  const read: Reader['read'] = (sql, args, max) => {
    reads.push(sql);
    return store.read(sql, args, max);
  };
  const tally: Reader['tally'] = async (...given) => {
    const [[hits, numbers] = []] = await telling(...given);
    return [[hits!, numbers!, 101]];
  };
  const plan = rangePlan(2, 6000);
  const reader = { ...store.reader('ann'), read, tally };
  expect(await rangePage(reader, plan, plain, true)).toEqual(await slowly(plan));
  expect(reads).toHaveLength(1);
  expect(await rangePage({ ...reader, tally: () => [] }, plan, plain, true)).toEqual(await slowly(plan));
});

it('a thread tells so neither words, nor what is sorted, nor both kinds at once', async () => {
  const told = (plan: Plan, paged: Partial<Paged> = {}) =>
    rangePage(store.reader('ann'), plan, { ...plain, ...paged }, true);
  const range = rangePlan(2, 6000);
  expect(await told(wordPlan(20))).toBeUndefined();
  expect(await told({ ...range, single: undefined })).toBeUndefined();
  expect(await told(range, { after: { ascending: true } })).toBeUndefined();
  expect(await told({ ...range, kind: 'both' })).toBeUndefined();
});

it('collections and items are found by themselves', async () => {
  expect((await quickly(wordPlan(20)))!.hits).toBe(20);
  const kinds = ['item', 'collection'] as const;
  const inBoth = kinds.map((kind) => rangePlan(5996, 6004, kind));
  for (const plan of inBoth) expect(await quickly(plan)).toEqual(await slowly(plan));
  expect(await Promise.all(inBoth.map(async (plan) => (await quickly(plan))!.hits))).toEqual([3, 20]);
  // Hits of the next two plans are sorted by their times.
  expect(await quickly(rangePlan(5996, 6004, 'both'))).toBeUndefined();
  expect(await quickly(wordPlan(20, 'collection'))).toBeUndefined();
});

it.each<[string, Plan, Partial<Paged>, boolean]>([
  ['of one kind in a range of the other', rangePlan(6900, 12_000), {}, true],
  ['behind a late cursor in a wide range', rangePlan(2, 6000), { after: { ascending: false, at: 15 } }, false],
])(
  'few %s would be looked for among all: a thread does, and they are not tried again',
  async (_, plan, paged, counts) => {
    const reads: string[] = [];
    const reader = watched(reads);
    const { rows } = await slowly(plan, paged, counts);
    expect(rows.length).toBeLessThan(15);
    for (let time = 0; time < 2; time++) {
      expect(await quickPage(reader, plan, { ...plain, ...paged }, counts)).toBeUndefined();
    }
    expect(reads).toHaveLength(1);
  },
);

it('long searches are left to a thread, and are not kept', async () => {
  const reads: string[] = [];
  const plan = (length: number): Plan => {
    const match = `gw : "${'w'.repeat(length - 'item,gw : ""'.length)}"`;
    return { ...wordPlan(1), match, ...single('item', true, 'search_text WHERE search_text MATCH ?', match) };
  };
  for (const counts of [true, false]) {
    expect(await quickPage(watched(reads), plan(201), plain, counts)).toBeUndefined();
    expect(reads).toEqual([]);
  }
  expect((await quickPage(watched(reads), plan(200), plain, true))!.hits).toBe(0);
});

it.each<[string, boolean]>([
  ['gw : "alle"', true],
  ['gw : "environment"', true],
  ['gw : "2026112203"', true],
  ['gw : "_013s"', true],
  ['gw : "all"', false],
  ['gk : "none"', false],
  ['gk : "all"', true],
  ...['title', 'x_count', 'größe', ''].flatMap((name, at): [string, boolean][] => {
    const field = fieldKey(name);
    const keys = [existsKey(field), exactKey(field, `${name}${at}`), referenceKey(`${at}-4e1b`)];
    const own: readonly [string, string][] = [
      ...keys.map((key) => ['gk', key] as [string, string]),
      ['gp', `${field}sea`],
    ];
    return own.flatMap(([column, token]) => [
      [`${column} : "${token}"`, true],
      [`gw : "${token}"`, false],
    ]);
  }),
  ['gw : "two words"', false],
  ['gw : "beginning" *', false],
])('%s is read alone, where no other column has its token: %s', (match, isAlone) => {
  const found = singleCondition({ kind: 'item', viewer: admin }, { isTimed: false, ranged: new Map() }, match, []);
  expect(found?.values).toEqual(isAlone ? [match] : undefined);
});

it('keys of fields and values begin as those do that no word is taken for', () => {
  for (let at = 0; at < 20_000; at++) {
    const field = fieldKey(`field_${at}`);
    const tokens = [existsKey(field), exactKey(field, `${at}`), referenceKey(`${at}`), `${field}a`];
    expect(tokens.filter((token) => !isKeyLike(token))).toEqual([]);
  }
});

it('what finds more is left to a thread, and is not tried again; a page that nobody counts is read', async () => {
  const reads: string[] = [];
  const reader = watched(reads);
  for (const plan of [wordPlan(2501), wordPlan(3000), rangePlan(2, 2500), oncePlan(2, 5002)]) {
    expect(await quickPage(reader, plan, plain, true)).toBeUndefined();
    const before = reads.length;
    expect(await quickPage(reader, plan, plain, true)).toBeUndefined();
    expect(reads).toHaveLength(before);
  }
  expect(await quickly(wordPlan(3000), {}, false)).toEqual(await slowly(wordPlan(3000), {}, false));
  expect(await quickly(rangePlan(2, 2500), {}, false)).toBeUndefined();
});

it.each<[string, Partial<Paged>]>([
  ['a deep page', { offset: 200 }],
  ['an ascending order', { after: { ascending: true } }],
  ['timespans', { timed: [[1, '0', '1', 0]] }],
])('%s is left to a thread', async (_, paged) => {
  expect(await quickly(wordPlan(20), paged)).toBeUndefined();
});

it('an answer that would lack what has just gone, or that came slowly, is none', async () => {
  const only = (max: number, isWarm: boolean): LimitedReader => {
    const reader = store.reader('ann');
    let reads = 0;
    const read = (sql: string, args: readonly SqlValue[]) =>
      reads++ < max ? reader.bounded!.read(sql, args) : undefined;
    return { ...reader, bounded: { read, isWarm: () => isWarm } };
  };
  const ranged = rangePlan(2, 200);
  for (const [plan, isWarm, reads] of [
    [wordPlan(100), true, 1],
    [wordPlan(100), false, 2],
    [ranged, true, 2],
    [ranged, false, 3],
  ] as const) {
    for (let max = 0; max < reads; max++) {
      expect(await quickPage(only(max, isWarm), plan, plain, true)).toBeUndefined();
    }
    expect(await quickPage(only(reads, isWarm), plan, plain, true)).toEqual(await slowly(plan));
  }
  const gone = single('item', false, 'search_order WHERE field = 8 AND key = ?', 1);
  await store.commit(
    {
      changes: [{ sql: 'INSERT INTO search_order (field, key, tie) VALUES (8, 1, -4000)', args: [] }],
      events: [],
    },
    nobody,
  );
  expect(await quickly({ kind: 'item', match: undefined, where: () => always, ...gone })).toBeUndefined();
});

it('it is asked by nobody but administrators, of whole searches, and while nothing is timed', async () => {
  const reader: Viewer = { ...admin, administrator: false, userId: 'VX-1' };
  const text = { text: [{ value: 'w20' }] };
  const asked = async (viewer: Viewer, document: ItemSearch, options: SearchOptions = {}) => {
    const reads: string[] = [];
    const { hits } = await find(watched(reads), viewer, 'item', document, { first: 1, number: 10 }, options);
    return [hits, reads.length > 0];
  };
  expect(await asked(admin, text)).toEqual([20, true]);
  expect(await asked(reader, text)).toEqual([0, false]);
  expect(await asked(admin, { text: [{ value: 'w20 w21' }] })).toEqual([20, false]);
  expect(await asked(admin, { text: [{ value: 'w2*' }] })).toEqual([2501, false]);
  expect(await asked(admin, { text: [{ value: 'All' }] })).toEqual([0, false]);
  expect(await asked(admin, { text: [{ value: '...' }] })).toEqual([0, false]);
  expect(await asked(admin, { ...text, filter: [{ text: [{ value: 'w1' }] }] })).toEqual([1, false]);
  expect(await asked(admin, text, { collection: 'VX-9' })).toEqual([0, false]);
  expect(await asked(admin, text, { library: 'VX*9' })).toEqual([0, false]);
  expect(await asked(admin, text, { among: { kind: 'item', ids: ['VX-3'] } })).toEqual([1, false]);
  await store.commit(
    { changes: [{ sql: 'UPDATE search_entity SET timed = 1 WHERE id = 300', args: [] }], events: [] },
    nobody,
  );
  expect(await asked(admin, text)).toEqual([20, false]);
});

function watched(reads: string[]): LimitedReader {
  const reader = store.reader('ann');
  const read = (sql: string, args: readonly SqlValue[]) => {
    reads.push(sql);
    return reader.bounded!.read(sql, args) as Row[] | Promise<Row[]>;
  };
  return { ...reader, bounded: { read } };
}
