import { nextTurn } from '../../../core/lib/turn.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Caller } from '../../../security/caller.ts';
import { serialOf } from '../../../storage/public-reading.ts';
import { accessOf, type ListPage } from '../../access/public-reading.ts';
import type { LibraryRow } from '../../items/public.ts';
import type { LibraryParts } from './parts.ts';
import { foundBy, refreshLibrary } from './refresh.ts';
import { isTransient } from './rules.ts';
import { type IdPage, listItems, readableItems, useLibrary } from './store.ts';

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
    await nextTurn();
  }
  const newest = readable.toSorted((one, other) => serialOf(other) - serialOf(one));
  const ids = newest.filter((id) => serialOf(id) < page.below).slice(page.offset, page.offset + page.limit);
  return { hits: page.counts ? readable.length : undefined, ids };
}
