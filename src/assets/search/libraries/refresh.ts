import { changedMeanwhile, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { Caller } from '../../../security/caller.ts';
import { accessOf, type ListPage, type Viewer } from '../../access/public-reading.ts';
import { findLibrary, itemsOfLibrary, type LibraryRow } from '../../items/public.ts';
import type { ItemSearch } from '../documents.ts';
import { callerWithId } from './callers.ts';
import { itemsOf } from './change.ts';
import type { LibraryParts } from './parts.ts';
import { changeBy, isTransient, nextLibraryUpdate, tooManyLibraries } from './rules.ts';
import {
  dropItems,
  type IdPage,
  libraryHasRoom,
  listItems,
  queryOfLibrary,
  readableItems,
  sameLibraryVersion,
  useLibrary,
  writeUpdate,
} from './store.ts';

/** Items per search. */
const slice = 5000;

/** Hits of the query of a library, and the user whose rights found them. */
interface Found {
  readonly ids: readonly string[];
  readonly reader: LimitedReader;
  readonly viewer: Viewer;
}

/**
 * Current hits of the query of a library. Runs with the rights and the reader quota of its user, for each caller.
 * Undefined: no query, or no user.
 */
export async function foundBy(parts: LibraryParts, row: Pick<LibraryRow, 'id' | 'userId'>): Promise<Found | undefined> {
  const query = await queryOfLibrary(parts.store, row.id);
  const call = query && (await callerWithId(parts, row.userId));
  if (!query || !call) return undefined;
  const { reader } = call;
  const viewer = await accessOf(reader, call);
  return { ids: await allFound(parts, reader, viewer, query, row.id), reader, viewer };
}

/** All distinct hits of a query. `library`: the library that stores them. */
export async function allFound(
  { findItems, settings, clock }: Pick<LibraryParts, 'findItems' | 'settings' | 'clock'>,
  reader: LimitedReader,
  viewer: Viewer,
  query: ItemSearch,
  library: string,
): Promise<readonly string[]> {
  // Items that match in several timespans occur several times.
  const all = new Set<string>();
  const now = clock.now();
  for (let first = 1; ; first += slice) {
    const { ids } = await findItems(reader, viewer, query, { first, number: slice, now });
    for (const id of ids) all.add(id);
    if (all.size > settings.maxLibraryItems) throw tooManyLibraries(settings, library);
    if (ids.length < slice) return [...all];
    await yieldTurn();
  }
}

/** Refreshes a library, and stores the hits of its query. */
export async function refreshLibrary(parts: LibraryParts, id: string): Promise<void> {
  const { store, clock, settings } = parts;
  await retryWhenChanged(async () => {
    const row = await findLibrary(store, { id });
    if (!row || row.autoRefresh === 0 || isTransient(row)) return;
    const result = await foundBy(parts, row);
    if (result === undefined) return;
    const stored = new Set(await storedItems(parts, id));
    const { added, removed } = changeBy(row.updateMode, stored, result.ids);
    const now = clock.now();
    const changes = [
      sameLibraryVersion({ id, version: row.version }, changedMeanwhile('Library', id)),
      ...dropItems(id, removed),
      ...(await itemsOf(result.reader, result.viewer, id, added)),
      libraryHasRoom({ id, max: settings.maxLibraryItems }, tooManyLibraries(settings, id)),
      writeUpdate({ id, lastUpdate: now, due: nextLibraryUpdate(row, now) }),
    ];
    const isChanged = added.length + removed.length > 0;
    const touches = isChanged ? [{ kind: 'library', id, aspect: 'members' }] : [];
    await store.commit({ changes, events: [], touches }, systemActor);
  });
}

/** Current items of a library, oldest first. Refreshes it first if needed. */
export async function currentItems(parts: LibraryParts, id: string): Promise<readonly string[]> {
  const { store } = parts;
  const row = await findLibrary(store, { id });
  if (row && isTransient(row)) {
    const { ids = [] } = (await foundBy(parts, row)) ?? {};
    return ids.toSorted((one, other) => serialOf(one) - serialOf(other));
  }
  await refreshLibrary(parts, id);
  return storedItems(parts, id);
}

async function storedItems({ store }: LibraryParts, id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const items of itemsOfLibrary(store, id)) {
    for (const item of items) ids.push(item.id);
    await yieldTurn();
  }
  return ids;
}

/** Milliseconds between updates of the time of last use. */
const noteEvery = 60_000;

/** Notes that a library is read or searched, and refreshes it first if needed. */
export async function enterLibrary(parts: LibraryParts, { id, usedAt, autoRefresh }: LibraryRow): Promise<void> {
  const { store, clock } = parts;
  const now = clock.now();
  if (now - usedAt >= noteEvery) await store.commit(changing(useLibrary({ id, usedAt: now })), systemActor);
  if (autoRefresh === 1) await refreshLibrary(parts, id);
}

/** Page of items that the caller may read, newest first. */
export async function itemsIn(parts: LibraryParts, call: Caller, row: LibraryRow, page: ListPage): Promise<IdPage> {
  const { reader } = call;
  const viewer = await accessOf(parts.store, call);
  if (!isTransient(row)) return listItems(reader, viewer, row.id, page);
  const { ids: foundIds = [] } = (await foundBy(parts, row)) ?? {};
  const readable: string[] = [];
  for (let at = 0; at < foundIds.length; at += 1000) {
    readable.push(...(await readableItems(reader, viewer, foundIds.slice(at, at + 1000))));
    await yieldTurn();
  }
  const newest = readable.toSorted((one, other) => serialOf(other) - serialOf(one));
  const ids = newest.filter((id) => serialOf(id) < page.below).slice(page.offset, page.offset + page.limit);
  return { hits: page.counts ? readable.length : undefined, ids };
}
