import { afterAllIn, inByteOrder, readBase64 } from '../../core/lib/bytes.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { textOfBytes } from '../../core/lib/random.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Call } from '../../http/call.ts';
import type { Reply } from '../../http/reply.ts';
import { attributesAlong, attributesOf, lastModified, type ResourceKind, stepsOf } from './attributes.ts';
import { type Filter, readFilter, type Times, timesIn } from './filter.ts';
import type { JsonObject } from './json.ts';
import { answerList, type ListQuery, pageFrom } from './message-routes.ts';
import type { Pages } from './store.ts';

/** Orders that an index has. */
interface Order {
  readonly by: 'name' | 'modified';
  readonly direction: 'ascending' | 'descending';
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly modifiedAt: number;
}

export interface Listing {
  readonly kind: ResourceKind;
  readonly pages: Pages;
  total(reader: Reader): Promise<number>;
  /** Resources by their ids, in any order. */
  resources(call: Call, ids: readonly string[]): Promise<readonly JsonObject[]>;
  /** The few resources that an index finds for a filter, and that fit. */
  fitting(call: Call, filter: Filter): Promise<readonly JsonObject[]>;
}

/** A list of resources: what an index finds for a filter, or a page of all, or of those that changed in some time. */
export async function answerListing(call: Call<ListQuery>, listing: Listing): Promise<Reply> {
  const { query } = call;
  const { kind } = listing;
  const filter = query.filter === undefined ? undefined : readFilter(query.filter, kind);
  const times = filter && timesIn(filter);
  const order = orderOf(query, kind, times !== undefined);
  if (!filter || times) return answerPage(call, listing, order, times);
  const page = pageFrom(query);
  const rows = [...(await listing.fitting(call, filter))].sort(comparing(order, kind));
  const shown = rows.slice(page.offset, page.offset + page.limit);
  return answerList(call, { offset: page.offset, total: rows.length }, shown);
}

async function answerPage(call: Call<ListQuery>, listing: Listing, order: Order, times: Times | undefined) {
  const { query, reader } = call;
  const { pages } = listing;
  const { offset, limit } = pageFrom(query);
  const range = times ? betweenTimes(times) : everything[order.by];
  const cursor = cursorOf(call);
  if (cursor !== undefined && query.startIndex !== undefined)
    throw badCursor('no startIndex beside a cursor', query.startIndex);
  const total = times ? ((await pages.modifiedBetween(reader, range))?.total ?? 0) : await listing.total(reader);
  const from = cursor ? behind(range, order, cursor) : range;
  const wanted = limit === 0 || offset >= total ? 0 : limit;
  // An additional row tells whether a page follows.
  const rows =
    wanted === 0 ? [] : await pages[order.by][order.direction](reader, { ...from, offset, limit: wanted + 1 });
  const ids = rows.slice(0, wanted).map((row) => row.id);
  const resources = await listing.resources(call, ids);
  const byId = new Map(resources.map((resource) => [resource['id'], resource]));
  const last = rows.length > wanted ? rows[wanted - 1] : undefined;
  const next = cursor !== undefined && last ? { next: cursorAt(order, last) } : {};
  const position = cursor === undefined ? { offset } : {};
  return answerList(
    call,
    { total, ...position, ...next },
    ids.map((id) => byId.get(id)).filter((resource) => resource !== undefined),
  );
}

type Range = {
  readonly low: string | number;
  readonly lowId: string;
  readonly high: string | number;
  readonly highId: string;
};

const betweenTimes = ({ from, until }: Times): Range => ({ low: from, lowId: '', high: until, highId: afterAllIn() });

const everything: Readonly<Record<Order['by'], Range>> = {
  name: { low: '', lowId: '', high: afterAllIn(), highId: '' },
  modified: betweenTimes({ from: 0, until: Number.MAX_SAFE_INTEGER }),
};

/** Attribute that names resources of a kind. */
const nameOf = (kind: ResourceKind): string => attributesOf(kind).find(({ required }) => required)!.name;

/** Lists are in the order of their names, or of their last changes. Another order would sort all of them. */
function orderOf({ sortBy, sortOrder: direction }: ListQuery, kind: ResourceKind, isOfTimes: boolean): Order {
  const along = sortBy === undefined ? undefined : (attributesAlong(kind, stepsOf(sortBy, kind)) ?? []);
  if (along?.at(-1)?.name === lastModified || (isOfTimes && !along)) return { by: 'modified', direction };
  if (!isOfTimes && (!along || along[0]?.required)) return { by: 'name', direction };
  throw new ServiceError('bad-parameter', {
    context: 'parameter',
    id: 'sortBy',
    explanation: isOfTimes
      ? `Expected meta.${lastModified}, as in the filter`
      : `Expected ${nameOf(kind)} or meta.${lastModified}`,
    value: sortBy!.slice(0, 80),
  });
}

function comparing({ by, direction }: Order, kind: ResourceKind) {
  const sign = direction === 'ascending' ? 1 : -1;
  const name = nameOf(kind);
  const keyOf = (resource: JsonObject) =>
    String(by === 'name' ? resource[name] : (resource['meta'] as JsonObject)[lastModified]);
  return (one: JsonObject, other: JsonObject) => sign * inByteOrder(keyOf(one), keyOf(other));
}

/** Where the next page begins (RFC 9865). Null: at the first one. */
interface Cursor extends Order {
  readonly key: string | number;
  readonly id: string;
}

function cursorAt({ by, direction }: Order, { id, name, modifiedAt }: Listed): string {
  const parts = [by, direction, by === 'name' ? name : modifiedAt, id];
  return textOfBytes(new TextEncoder().encode(JSON.stringify(parts)));
}

/** Undefined: the list has positions. */
function cursorOf({ parameters }: Call): Cursor | null | undefined {
  const text = parameters.get('cursor');
  if (text === undefined) return undefined;
  if (text === '') return null;
  const cursor = partsIn(text);
  if (!cursor) throw badCursor('the cursor of an earlier answer', text);
  return cursor;
}

function partsIn(text: string): Cursor | undefined {
  const bytes = text.length <= maxCursorLength ? readBase64(text) : undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  const [by, direction, key, id] = Array.isArray(parts) ? parts : [];
  const isKey = by === 'name' ? typeof key === 'string' : by === 'modified' && Number.isSafeInteger(key);
  const isWay = direction === 'ascending' || direction === 'descending';
  return isKey && isWay && typeof id === 'string' ? { by, direction, key, id } : undefined;
}

const maxCursorLength = 2_000;

/** The range behind a key, which must be of the same order. */
function behind(range: Range, order: Order, { by, direction, key, id }: Cursor): Range {
  if (by !== order.by || direction !== order.direction)
    throw badCursor('a cursor of a list in this order', `${by} ${direction}`);
  return direction === 'ascending' ? { ...range, low: key, lowId: id } : { ...range, high: key, highId: id };
}

function badCursor(expected: string, value: string): ServiceError {
  return new ServiceError('bad-cursor', {
    context: 'parameter',
    id: 'cursor',
    explanation: `Expected ${expected}`,
    value: value.slice(0, 80),
  });
}
