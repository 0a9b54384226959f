import { type Maybe, after as then } from '../../../lib/maybe.ts';
import type { Row, Value } from '../../../store/contract.ts';
import type { Reader } from '../../../store/statement.ts';
import { type IndexedKind, rangeOf } from '../../index/numbers.ts';
import type { Alone } from '../alone.ts';
import { type PageAndHits, plainPage } from '../rows/page.ts';
import { type Paged, type Plan, rangeIn } from '../rows/store.ts';

/** Entities up to which the serving thread reads what is found: to visit another thread would cost more. */
const mostQuick = 250;
/** Places of a range that are looked at. One for each end of the values of an entity, where it may have several. */
const mostPlaces = ({ isOnce }: Alone): number => (isOnce ? 1 : 2) * (mostQuick + 1);
/** What found more a while ago, and is left to threads from then on. */
const broad = new Set<string>();
const mostBroad = 1000;
/** Characters of what is remembered there. Longer searches are left to threads. */
const longestKey = 200;
/** Of so many the ids are read first: where their pages come from a disk, a thread reads them all. */
const firstIds = 20;

/**
 * The page and the number of hits, where one word or one range says alone what is found, and few entities are. Undefined:
 * a thread has to tell.
 */
export function quickPage(reader: Reader, plan: Plan, paged: Paged, counts: boolean): Maybe<PageAndHits | undefined> {
  const { after, limit, offset } = paged;
  if (!plan.alone || !reader.bounded || !isNewestFirst(plan, paged) || offset + limit > mostQuick) return undefined;
  const key = [plan.found, ...plan.alone.values].join();
  if (key.length > longestKey) return undefined;
  // Nobody counts, and words come in order: what lies behind the page is not read.
  const isPage = !counts && plan.match !== undefined;
  if (!isPage && broad.has(key)) return undefined;
  const asked = { limit, offset, at: after?.at ?? Number.MAX_SAFE_INTEGER };
  const few = plan.match === undefined ? inRange(reader, plan, asked) : withWord(reader, plan, asked, isPage);
  return then(few, (found) => {
    if (found === 'many') {
      if (broad.size >= mostBroad) broad.clear();
      broad.add(key);
    }
    return found === undefined || found === 'many'
      ? undefined
      : plainPage(plan.found as IndexedKind, found.ids, counts ? found.hits : undefined);
  });
}

/** A search of both kinds is sorted by something. */
const isNewestFirst = ({ found }: Plan, { sort, timed, after }: Paged): boolean =>
  sort.length === 0 && timed.length === 0 && !after?.ascending && found !== 'both';

/**
 * The same by a thread, for one range of any number of entities. Where they have several places they are told apart once:
 * as a condition on entities, the range is read for the page and again for the number of hits.
 */
export async function rangePage(
  reader: Reader,
  plan: Plan,
  paged: Paged,
  counts: boolean,
): Promise<PageAndHits | undefined> {
  if (!plan.alone || plan.match !== undefined || !isNewestFirst(plan, paged)) return undefined;
  const kind = plan.found as IndexedKind;
  const [from, below] = rangeOf(kind);
  const { text, values, isOnce } = plan.alone;
  const page = [paged.after?.at ?? Number.MAX_SAFE_INTEGER, paged.limit, paged.offset];
  const one = `SELECT -tie AS value FROM ${text} AND tie <= -${from} AND tie > -${below}`;
  const [sql, args] = isOnce
    ? [
        `SELECT (SELECT count(*) FROM (${one})),
          (${idsOf(`(${one} AND tie > -? ORDER BY tie LIMIT ? OFFSET ?) AS given`)})`,
        [...values, ...values, ...page],
      ]
    : [
        `WITH found (value) AS MATERIALIZED (
          SELECT DISTINCT abs(tie) FROM ${text} AND abs(tie) >= ${from} AND abs(tie) < ${below})
        SELECT count(*), (${idsOf('(SELECT value FROM found WHERE value < ? ORDER BY value DESC LIMIT ? OFFSET ?) AS given')})
          FROM found`,
        [...values, ...page],
      ];
  const [row] = await reader.read(sql, args, 'one');
  return plainPage(kind, JSON.parse(String(row![1])) as string[], counts ? Number(row![0]) : undefined);
}

interface Asked {
  readonly limit: number;
  readonly offset: number;
  /** Numbers are lower. */
  readonly at: number;
}

interface Few {
  readonly hits: number;
  readonly ids: readonly string[];
}

/** Undefined: a read took too long, or something is gone. */
type Found = Maybe<Few | 'many' | undefined>;

const idsOf = (numbers: string): string =>
  `SELECT json_group_array(id) FROM (SELECT e.entity_id AS id FROM ${numbers}
    CROSS JOIN search_entity AS e ON e.id = given.value)`;

/** The newest first, and the ids of a page of them. The text index begins where the kind and the cursor say. */
function withWord(reader: Reader, plan: Plan, { limit, offset, at }: Asked, isPage: boolean): Found {
  const { text, values } = plan.alone!;
  const range = rangeIn(plan, isPage ? { at, ascending: false } : undefined);
  const sql = `WITH found (value) AS MATERIALIZED (
      SELECT search_text.rowid FROM ${text} AND ${range.text} ORDER BY search_text.rowid DESC LIMIT ?)
    SELECT count(*), sum(value < ?), CASE WHEN count(*) <= ${mostQuick} THEN (
      ${idsOf('(SELECT value FROM found WHERE value < ? LIMIT ? OFFSET ?) AS given')}) END FROM found`;
  const most = isPage ? offset + limit : mostQuick + 1;
  const read = (part: number, skipped: number): Found => {
    const args = [...values, ...range.values, most, at, at, part, skipped];
    return then(oneOf(reader, sql, args), (row) => {
      if (row === undefined) return undefined;
      const hits = Number(row[0]);
      if (hits > mostQuick) return 'many';
      const ids = JSON.parse(String(row[2])) as readonly string[];
      return ids.length === lengthOf(Number(row[1]), part, skipped) ? { hits, ids } : undefined;
    });
  };
  return inTwo(reader, limit, offset, read);
}

/** Of so many entities, those of a page. */
const lengthOf = (all: number, limit: number, offset: number): number => Math.max(Math.min(all - offset, limit), 0);

/** Pages of a disk that were in memory of late mostly are now, too. */
function inTwo(reader: Reader, limit: number, offset: number, read: (limit: number, offset: number) => Found): Found {
  const first = reader.bounded!.isWarm?.() === false ? Math.min(firstIds, limit) : limit;
  return then(read(first, offset), (begun) => {
    if (first === limit || begun === undefined || begun === 'many' || begun.ids.length < first) return begun;
    return then(read(limit - first, offset + first), (rest) =>
      rest === undefined || rest === 'many' || rest.hits !== begun.hits
        ? undefined
        : { hits: begun.hits, ids: [...begun.ids, ...rest.ids] },
    );
  });
}

/** The newest first. Places are in order of values, so those of the other kind are looked at, and count for the limit. */
function inRange(reader: Reader, plan: Plan, { limit, offset, at }: Asked): Found {
  return then(numbersIn(reader, plan), (numbers) => {
    if (numbers === undefined) return undefined;
    if (numbers.length > mostQuick) return 'many';
    const behind = numbers.filter((number) => number < at);
    return inTwo(reader, limit, offset, (part, skipped) => {
      const page = behind.slice(skipped, skipped + part);
      if (page.length === 0) return { hits: numbers.length, ids: [] };
      return then(oneOf(reader, idsOf('json_each(?) AS given'), [JSON.stringify(page)]), (row) => {
        const ids = row && (JSON.parse(String(row[0])) as readonly string[]);
        // One may have gone since its number was read.
        return ids?.length === page.length ? { hits: numbers.length, ids } : undefined;
      });
    });
  });
}

function numbersIn(reader: Reader, plan: Plan): Maybe<readonly number[] | undefined> {
  const { text, values } = plan.alone!;
  const most = mostPlaces(plan.alone!);
  const sql = `SELECT json_group_array(one) FROM (SELECT abs(tie) AS one FROM ${text} LIMIT ?)`;
  return then(oneOf(reader, sql, [...values, most]), (row) => {
    const places = row && (JSON.parse(String(row[0])) as number[]);
    // As many as the limit may be less than all there are.
    if (places === undefined || places.length === most) return places;
    const [from, below] = rangeOf(plan.found as IndexedKind);
    const numbers: number[] = [];
    const ordered = Float64Array.from(places).sort();
    for (let at = ordered.length - 1; at >= 0; at--) {
      const number = ordered[at]!;
      if (number >= from && number < below && number !== numbers.at(-1)) numbers.push(number);
    }
    return numbers;
  });
}

const oneOf = (reader: Reader, sql: string, values: readonly Value[]): Maybe<Row | undefined> =>
  then(reader.bounded!.read(sql, values), (rows) => rows?.[0]);
