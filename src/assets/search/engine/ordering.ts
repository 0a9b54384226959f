import { inByteOrder } from '../../../core/lib/bytes.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { EngineAnswer, EngineHit, EngineKey, EngineQuery } from '../../../spi/index.ts';
import type { SortTerm } from '../query/page.ts';
import { keysAmong } from '../query/rows-sql.ts';
import type { SortOrder } from '../query/sorting.ts';
import { membersBehind } from '../query/store.ts';
import { allOf, NotForEngine } from './conditions.ts';
import { askAble, type EngineSearch, engineSlice, pagesFrom, sortBy } from './query.ts';

/** Hits whose keys the database looks up for one answer, and after which a page of them ends at the latest. */
const [maxHits, maxDepth] = [100_000, 10_000];
/** Hits above which members of a collection are read in their order, instead of sorting all hits. */
const maxSorted = 10_000;
/** Members that one answer reads in their order. */
const maxMembers = 100_000;
/** Keys of one read. */
const batch = 500;

/** Answers a query in an order whose keys the database has. Throws `NotForEngine` where those are too many. */
export async function askInOrder(asked: EngineSearch, order: SortOrder, query: EngineQuery): Promise<EngineAnswer> {
  const { after, offset, limit } = query;
  if (offset + limit > maxDepth)
    throw new NotForEngine(`Expected a page of such an order that ends within the first ${maxDepth} hits`);
  const { after: _, ...beginning } = query;
  const first: EngineQuery = { ...beginning, offset: 0, limit: engineSlice, counts: true };
  const answer = await askAble(asked, first);
  const hits = query.counts ? answer.hits : undefined;
  const place = order.terms.find(({ membersOf }) => membersOf !== undefined);
  if (place?.membersOf !== undefined && answer.hits! > maxSorted)
    return { ...answer, hits, page: await walked(asked, place.membersOf, query) };
  if (answer.hits! > maxHits)
    throw new NotForEngine(`Expected at most ${maxHits} hits for an order by what the database has: ${answer.hits}`);
  const compare = comparison(order);
  let best: readonly EngineHit[] = [];
  for await (const page of pagesFrom(asked, first, answer)) {
    const ranked = (await withKeys(asked, order, page)).filter(({ keys }) => !after || compare(keys, after) > 0);
    best = [...best, ...ranked].sort((one, other) => compare(one.keys, other.keys)).slice(0, offset + limit);
  }
  return { ...answer, hits, page: best.slice(offset) };
}

/** Order of hits by their keys. Those without a value come last in both directions. */
function comparison({ terms, ascending }: SortOrder) {
  const directions = [...terms.map((term) => (sortBy(term) ?? term).descending), !ascending];
  return (one: readonly EngineKey[], other: readonly EngineKey[]): number => {
    for (const [at, descending] of directions.entries()) {
      const order = compared(one[at] ?? null, other[at] ?? null, descending);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compared(one: EngineKey, other: EngineKey, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order =
    typeof one === 'string' || typeof other === 'string'
      ? inByteOrder(String(one), String(other))
      : Number(one > other) - Number(one < other);
  return descending ? -order : order;
}

/** Hits with all keys of an order: those of the engine, and those of the database between. */
async function withKeys(
  { reader }: EngineSearch,
  { terms }: SortOrder,
  hits: readonly EngineHit[],
): Promise<readonly EngineHit[]> {
  const isOwn = (term: SortTerm): boolean => sortBy(term) === undefined;
  const values = terms.filter(isOwn).map(({ value }) => value);
  const whole: EngineHit[] = [];
  for (let at = 0; at < hits.length; at += batch) {
    const part = hits.slice(at, at + batch);
    const rows = await keysAmong(
      reader,
      part.map(({ id }) => id),
      values,
    );
    for (const hit of part) {
      const [own, others] = [(rows.get(hit.id) ?? []).values(), hit.keys.values()];
      const keys = terms.map((term) => (isOwn(term) ? own : others).next().value ?? null);
      whole.push({ ...hit, keys: [...keys, hit.id] });
    }
    await yieldTurn();
  }
  return whole;
}

/** Page of the members of a collection in their order, of which the engine tells the hits. */
async function walked(asked: EngineSearch, collection: string, query: EngineQuery): Promise<readonly EngineHit[]> {
  const { where, limit } = query;
  const page: EngineHit[] = [];
  let [place, number] = (query.after ?? [Number.MIN_SAFE_INTEGER, 0]) as readonly number[];
  let skipped = 0;
  for (let left = maxMembers; page.length < limit; ) {
    if (left <= 0)
      throw new NotForEngine(`Expected a page within the next ${maxMembers} places. A cursor goes further`);
    const members = await membersBehind(asked.reader, {
      collection,
      place: place!,
      number: number!,
      max: engineSlice,
    });
    const last = members.at(-1);
    if (!last) break;
    [place, number] = [last.place, last.number];
    left -= members.length;
    const among: EngineQuery['where'] = { is: 'number', of: 'id', among: members.map((member) => member.number) };
    const { page: hits } = await asked.ask({
      ...{ where: allOf([where, among]), boosts: [], sort: [{ by: 'id', descending: true }], facets: [] },
      ...{ offset: 0, limit: engineSlice, counts: false },
    });
    const hitOf = new Map(hits.map((hit) => [hit.id, hit]));
    for (const member of members) {
      const hit = hitOf.get(member.number);
      if (!hit || page.length === limit || skipped++ < query.offset) continue;
      page.push({ ...hit, keys: [member.place, member.number] });
    }
  }
  return page;
}
