import type { Value } from '../../../store/contract.ts';
import type { Reader } from '../../../store/statement.ts';
import { type IndexedKind, rangeOf } from '../../index/numbers.ts';
import type { Keyset } from '../order.ts';
import { type PageAndHits, plainPage } from '../rows/page.ts';
import { type Paged, type Plan, rangeIn } from '../rows/store.ts';

/** Entities up to which the serving thread reads what is found: to visit another thread would cost more. */
const mostQuick = 250;
/** Places of a range that are looked at: an entity has one for each end of its values, and for what lies between. */
const mostPlaces = 2 * (mostQuick + 1);
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
export async function quickPage(
  reader: Reader,
  plan: Plan,
  { sort, after, timed, limit, offset }: Paged,
  counts: boolean,
): Promise<PageAndHits | undefined> {
  const isPlain = sort.length === 0 && timed.length === 0 && !after?.ascending;
  if (!plan.alone || !reader.bounded || !isPlain || offset + limit > mostQuick) return undefined;
  const key = [plan.found, ...plan.alone.values].join();
  if (key.length > longestKey) return undefined;
  // Nobody counts, and words come in order: what lies behind the page is not read.
  const isPage = !counts && plan.match !== undefined;
  if (!isPage && broad.has(key)) return undefined;
  const most = isPage ? offset + limit : mostQuick + 1;
  const numbers =
    plan.match === undefined
      ? await inRange(reader, plan)
      : await withWord(reader, plan, counts ? undefined : after, most);
  if (numbers === undefined) return undefined;
  if (numbers.length > mostQuick) {
    if (broad.size >= mostBroad) broad.clear();
    broad.add(key);
    return undefined;
  }
  const at = after?.at;
  const behind = at === undefined ? numbers : numbers.filter((number) => number < at);
  const page = behind.slice(offset, offset + limit);
  const ids = await idsOf(reader, page);
  return ids && plainPage(page, ids, counts ? numbers.length : undefined);
}

/** The newest first. The text index begins where the kind and the cursor say. */
function withWord(reader: Reader, plan: Plan, after: Keyset | undefined, most: number) {
  const { text, values } = plan.alone!;
  const range = rangeIn(plan, after);
  const sql = `SELECT search_text.rowid AS one FROM ${text} AND ${range.text} ORDER BY search_text.rowid DESC LIMIT ?`;
  return listOf<number>(reader, sql, [...values, ...range.values, most]);
}

/** The newest first. Places are in order of values, so those of the other kind are looked at, and count for the limit. */
async function inRange(reader: Reader, plan: Plan): Promise<readonly number[] | undefined> {
  const { text, values } = plan.alone!;
  const places = await listOf<number>(reader, `SELECT abs(tie) AS one FROM ${text} LIMIT ?`, [...values, mostPlaces]);
  // As many as the limit may be less than all there are.
  if (places === undefined || places.length === mostPlaces) return places;
  const [from, below] = rangeOf(plan.found as IndexedKind | 'both');
  const numbers = places.filter((number) => number >= from && number < below);
  return [...new Set(numbers)].sort((one, other) => other - one);
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
