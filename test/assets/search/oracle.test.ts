import { expect, it } from 'vitest';
import { viewerFor } from '../../../src/assets/access/viewer.ts';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { answerByEngine, preparedFor } from '../../../src/assets/search/engine/answering.ts';
import { NotForEngine } from '../../../src/assets/search/engine/conditions.ts';
import type { EngineSearch } from '../../../src/assets/search/engine/query.ts';
import { find, type HitPage } from '../../../src/assets/search/find.ts';
import { facetsOf } from '../../../src/assets/search/query/facets.ts';
import type { SearchRequest } from '../../../src/assets/search/reading.ts';
import { strategies } from '../../../src/assets/search/strategies.ts';
import type { Reduced, SqlValue } from '../../../src/core/store/contract.ts';
import { reduced } from '../../../src/core/store/local/reduced.ts';
import type { LimitedReader } from '../../../src/core/store/statement.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { approvalRows } from '../../../src/extensions/review/approval-sql.ts';
import { annotationRows } from '../../../src/extensions/review/store.ts';
import type { SearchEngine } from '../../../src/spi/index.ts';
import { field, fieldsOf, keepOrders } from '../../support/assets.ts';
import { pagesByCursor } from '../../support/cursors.ts';
import { isLong } from '../../support/long.ts';
import type { World } from '../../support/matrix.ts';
import { openWorld } from '../../support/matrix.ts';
import { seedOfRun } from '../../support/random.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';
import { addClosedContexts, removeClosedContexts } from './closed-contexts.ts';
import { catchUp, comparedEngine } from './engine/engine-world.ts';
import { type Kind, Model, type ModelItem } from './model.ts';
import { documentOf, names, onceKinds, Random, typesOf } from './random-search.ts';

/** Searches that are compared: `PORTICO_SEARCHES=100000 npx vitest run test/assets/search/oracle.test.ts`. */
const asked = process.env['PORTICO_SEARCHES'];
const comparisons = { timed: Number(asked ?? (isLong ? 500 : 100)), plain: Number(asked ?? (isLong ? 2000 : 250)) };
const changesEvery = 50;
/** Items of which values change then. */
const changes = 3;
/** The words of items stay when those go: at last a wildcard would fit more of them than a search may have. */
const inOneWorld = 10_000;

/** Roles that searches ask for. */
const sees = { shape: true, file: true, annotation: true, approval: true, access: true };
const joins = { annotation: annotationRows, approval: approvalRows };

const users: readonly Credentials[] = [admin, owner, stranger];

async function idOf(world: World, [name]: Credentials): Promise<string> {
  const [row] = await world.service.store.read('SELECT id FROM user WHERE name = ?', [name]);
  return String(row![0]);
}

/** Searches that the engine answered. */
let engineAnswers = 0;

const kindsOfItems = ['timed', 'plain'] as const;

it.each(kindsOfItems)(
  'search: hits, order, pages and facets are those of a plain search over all items: %s',
  {
    timeout: 3_600_000,
  },
  async (kind) => {
    const random = new Random(seedOfRun, kind === 'timed');
    const ways = new Ways();
    for (let left = comparisons[kind]; left > 0; left -= inOneWorld) {
      await compare(random, Math.min(left, inOneWorld), ways);
    }
    expect(engineAnswers).toBeGreaterThan(comparisons[kind] / 4);
    engineAnswers = 0;
    // Short runs may miss a strategy by chance.
    const least = kind === 'plain' && isLong ? comparisons[kind] / 100 : 0;
    expect(Object.entries(ways.taken).filter(([, count]) => count < least)).toEqual([]);
  },
);

/** Statements within a strategy that readers decide between. */
const marks = {
  'range by places: a thread tells entities apart': 'SELECT json_group_array(tie)',
  'range by places: the engine does': 'SELECT DISTINCT abs(tie)',
  'range by places: one place each': 'SELECT (SELECT count(*) FROM (SELECT -tie AS value',
  'bounded count of a range': 'GROUP BY abs(tie)',
} as const;

/** Readers that are asked in different ways, and the strategies and statements that were taken. */
class Ways {
  readonly taken: Record<string, number> = Object.fromEntries(
    [...strategies.map(({ name }) => name), ...Object.keys(marks), 'bounded count'].map((way) => [way, 0]),
  );

  took(strategy: string): void {
    this.taken[strategy]!++;
  }

  /** Reader by turn: without extras, with bounded reads, or with a thread that tells ranges apart. */
  reader(store: Store, turn: number): LimitedReader {
    const given = store.reader('oracle');
    const { read } = given;
    const engine = [
      'range by places: the engine does',
      'range by places: one place each',
      'bounded count of a range',
    ] as const;
    const reader: LimitedReader = {
      ...given,
      bounded: undefined,
      read: (...asked) => this.#seen(asked[0], engine, read(...asked)),
    };
    if (turn === 0) return reader;
    if (turn === 1) return { ...reader, bounded: given.bounded };
    const tally = async (sql: string, args: readonly SqlValue[], how: Reduced) => {
      const way = 'range by places: a thread tells entities apart';
      return reduced(await this.#seen(sql, [way], given.read(sql, args, 'one')), how);
    };
    return { ...reader, tally };
  }

  #seen<T>(sql: string, ways: readonly (keyof typeof marks)[], rows: T): T {
    for (const way of ways) if (sql.replace(/\s+/g, ' ').includes(marks[way])) this.took(way);
    return rows;
  }
}

async function compare(random: Random, comparisons: number, ways: Ways): Promise<void> {
  const engine = await comparedEngine();
  const world = await openWorld('fetch', { searchEngines: [engine] });
  const { store } = world.service;
  for (const sent of givenTo('assets')) await send(world, sent);
  for (const [name, kind] of Object.entries(onceKinds)) await send(world, field(name, typesOf[kind]));
  for (const group of ['Film', 'Book']) {
    await send(world, by(`PUT /API/metadata-field/field-group/${group}`, { field: names.map((name) => ({ name })) }));
  }
  const model = new Model(onceKinds);
  let items: ModelItem[] = [];
  let serial = 0;
  let unordered: string | undefined;
  /** Whether there are so many closed contexts that searches check each hit. */
  let isClosed = false;
  const add = async () => {
    // A user among these may read few items.
    const as = random.isTimed ? random.one(users) : random.one([admin, admin, admin, owner, owner, stranger]);
    const item = random.item(++serial, as[0]);
    await send(world, by('POST /API/import/placeholder', documentOf(item), json, as));
    for (const each of item.annotations) {
      await send(world, by(`POST /API/item/${item.id}/annotation`, each, json, admin));
    }
    items.push(item);
  };
  /** Other values of some fields. */
  const change = async (at: number) => {
    const old = items[at]!;
    const once = random.chance(50) ? { x_once: [random.value('x_count')] } : {};
    const fields = { ...random.some(), ...once };
    const span = { start: '-INF', end: '+INF', field: fieldsOf(fields) };
    await send(world, by(`PUT /API/item/${old.id}/metadata`, { timespan: [span] }));
    items = items.with(at, { ...old, fields: { ...old.fields, ...fields } });
  };
  /** A field has no order from now on, until the next change. */
  const redefine = async () => {
    const name = unordered ?? random.one(['x_tag', 'x_count', 'x_once']);
    const type = typesOf[(onceKinds as Readonly<Record<string, Kind>>)[name]!];
    unordered = unordered === undefined ? name : undefined;
    await send(world, field(name, unordered === undefined ? type : type.replace('-sortable', '')));
    await keepOrders(world);
  };
  for (let index = 0; index < 40; index++) await add();
  await keepOrders(world);
  await catchUp(world);

  for (let index = 0; index < comparisons; index++) {
    if (index % changesEvery === changesEvery - 1) {
      const gone = random.one(items);
      await send(world, by(`DELETE /API/item/${gone.id}`));
      items = items.filter((each) => each !== gone);
      await add();
      for (let turn = 0; turn < changes; turn++) await change(random.below(items.length));
      if (unordered !== undefined || random.chance(8)) await redefine();
      isClosed = !isClosed;
      await (isClosed ? addClosedContexts(store) : removeClosedContexts(store));
      await catchUp(world);
    }
    const as = random.one(random.isTimed ? users : [...users, admin]);
    const viewer = await viewerFor(store, { administrator: as === admin, userId: await idOf(world, as), sees });
    const search = random.search();
    const seen = items.filter((each) => as === admin || each.owner === as[0]);
    const expected = model.search(seen, search);
    const document = search as ItemSearch;
    const number = random.below(random.isTimed ? 50 : 20);
    const first = 1 + random.below(4);
    const reader = random.isTimed ? store.reader('test') : ways.reader(store, index % 3);
    // Half of the searches take a random strategy, where it fits.
    const options = { joins, ...(random.chance(50) && { strategies: [random.one(strategies).name] }) };
    const counts = random.chance(30) ? 1 + random.below(20) : true;
    const result = await find(reader, viewer, 'item', document, { first, number, counts }, options);
    ways.took(result.planned.strategy);
    if (result.mayBeMore) ways.took('bounded count');
    const told = `${as[0]}, ${result.planned.strategy}: ${JSON.stringify(search)}`;
    const page = (from: number) => expected.entries.slice(from, from + number);
    const entriesOf = ({ entries }: HitPage) => entries().map(({ id, start }) => [id, start]);
    if (result.mayBeMore) {
      expect(counts, told).not.toBe(true);
      expect(result.hits, told).toBeLessThanOrEqual(expected.hits);
      const { length } = page(first - 1);
      expect(result.hits, told).toBeGreaterThanOrEqual(length === 0 ? 0 : first - 1 + length);
    } else expect(result.hits, told).toBe(expected.hits);
    expect(entriesOf(result), told).toEqual(page(first - 1));
    // Pages by cursors are small: some end between two timespans of an item.
    const step = search.intervals !== 'timed' && random.chance(25) ? 1 + random.below(8) : undefined;
    if (step !== undefined) {
      const counts = random.chance(50);
      await walk({ ...expected, number: step, counts, told }, async (cursor) => {
        const next = await find(reader, viewer, 'item', document, { first: 1, number: step, cursor, counts }, options);
        return { hits: next.hits, entries: entriesOf(next), next: next.next };
      });
    }
    const facets = await facetsOf(reader, result.search, document, result.resolved);
    const counted = facets.map(({ count = [] }) => count.map((each) => [each.fieldValue, each.value]));
    expect(counted, told).toEqual(expected.facets);
    const wanted = { ...expected, page: page(first - 1), step };
    await compareEngine(engine, { reader, viewer }, document, { first, number }, wanted, told);
  }
}

interface WalkedPage {
  readonly hits: number | undefined;
  readonly entries: readonly unknown[];
  readonly next: string | undefined;
}

/** Pages by cursors are those by number. */
async function walk(
  expected: {
    readonly hits: number;
    readonly entries: readonly unknown[];
    readonly number: number;
    readonly counts: boolean;
    readonly told: string;
  },
  pageAt: (cursor: string) => Promise<WalkedPage>,
): Promise<void> {
  const { hits, entries, number, counts, told } = expected;
  let at = 0;
  await pagesByCursor(async (cursor) => {
    const page = await pageAt(cursor);
    const wanted = [counts ? hits : undefined, entries.slice(at, at + number)];
    expect([page.hits, page.entries], `by cursor, ${told}`).toEqual(wanted);
    at += number;
    return page;
  }, told);
}

/** The same search, as far as an engine answers it. */
async function compareEngine(
  engine: SearchEngine,
  asking: Pick<EngineSearch, 'reader' | 'viewer'>,
  document: ItemSearch,
  page: { readonly first: number; readonly number: number },
  expected: {
    readonly hits: number;
    readonly entries: readonly unknown[];
    readonly page: readonly unknown[];
    readonly facets: unknown;
    readonly step: number | undefined;
  },
  told: string,
): Promise<void> {
  const { administrator, userId } = asking.viewer;
  const asked = { ...asking, engine, isBehind: false, ask: engine.search, words: engine.words };
  try {
    const request = { asking: { administrator, userId }, kind: 'item', document, page, options: { joins } } as const;
    const answerTo = async (each: SearchRequest) =>
      answerByEngine(asked, each, await preparedFor(asking.reader, asking.viewer, each));
    const { hits, ids, entries, extras } = await answerTo(request);
    const shown = ids.map((id, at) => [id, entries?.[at]?.start]);
    expect([hits, shown], `engine, ${told}`).toEqual([expected.hits, expected.page]);
    const counted = extras.facet.map(({ count = [] }) => count.map((each) => [each.fieldValue, each.value]));
    expect(counted, `engine, ${told}`).toEqual(expected.facets);
    const { step: number } = expected;
    if (number !== undefined) {
      await walk({ ...expected, number, counts: true, told: `engine, ${told}` }, async (cursor) => {
        const next = await answerTo({ ...request, page: { first: 1, number, cursor } });
        return { ...next, entries: next.ids.map((id, at) => [id, next.entries?.[at]?.start]) };
      });
    }
    engineAnswers++;
  } catch (error) {
    if (!(error instanceof NotForEngine)) throw error;
  }
}
