import type { Reader } from '../../../core/store/statement.ts';
import type { Condition } from '../../access/public-reading.ts';
import { fragment } from './conditions.ts';
import { type Counting, type HitRow, noKeys, type PageAndHits, plainPage, type Total } from './page.ts';
import { type Paged, type Plan, pageText, type ReadableList, rangeIn } from './rows-sql.ts';
import { totalFrom, totalText, type WrittenTotal } from './total-sql.ts';

interface Counts {
  readonly counts: Counting;
  /** True: an incomplete page tells the total by its offset. */
  readonly isTold?: boolean;
  /** Items to choose from instead, if they are few. */
  readonly list?: ReadableList | undefined;
}

/**
 * Reads a page in a cheap order and the total in one snapshot and one call. Columns are JSON arrays: one row costs less
 * than a hundred. Cheap terms are integers, which JSON keeps exactly.
 */
export async function pageAndHits(reader: Reader, plan: Plan, paged: Paged, asked: Counts): Promise<PageAndHits> {
  const { list, counts } = asked;
  const { sort, limit, offset, timed } = paged;
  const isPlain = sort.length === 0 && timed.length === 0 && plan.kind !== 'both';
  const more = [...sort.map((_, at) => `k${at}`), ...(timed.length > 0 ? ['start', 'until', 'place'] : [])];
  const columns = isPlain ? ['id'] : ['number', 'id', ...more];
  const each = toldText(plan, paged, asked, columns);
  const listed = (by: ReadableList): Condition =>
    counts === true ? wholeText(plan, by, paged) : toldText({ ...plan, where: () => by.where }, paged, asked, columns);
  const { text, values } = list ? chosenText(plan, list, counts, listed(list), each) : each;
  const [row] = await reader.read(text, values, 'one');
  const [counted, ...lists] = JSON.parse(String(row![0])) as readonly [WrittenTotal | null, ...Column[]];
  const hitsOf = (length: number): Partial<Total> => {
    if (!counts) return {};
    if (counted === null) return { hits: offset + length };
    return reached(totalFrom(counted, timed.length), offset, length);
  };
  if (isPlain) {
    const ids = (lists[0] as readonly string[]).slice(0, limit);
    const kind = plan.kind === 'collection' ? 'collection' : 'item';
    return plainPage(kind, ids, hitsOf(ids.length));
  }
  const rows = rowsIn(lists, sort.length).slice(0, limit);
  return { rows: () => rows, ...hitsOf(rows.length) };
}

/** A total that is no lower than what a page of that length shows. */
export const reached = (total: Total, offset: number, length: number): Total =>
  total.mayBeMore && length > 0 ? { ...total, hits: Math.max(total.hits, offset + length) } : total;

/** SQL for the total, unless the page tells it, and for each column of the page. */
function toldText(plan: Plan, paged: Paged, { counts, isTold = false }: Counts, columns: readonly string[]): Condition {
  const { limit, offset } = paged;
  const page = pageText(plan, { ...paged, limit: isTold ? limit + 1 : limit });
  const all = counts ? totalText(plan, counts) : fragment('NULL');
  const last = [offset === 0 ? 0 : 1, isTold ? limit : -1];
  return {
    text: `SELECT json_array(CASE WHEN count(*) BETWEEN ? AND ? THEN NULL ELSE json((${all.text})) END,
      ${columns.map((column) => `json_group_array(${column})`).join(', ')}) FROM (${page.text})`,
    values: [...last, ...all.values, ...page.values],
  };
}

/** Look-ups of hits that cost as much as one row in the list of readable items. */
const hitsForOne = 2;
/** Maximum hits in words to count for the choice, where a total needs no whole count. */
const maxCompared = 20_000;

/**
 * Chooses between checking each hit and the list of readable items, by their numbers. Counting words without rights costs
 * a tenth of the search, and counters have the number of items.
 */
function chosenText(
  plan: Plan,
  { areAtMost }: ReadableList,
  counts: Counting,
  listed: Condition,
  each: Condition,
): Condition {
  const { text, values } = wordsText(plan);
  const max = counts === true ? -1 : maxCompared;
  const few = areAtMost('hits');
  return {
    text: `WITH counted (hits) AS MATERIALIZED (SELECT count(*) / ${hitsForOne} FROM (
        SELECT 1 FROM search_text WHERE ${text} LIMIT ${max})),
      chosen (few) AS MATERIALIZED (SELECT ${few.text} FROM counted)
    SELECT CASE WHEN few THEN (${listed.text}) ELSE (${each.text}) END FROM chosen`,
    values: [...values, ...few.values, ...listed.values, ...each.values],
  };
}

/** Whole total and ids of a page, by one pass through the hits. */
function wholeText(plan: Plan, { where }: ReadableList, { after, limit, offset }: Paged): Condition {
  const { text, values } = wordsText(plan);
  return {
    text: `WITH found (number) AS MATERIALIZED (SELECT search_text.rowid FROM search_text
        CROSS JOIN search_entity AS e ON e.id = search_text.rowid WHERE ${text} AND ${where.text})
      SELECT json_array(json_array((SELECT count(*) FROM found), 0), json((
        SELECT json_group_array(id) FROM (SELECT e.entity_id AS id FROM (
            SELECT number FROM found WHERE number < ? ORDER BY number DESC LIMIT ? OFFSET ?) AS given
          CROSS JOIN search_entity AS e ON e.id = given.number))))`,
    values: [...values, ...where.values, after?.at ?? Number.MAX_SAFE_INTEGER, limit, offset],
  };
}

function wordsText(plan: Plan): Condition {
  const kind = rangeIn(plan, undefined);
  return { text: `search_text MATCH ? AND ${kind.text}`, values: [plan.match!, ...kind.values] };
}

type Column = readonly (string | number | null)[];

function rowsIn(columns: readonly Column[], keys: number): readonly HitRow[] {
  const [numbers, ids, ...more] = columns as [readonly number[], readonly string[], ...Column[]];
  const [starts, ends, places] = more.slice(keys);
  const text = (value: string | number | null): string | null => (value === null ? null : String(value));
  return numbers.map((number, at) => ({
    number,
    id: ids[at]!,
    keys: keys === 0 ? noKeys : more.slice(0, keys).map((list) => text(list[at]!)),
    start: (starts?.[at] ?? undefined) as string | undefined,
    end: (ends?.[at] ?? undefined) as string | undefined,
    place: starts?.[at] == null ? undefined : Number(places![at]),
  }));
}
