import { type Caller, subjectOf } from '../../security/caller.ts';
import { systemActor } from '../../store/contract.ts';
import type { SearchParts } from '../parts.ts';
import type { SearchRequest } from '../reading.ts';
import { trimSearches, writeSearch } from './store.ts';

/** Milliseconds until a repeated search is written again. */
const rest = 60_000;
/** Maximum characters of a search cached as text: longer ones take less memory as a digest. */
const short = 200;
/** Maximum characters of a search in the history. */
const longest = 20_000;

/** Adds a search to the history of the user, without duplicates. Errors here do not fail the search. */
export async function remember(parts: SearchParts, call: Caller, request: SearchRequest): Promise<void> {
  const entry = historyEntry(request);
  if (!entry) return;
  const { kind, query } = entry;
  const { store, clock, log, remembered } = parts;
  const { name: user } = subjectOf(call);
  const now = clock.now();
  const key = JSON.stringify([user, kind]);
  const text = query.length > short ? parts.digest(query) : query;
  // Only a repetition of the newest search changes nothing: an older one moves up.
  if (remembered.get(key, now) === text) return;
  remembered.set(key, text, now + rest);
  const digest = parts.digest(query);
  const changes = [writeSearch({ user, kind, digest, query, now }), trimSearches({ user, kind })];
  try {
    await store.commit({ changes, events: [] }, systemActor);
  } catch (error) {
    log.write('warn', 'search-history', { error: String(error) });
  }
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
