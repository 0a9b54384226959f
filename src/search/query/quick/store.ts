import type { Value } from '../../../store/contract.ts';
import type { Reader } from '../../../store/statement.ts';
import type { Keyset } from '../order.ts';
import { type FoundRow, noKeys, type PageAndHits, type Paged, type Plan, rangeIn } from '../rows/store.ts';

/** Entities up to which the serving thread reads what is found: to visit another thread would cost more. */
const mostQuick = 250;
/** What found more a while ago, and is left to threads from then on. */
const broad = new Set<string>();
const mostBroad = 1000;
/** Of so many the ids are read first: where their pages come from a disk, a thread reads them all. */
const firstIds = 20;

/**
 * The page and the number of hits, where one word or one range says alone what is found, and few entities are. Undefined:
 * a thread has to tell.
 */
export async function quickPage(
  reader: Reader,
  plan: Plan,
  { sort, after, timed, limit, offset }: Paged,
  counts: boolean,
): Promise<PageAndHits | undefined> {
  const isPlain = sort.length === 0 && timed.length === 0 && !after?.ascending;
  if (!plan.alone || !reader.bounded || !isPlain || offset + limit > mostQuick) return undefined;
  // Nobody counts, and words come in order: what lies behind the page is not read.
  const isPage = !counts && plan.match !== undefined;
  const key = [plan.found, ...plan.alone.values].join();
  if (!isPage && broad.has(key)) return undefined;
  const most = isPage ? offset + limit : mostQuick + 1;
  const numbers = await numbersOf(reader, plan, counts ? undefined : after, most);
  if (numbers === undefined) return undefined;
  if (numbers.length > mostQuick) {
    if (broad.size >= mostBroad) broad.clear();
    broad.add(key);
    return undefined;
  }
  const at = after?.at ?? Number.MAX_SAFE_INTEGER;
  const page = numbers.filter((number) => number < at).slice(offset, offset + limit);
  const ids = await idsOf(reader, page);
  if (ids === undefined) return undefined;
  return { rows: page.map((number, place) => rowOf(number, ids[place]!)), hits: counts ? numbers.length : undefined };
}

const rowOf = (number: number, id: string): FoundRow => ({
  number,
  id,
  keys: noKeys,
  start: undefined,
  end: undefined,
});

/** The newest first. */
async function numbersOf(reader: Reader, plan: Plan, after: Keyset | undefined, most: number) {
  const { text, values } = plan.alone!;
  const isWord = plan.match !== undefined;
  const number = isWord ? 'search_text.rowid' : 'abs(tie)';
  const range = rangeIn(plan, after, number);
  const what = isWord ? number : `DISTINCT ${number}`;
  const order = isWord ? `ORDER BY ${number} DESC` : '';
  const sql = `SELECT ${what} AS one FROM ${text} AND ${range.text} ${order} LIMIT ?`;
  const found = await listOf<number>(reader, sql, [...values, ...range.values, most]);
  return isWord ? found : found?.toSorted((one, other) => other - one);
}

async function idsOf(reader: Reader, numbers: readonly number[]): Promise<readonly string[] | undefined> {
  const ids: string[] = [];
  for (const part of [numbers.slice(0, firstIds), numbers.slice(firstIds)]) {
    if (part.length === 0) continue;
    const sql =
      'SELECT e.entity_id AS one FROM json_each(?) AS given CROSS JOIN search_entity AS e ON e.id = given.value';
    const found = await listOf<string>(reader, sql, [JSON.stringify(part)]);
    // One may have gone since its number was read.
    if (found?.length !== part.length) return undefined;
    ids.push(...found);
  }
  return ids;
}

/** The column `one` of some rows. */
async function listOf<T>(reader: Reader, rows: string, values: readonly Value[]): Promise<readonly T[] | undefined> {
  const [row] = (await reader.bounded!.read(`SELECT json_group_array(one) FROM (${rows})`, values)) ?? [];
  return row && (JSON.parse(String(row[0])) as T[]);
}
