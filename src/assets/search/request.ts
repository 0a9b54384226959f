import type { Value } from '../../core/documents/index.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { Reading } from '../../core/store/store.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { askingOf } from '../access/public-reading.ts';
import type { ItemSearch, metadataGroupSearchDocument } from './documents.ts';
import type { SearchOptions, SearchPage } from './find.ts';
import type { CachedSearch, SearchParts } from './parts.ts';
import type { SearchKind } from './query/ast.ts';
import type { SearchRequest } from './reading.ts';
import { trimSearches, writeSearch } from './store.ts';

/** Milliseconds until a repeated search is written again: each write makes the readers of a file drop their caches. */
const rest = 60_000;
const hour = 3_600_000;
/** Searches of one user and kind whose times are cached. */
const mostOfUser = 16;
/** Maximum characters of a search cached as text: longer ones take less memory as a digest. */
const short = 200;
/** Maximum characters of a search in the history. */
const longest = 20_000;

const keyOf = (user: string, kind: string) => JSON.stringify([user, kind]);

/** Adds a search to the history of the user, without duplicates. Errors here do not fail the search. */
async function remember(parts: SearchParts, call: Caller, request: SearchRequest): Promise<void> {
  const entry = historyEntry(request);
  if (!entry) return;
  const { kind, query } = entry;
  const { store, clock, log, searchCache } = parts;
  const { name: user } = subjectOf(call);
  const now = clock.now();
  const key = keyOf(user, kind);
  const cached = searchCache.get(key, now) ?? new Map<string, CachedSearch>();
  const text = query.length > short ? parts.digest(query) : query;
  const { digest, written } = cached.get(text) ?? { digest: parts.digest(query), written: Number.NEGATIVE_INFINITY };
  const isDue = now - written >= rest;
  cached.delete(text);
  cached.set(text, { digest, at: now, written: isDue ? now : written });
  if (cached.size > mostOfUser) cached.delete(cached.keys().next().value!);
  if (!isDue) return;
  searchCache.set(key, cached, now + hour);
  const changes = [writeSearch({ user, kind, digest, query, now }), trimSearches({ user, kind })];
  try {
    await store.commit({ changes, events: [] }, systemActor);
  } catch (error) {
    log.write('warn', 'search-history', { error: String(error) });
  }
}

/** Cached times of the searches of a user by digest, as JSON. */
export function newerTimes({ searchCache, clock }: SearchParts, user: string, kind: string): string {
  const cached = searchCache.get(keyOf(user, kind), clock.now())?.values() ?? [];
  return JSON.stringify(Object.fromEntries(Array.from(cached, ({ digest, at }) => [digest, at])));
}

/** Entry for the history. Undefined: later pages, searches for groups, for everything, or of other kinds. */
function historyEntry({ kind, document, page }: Pick<SearchRequest, 'kind' | 'document' | 'page'>) {
  const cursor = page.cursor ?? document.cursor;
  if (kind !== 'item' && kind !== 'collection') return undefined;
  if (cursor !== undefined && cursor !== '*') return undefined;
  if (document.group?.some(({ isAny }) => isAny)) return undefined;
  const query = JSON.stringify(document);
  return query === '{}' || query.length > longest ? undefined : { kind, query };
}

/** Search for entities with one group that meets all criteria. */
export function groupSearch(document: Value<typeof metadataGroupSearchDocument> = {}): ItemSearch {
  const { text, field, group, operator, reference, filter, ...others } = document;
  const filters = (filter ?? []).map(({ name: _name, ...each }) => each);
  return {
    ...others,
    group: [{ isAny: true, text, field, group, reference, operator: [...(operator ?? []), ...filters] }],
  };
}

interface PageQuery extends Pick<SearchPage, 'first' | 'number' | 'cursor'> {
  readonly count: boolean;
  readonly fresh: boolean;
}

/** Input of a reading for a search by a caller. */
export async function searchRequest(
  { clock, caughtUp }: SearchParts,
  caller: Caller,
  kind: SearchKind,
  document: ItemSearch,
  { first, number, cursor, count: counts, fresh }: PageQuery,
  options: SearchOptions,
): Promise<SearchRequest> {
  if (fresh) await caughtUp();
  const asking = await askingOf(caller);
  return { asking, kind, document, page: { first, number, cursor, counts, now: clock.now() }, options };
}

/** Runs the reading of a search, restricted to readable entities. First pages are added to the history. */
export async function runSearch<In extends SearchRequest, Out>(
  parts: SearchParts,
  caller: Caller,
  reading: Reading<In, Out>,
  request: In,
): Promise<Out> {
  const answer = await parts.perform(caller, reading, request);
  await remember(parts, caller, request);
  return answer;
}
