import { type Maybe, after as then } from '../../../core/lib/maybe.ts';
import type { Row, SqlValue } from '../../../core/store/contract.ts';
import { distinctNumbers } from '../../../core/store/local/reduced.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Condition } from '../../access/public-reading.ts';
import { type IndexedKind, numberOf, rangeOf } from '../index/keys.ts';
import { type Paged, type Plan, rangeIn } from './rows-sql.ts';

/** Maximum offset plus size of a page read at once: for a small page, a visit to a thread costs more. */
export const maxQuick = 250;
/** Maximum hits of a word to count at once, and places of a range to read. */
export const maxLooked = 2500;
/** Limit for several values: each end has a place, and so have values between. */
const maxRanged = maxLooked / 2 - 1;
/** Maximum places to deduplicate in memory, in a worker thread. */
const maxTold = 200_000;
/** Size of the first read of ids: if its pages come from disk, a worker thread reads them all. */
const firstIds = 20;

/** Page of a small result, read on the thread of the search. `isPage`: the total is not needed. */
export type AtOnce = (reader: Reader, plan: Plan, paged: Paged, isPage: boolean) => QuickResult;

const boundsOf = ({ limit, offset, after }: Paged): PageBounds => ({
  limit,
  offset,
  at: after?.at ?? Number.MAX_SAFE_INTEGER,
});

/**
 * Page and number of hits of one range, in a worker thread. Several places per entity are deduplicated once: as a
 * condition on entities, the range would be read twice.
 */
export async function rangeByPlaces(reader: Reader, plan: Plan, paged: Paged): Promise<Few> {
  const apart = plan.single!.isOnce ? undefined : await toldApart(reader, plan, paged);
  return apart ?? toldByEngine(reader, plan, paged);
}

/** Undefined: not supported by the thread, or too many places. */
async function toldApart(reader: Reader, plan: Plan, { after, limit, offset }: Paged): Promise<Few | undefined> {
  const { text: places, values } = plan.single!;
  const [from, below] = rangeOf(plan.kind as IndexedKind);
  const before = after?.at ?? Number.MAX_SAFE_INTEGER;
  const [tallyRow] =
    (await reader.tally?.(
      `SELECT json_group_array(tie) FROM (SELECT tie FROM ${places} LIMIT ?)`,
      [...values, maxTold + 1],
      { from, below, before, limit, offset, atMost: maxTold },
    )) ?? [];
  if (tallyRow === undefined) return undefined;
  const numbers = String(tallyRow[1]);
  const sql = idsOf('json_each(?) AS given');
  const row = limit > maxQuick ? undefined : await oneOf(reader, sql, [numbers]);
  const [text] = row ?? (await reader.read(sql, [numbers], 'one'))[0]!;
  const ids = JSON.parse(String(text)) as string[];
  // Entities may have been deleted since their numbers were read.
  return ids.length === Number(tallyRow[2]) ? { hits: Number(tallyRow[0]), ids } : undefined;
}

async function toldByEngine(reader: Reader, plan: Plan, { after, limit, offset }: Paged): Promise<Few> {
  const [from, below] = rangeOf(plan.kind as IndexedKind);
  const { text, values, isOnce } = plan.single!;
  const page = [after?.at ?? Number.MAX_SAFE_INTEGER, limit, offset];
  const once = onceIn(plan);
  const [sql, args] = isOnce
    ? [`SELECT (SELECT count(*) FROM (${once.text})), (${pageOfOnce(once)})`, [...once.values, ...once.values, ...page]]
    : [
        `WITH found (value) AS MATERIALIZED (
          SELECT DISTINCT abs(tie) FROM ${text} AND abs(tie) >= ${from} AND abs(tie) < ${below})
        SELECT count(*), (${idsOf('(SELECT value FROM found WHERE value < ? ORDER BY value DESC LIMIT ? OFFSET ?) AS given')})
          FROM found`,
        [...values, ...page],
      ];
  const [row] = await reader.read(sql, args, 'one');
  return { hits: Number(row![0]), ids: JSON.parse(String(row![1])) as string[] };
}

/** Numbers in a range with one place per entity. */
function onceIn({ single, kind }: Plan): Condition {
  const [from, below] = rangeOf(kind as IndexedKind);
  const { text, values } = single!;
  return { text: `SELECT -tie AS value FROM ${text} AND tie <= -${from} AND tie > -${below}`, values };
}

const pageOfOnce = ({ text }: Condition): string =>
  idsOf(`(${text} AND tie > -? ORDER BY tie LIMIT ? OFFSET ?) AS given`);

interface PageBounds {
  readonly limit: number;
  readonly offset: number;
  /** Upper bound of numbers, exclusive. */
  readonly at: number;
}

interface Few {
  readonly hits: number;
  readonly ids: readonly string[];
}

/** Undefined: a read took too long, or an entity was deleted. */
type QuickResult = Maybe<Few | 'many' | undefined>;

const idsOf = (numbers: string): string =>
  `SELECT json_group_array(id) FROM (SELECT e.entity_id AS id FROM ${numbers}
    CROSS JOIN search_entity AS e ON e.id = given.value)`;

/** Number of hits and ids of a page for one word. The text index starts at the bound of kind and cursor. */
export function wordAtOnce(reader: Reader, plan: Plan, paged: Paged, isPage: boolean): QuickResult {
  const { text, values } = plan.single!;
  return inStatements(reader, plan, boundsOf(paged), ({ limit, offset, at }) => {
    const behind = rangeIn(plan, { at, ascending: false });
    const all = rangeIn(plan, undefined);
    const counted = `SELECT count(*) FROM (SELECT 1 FROM ${text} AND ${all.text} LIMIT ${maxLooked + 1})`;
    const isFirst = at === Number.MAX_SAFE_INTEGER;
    const hits = isPage
      ? '0'
      : `CASE WHEN ${isFirst ? `count(*) <= ${maxQuick}` : 'FALSE'} THEN count(*) ELSE (${counted}) END`;
    const max = isPage ? offset + limit : maxQuick + 1;
    return {
      text: `WITH found (value) AS MATERIALIZED (
          SELECT search_text.rowid FROM ${text} AND ${behind.text} ORDER BY search_text.rowid DESC LIMIT ?)
        SELECT ${hits}, (${idsOf('(SELECT value FROM found LIMIT ? OFFSET ?) AS given')}) FROM found`,
      values: [...values, ...behind.values, max, ...(isPage ? [] : [...values, ...all.values]), limit, offset],
    };
  });
}

/**
 * Number of hits and ids of a page for a range with one place per entity. Places of the other kind count for the limit.
 */
const onceInRange = (reader: Reader, plan: Plan, bounds: PageBounds): QuickResult =>
  inStatements(reader, plan, bounds, ({ limit, offset, at }) => {
    const { text, values } = plan.single!;
    const [from, below] = rangeOf(plan.kind as IndexedKind);
    const once = onceIn(plan);
    return {
      text: `SELECT CASE WHEN looked <= ${maxLooked} THEN hits ELSE looked END,
          CASE WHEN looked <= ${maxLooked} THEN (${pageOfOnce(once)}) ELSE '[]' END
        FROM (SELECT count(*) AS looked, total(tie <= -${from} AND tie > -${below}) AS hits
          FROM (SELECT tie FROM ${text} LIMIT ${maxLooked + 1}))`,
      values: [...once.values, at, limit, offset, ...values],
    };
  });

/** Runs a statement that returns the number of hits and the ids of a page. */
function inStatements(
  reader: Reader,
  plan: Plan,
  { limit, offset, at }: PageBounds,
  statement: (bounds: PageBounds) => Condition,
): QuickResult {
  return inTwo(reader, limit, (part, begun) => {
    // Continues after the last known id, so that deletions cause no shift.
    const last = begun?.at(-1);
    const behind = last === undefined ? { offset, at } : { offset: 0, at: numberOf(plan.kind as IndexedKind, last) };
    const { text, values } = statement({ limit: part, ...behind });
    return then(oneOf(reader, text, values), (row) => {
      if (row === undefined) return undefined;
      const [hits, ids] = row;
      if (Number(hits) > maxLooked) return 'many';
      return { hits: Number(hits), ids: JSON.parse(String(ids)) as readonly string[] };
    });
  });
}

/** Splits a read in two if the first pages may come from disk. */
function inTwo(
  reader: Reader,
  limit: number,
  read: (limit: number, begun?: readonly string[]) => QuickResult,
): QuickResult {
  const first = reader.bounded!.isWarm?.() === false ? Math.min(firstIds, limit) : limit;
  return then(read(first), (begun) => {
    if (first === limit || begun === undefined || begun === 'many' || begun.ids.length < first) return begun;
    return then(read(limit - first, begun.ids), (rest) =>
      rest === undefined || rest === 'many' || rest.hits !== begun.hits
        ? undefined
        : { hits: begun.hits, ids: [...begun.ids, ...rest.ids] },
    );
  });
}

/**
 * Newest entities in a range. Places are sorted by value, so those of the other kind are read as well, and count for
 * the limit.
 */
export function rangeAtOnce(reader: Reader, plan: Plan, paged: Paged): QuickResult {
  const bounds = boundsOf(paged);
  if (plan.single!.isOnce) return onceInRange(reader, plan, bounds);
  const { limit, offset, at } = bounds;
  return then(numbersIn(reader, plan), (numbers) => {
    if (numbers === undefined) return undefined;
    if (numbers.length > maxRanged) return 'many';
    const behind = numbers.filter((number) => number < at).slice(offset);
    return inTwo(reader, limit, (part, { length: skipped } = []) => {
      const page = behind.slice(skipped, skipped + part);
      if (page.length === 0) return { hits: numbers.length, ids: [] };
      return then(oneOf(reader, idsOf('json_each(?) AS given'), [JSON.stringify(page)]), (row) => {
        const ids = row && (JSON.parse(String(row[0])) as readonly string[]);
        // Entities may have been deleted since their numbers were read.
        return ids?.length === page.length ? { hits: numbers.length, ids } : undefined;
      });
    });
  });
}

function numbersIn(reader: Reader, plan: Plan): Maybe<readonly number[] | undefined> {
  const { text, values } = plan.single!;
  const sql = `SELECT json_group_array(tie) FROM (SELECT tie FROM ${text} LIMIT ?)`;
  return then(oneOf(reader, sql, [...values, maxLooked]), (row) => {
    const places = row && (JSON.parse(String(row[0])) as number[]);
    // At the limit, there may be more.
    if (places === undefined || places.length === maxLooked) return places;
    const [from, below] = rangeOf(plan.kind as IndexedKind);
    return distinctNumbers(places, from, below);
  });
}

const oneOf = (reader: Reader, sql: string, values: readonly SqlValue[]): Maybe<Row | undefined> =>
  then(reader.bounded?.read(sql, values), (rows) => rows?.[0]);
