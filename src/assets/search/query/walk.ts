import type { Reader } from '../../../core/store/statement.ts';
import { fieldNumber } from '../index/keys.ts';
import type { IndexState } from './index-state.ts';
import type { Counting, HitRow, Total } from './page.ts';
import { badSearch } from './refusals.ts';
import { type Plan, pageOf } from './rows-sql.ts';
import { keysetOf, type SortOrder, type SortPosition, textOrNumber } from './sorting.ts';
import { countOf } from './total-sql.ts';
import {
  countedAndWalked,
  countWalked,
  equalTo,
  keyAt,
  type Walk,
  type WalkFrom,
  walked,
  withoutValue,
} from './walk-sql.ts';

/** Maximum hits to sort by values without an ordered index: each costs a look-up. */
export const maxSorted = 200_000;
/** Cost of a look-up, in entities passed in an order. */
const passedForOne = 4;

/** Cost of a walk, in look-ups: it passes the entities between the hits. */
export const walkCost = (entries: number, entities: number, hits: number): number =>
  (entries * entities) / Math.max(hits, 1) / passedForOne;

/** Number of hits up to which looking up each value is cheaper than walking the order. */
const fewHits = (entries: number, entities: number): number =>
  Math.min(Math.ceil(Math.sqrt((entries * entities) / passedForOne)), maxSorted);

interface WalkedPage {
  readonly limit: number;
  readonly offset: number;
  /** Entry after which the page begins. */
  readonly position: SortPosition | undefined;
  /** True: sort keys are needed for the next page. */
  readonly withKeys: boolean;
}

/** Whether the index is ordered by the first sort term. */
export const isOrdered = ({ terms: [first] }: SortOrder, { ordered }: IndexState): boolean =>
  first?.field !== undefined && ordered.has(first.field);

/** Reads a page along the order of a field. Entities without a value come last. */
export async function walkedPage(
  reader: Reader,
  plan: Plan,
  order: SortOrder,
  hits: number,
  { limit, offset, position, withKeys }: WalkedPage,
): Promise<readonly HitRow[]> {
  const { terms } = order;
  const walk: Walk = { plan, terms, field: fieldNumber(terms[0]!.field!), isBroad: hits > maxSorted };
  const isBehindValues = position !== undefined && position.keys[0] === null;
  const rows = isBehindValues ? [] : await valued(reader, walk, order, hits, { limit, offset, position, withKeys });
  if (rows.length === limit) return rows;
  const passed = rows.length > 0 || offset === 0 ? 0 : await countWalked(reader, walk);
  return [
    ...rows,
    ...(await unvalued(reader, walk, order, {
      limit: limit - rows.length,
      offset: Math.max(offset - passed, 0) * Number(rows.length === 0),
      position: isBehindValues ? position : undefined,
      withKeys,
    })),
  ];
}

/**
 * Number of hits and first page in the order of a field, in one read. Undefined rows: few hits, or many without a value.
 */
export async function pageAndHitsInOrder(
  reader: Reader,
  plan: Plan,
  { terms }: SortOrder,
  { limit, offset, counts }: Pick<WalkedPage, 'limit' | 'offset'> & { readonly counts: Exclude<Counting, false> },
  entities: number,
): Promise<{ readonly total: Total; readonly rows: readonly HitRow[] | undefined }> {
  const walk: Walk = { plan, terms, field: fieldNumber(terms[0]!.field!), isBroad: false };
  const few = fewHits(limit + offset, entities);
  const { total, rows } = await countedAndWalked(reader, walk, { limit, offset }, counts, few);
  return { total, rows: rows?.length === limit ? rows : undefined };
}

async function valued(
  reader: Reader,
  walk: Walk,
  order: SortOrder,
  hits: number,
  { limit, offset, position, withKeys }: WalkedPage,
): Promise<readonly HitRow[]> {
  const from = position && fromOf(walk, order, position);
  if (walk.terms.length > 1 && hits > maxSorted) await expectFewEqual(reader, walk, from, limit + offset);
  return walked(reader, walk, from, { limit, offset, withKeys });
}

function fromOf({ terms }: Walk, order: SortOrder, position: SortPosition): WalkFrom {
  const key = textOrNumber(terms[0]!, position.keys[0]!);
  if (terms.length === 1) return { key, number: position.number };
  return { key, behind: keysetOf(order, position).condition! };
}

/** Refuses too many equal values at the end of the page, since all of them are sorted by the other terms. */
async function expectFewEqual(reader: Reader, walk: Walk, from: WalkFrom | undefined, count: number): Promise<void> {
  const start = from && { key: from.key };
  const last = await keyAt(reader, walk, start, count - 1);
  for (const key of [from?.key, last]) {
    if (key === undefined || (await equalTo(reader, walk, key, maxSorted + 1)) <= maxSorted) continue;
    const { field } = walk.terms[0]!;
    throw badSearch('sort', `Expected at most ${maxSorted} entities with one value of "${field}" to sort further`);
  }
}

/** Entities without a value, sorted by the remaining terms. */
async function unvalued(
  reader: Reader,
  walk: Walk,
  { ascending }: SortOrder,
  { limit, offset, position, withKeys }: WalkedPage,
): Promise<readonly HitRow[]> {
  const terms = walk.terms.slice(1);
  const plan = withoutValue(walk);
  if (terms.some(({ cheap }) => !cheap) && (await countOf(reader, plan, maxSorted + 1)) > maxSorted) {
    const { field } = walk.terms[0]!;
    throw badSearch('sort', `Expected at most ${maxSorted} entities without a value of "${field}" to sort further`);
  }
  const rest = position && { ...position, keys: position.keys.slice(1) };
  const after = keysetOf({ terms, ascending }, rest);
  const rows = await pageOf(reader, plan, { sort: terms, after, limit, offset, timed: [] }, withKeys);
  return rows.map((row) => ({ ...row, keys: [null, ...row.keys] }));
}
