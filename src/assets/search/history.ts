import { Recent } from '../../core/lib/cache.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { type Batches, createBatchWriter, halvesOf } from '../../core/store/batch-writer.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { ItemSearch } from './documents.ts';
import type { SearchKind } from './query/ast.ts';
import { trimSearches, writeSearch } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly sharesWork: boolean;
  digest(text: string): string;
}

/** A search, as far as the history has it. */
interface SearchMade {
  readonly kind: SearchKind;
  readonly document: ItemSearch;
  readonly page: { readonly cursor?: string | undefined };
}

/** A search of the history. */
interface CachedSearch {
  readonly digest: string;
  readonly at: number;
  readonly written: number;
}

type PendingSearch = Parameters<typeof writeSearch>[0];
type Batch = ReadonlyMap<string, PendingSearch>;

/** Milliseconds until a repeated search is written again. */
const rest = 60_000;
const hour = 3_600_000;
/** Milliseconds until gathered searches are written: each commit costs a disk sync. */
const pause = 1_000;
/** Searches that wait to be written. With more, the oldest are left out. */
const maxPending = 1_000;
/** Users and kinds whose searches are cached, and searches of each. */
const [maxUsers, maxOfUser] = [2_000, 16];
/** Maximum characters of a search cached as text: longer ones take less memory as a digest. */
const short = 200;
/** Maximum characters of a search in the history. */
const maxLength = 20_000;

const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);

/** Entry for the history. Undefined: later pages, searches for groups, for everything, or of other kinds. */
function historyEntry({ kind, document, page }: SearchMade) {
  const cursor = page.cursor ?? document.cursor;
  if (kind !== 'item' && kind !== 'collection') return undefined;
  if (cursor !== undefined && cursor !== '*') return undefined;
  if (document.group?.some(({ isAny }) => isAny)) return undefined;
  const query = JSON.stringify(document);
  return query === '{}' || query.length > maxLength ? undefined : { kind, query };
}

/** Searches that wait to be written. */
class PendingSearches implements Batches<Batch> {
  #searches = new Map<string, PendingSearch>();

  get size(): number {
    return this.#searches.size;
  }

  add(search: PendingSearch): void {
    const key = keyOf(search.user, search.kind, search.digest);
    this.#searches.delete(key);
    this.#searches.set(key, search);
    if (this.#searches.size > maxPending) this.#searches.delete(this.#searches.keys().next().value!);
  }

  forget(users: readonly string[]): void {
    for (const [key, { user }] of this.#searches) if (users.includes(user)) this.#searches.delete(key);
  }

  take(): Batch | undefined {
    if (this.#searches.size === 0) return undefined;
    const batch = this.#searches;
    this.#searches = new Map();
    return batch;
  }

  written(): void {}

  failed(batch: Batch): void {
    const later = [...this.#searches.values()];
    for (const search of [...batch.values(), ...later]) this.add(search);
  }

  halves(batch: Batch): readonly [Batch, Batch] | undefined {
    const halves = halvesOf([...batch]);
    return halves && [new Map(halves[0]), new Map(halves[1])];
  }

  changesOf(batch: Batch): Statement[] {
    const searches = [...batch.values()];
    const lists = new Map(searches.map(({ user, kind }) => [keyOf(user, kind), { user, kind }]));
    return [
      ...searches.map((search) => writeSearch(search)),
      ...Array.from(lists.values(), (list) => trimSearches(list)),
    ];
  }
}

export type SearchHistory = ReturnType<typeof createSearchHistory>;

/** Searches of callers, without duplicates. They are gathered and written together; a failure does not fail a search. */
export function createSearchHistory({ store, clock, log, sharesWork, digest: digestOf }: Parts) {
  const cache = new Recent<string, Map<string, CachedSearch>>(maxUsers);
  const pending = new PendingSearches();
  const writer = createBatchWriter({
    store,
    clock,
    log,
    gathered: pending,
    sharesWork,
    failure: 'search-history',
    pause,
  });

  return {
    add(user: string, request: SearchMade): Maybe<void> {
      const entry = historyEntry(request);
      if (!entry) return;
      const { kind, query } = entry;
      const now = clock.now();
      const key = keyOf(user, kind);
      const cached = cache.get(key, now) ?? new Map<string, CachedSearch>();
      const text = query.length > short ? digestOf(query) : query;
      const { digest, written } = cached.get(text) ?? { digest: digestOf(query), written: Number.NEGATIVE_INFINITY };
      const isDue = now - written >= rest;
      cached.delete(text);
      cached.set(text, { digest, at: now, written: isDue ? now : written });
      if (cached.size > maxOfUser) cached.delete(cached.keys().next().value!);
      if (!isDue) return;
      cache.set(key, cached, now + hour);
      pending.add({ user, kind, digest, query, now });
      if (!sharesWork) return writer.write();
      writer.schedule();
    },

    /** Cached times of the searches of a user by digest, as JSON. */
    newerTimes(user: string, kind: string): string {
      const cached = cache.get(keyOf(user, kind), clock.now())?.values() ?? [];
      return JSON.stringify(Object.fromEntries(Array.from(cached, ({ digest, at }) => [digest, at])));
    },

    /** Searches of users who are deleted, since names may be reused. */
    forget: (users: readonly string[]) => pending.forget(users),
    flush: writer.flush,
    close: writer.close,
  };
}
