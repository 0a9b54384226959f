import { changedMeanwhile, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { mustHave } from '../../access/public-reading.ts';
import { itemsThere } from '../../items/contract/store.ts';
import { type LibraryRow, libraryMustExist, libraryName, libraryNamed, membersNamed } from '../../items/public.ts';
import type { ItemSearch } from '../documents/search.ts';
import { createLibrary, type LibraryWish } from './create.ts';
import type { LibrarySettingsValue } from './documents.ts';
import type { LibraryParts } from './parts.ts';
import { itemsBy } from './passing.ts';
import { expectOwnItems, isTransient, keptSettings, tooManyLibraries } from './rules.ts';
import {
  dropAll,
  dropItems,
  hasItem,
  libraryHasRoom,
  sameLibraryVersion,
  setQuery,
  setQueryUser,
  useLibrary,
  writeSettings,
} from './store.ts';

/** Ids of named items that the caller may read. */
export async function itemsNamed(
  { store }: LibraryParts,
  caller: Caller,
  names: readonly string[],
): Promise<readonly string[]> {
  const members = [...new Set(names)].map((id) => ({ type: 'item', id }));
  return [...new Set(await membersNamed(store, caller, members))];
}

/** Guards that the items still exist. */
const allThere = (ids: readonly string[]): readonly Statement[] =>
  ids.length === 0 ? [] : [itemsThere({ ids, count: ids.length }, changedMeanwhile('Item', ids[0]!))];

/** Creates a library with named items. */
export function newLibrary(
  parts: LibraryParts,
  call: Caller,
  { names, ...wish }: Omit<LibraryWish, 'ids'> & { readonly names: readonly string[] },
): Promise<string> {
  return retryWhenChanged(async () => {
    const ids = await itemsNamed(parts, call, names);
    const libraryPlan = await createLibrary(parts, call, { ...wish, ids });
    await call.commit(together(changing(...allThere(ids)), libraryPlan));
    return libraryPlan.id;
  });
}

const changed = ({ clock }: LibraryParts, id: string, changes: readonly Statement[]): CommitPlan => ({
  changes: [...changes, useLibrary({ id, usedAt: clock.now() })],
  events: [],
  touches: [{ kind: 'library', id, aspect: 'members' }],
});

/** Adds items to a library. `find` is called again on retries. */
export async function addToLibrary(
  parts: LibraryParts,
  caller: Caller,
  row: LibraryRow,
  find: () => Promise<readonly string[]>,
): Promise<void> {
  const { id } = row;
  expectOwnItems(row);
  await retryWhenChanged(async () => {
    const ids = await find();
    const most = parts.settings.maxLibraryItems;
    const room = libraryHasRoom({ id, most }, tooManyLibraries(parts.settings, id));
    const added = await itemsBy(parts, caller, id, ids);
    await caller.commit(changed(parts, id, [...allThere(ids), ...added, room]));
  });
}

export async function removeFromLibrary(
  parts: LibraryParts,
  caller: Caller,
  row: LibraryRow,
  itemId: string,
): Promise<void> {
  const { id } = row;
  expectOwnItems(row);
  const missing = noSuchEntity({ noun: 'LibraryItem' }, itemId);
  await caller.commit(changed(parts, id, [hasItem({ id, itemId }, missing), ...dropItems(id, [itemId])]));
}

/**
 * A new query runs with the rights of its writer, or who may change a library would search as its user. An administrator,
 * who has all rights, writes it for the user.
 */
async function queryBy(caller: Caller, id: string, query: ItemSearch | undefined): Promise<readonly Statement[]> {
  if (query === undefined) return [];
  const subject = subjectOf(caller);
  const written = setQuery(id, JSON.stringify(query));
  if (await subject.has(administrator)) return [written];
  return [written, setQueryUser({ id, userId: subject.user?.id ?? null })];
}

/** Changes the settings, and the query if the document has one. */
export async function changeSettings(
  parts: LibraryParts,
  caller: Caller,
  library: LibraryRow,
  wanted: LibrarySettingsValue,
): Promise<void> {
  const { id } = library;
  await retryWhenChanged(async (isRetry) => {
    const row = isRetry ? await libraryNamed(parts.store, id) : library;
    const newSettings = keptSettings(wanted, parts.clock.now(), row);
    await caller.commit(
      changed(parts, id, [
        sameLibraryVersion({ id, version: row.version }, changedMeanwhile('Library', id)),
        writeSettings({ ...newSettings, id }),
        ...(await queryBy(caller, id, wanted.query)),
      ]),
    );
  });
}

type Reuse = Omit<LibraryWish, 'externalIds'>;

/** Replaces the query of a library, and applies the result by the update mode of the query. */
export async function reuseLibrary(
  parts: LibraryParts,
  call: Caller,
  name: string,
  { ids, query, settings }: Reuse,
): Promise<CommitPlan & { readonly id: string }> {
  const row = await libraryNamed(parts.store, name);
  await mustHave(parts.store, call, libraryName, row, 'WRITE', undefined, name);
  const { id } = row;
  const newSettings = keptSettings(settings ?? {}, parts.clock.now(), row);
  const most = parts.settings.maxLibraryItems;
  const replaces = newSettings.updateMode !== 'MERGE';
  const work = changed(parts, id, [
    libraryMustExist(id, noSuchEntity(libraryName, id)),
    sameLibraryVersion({ id, version: row.version }, changedMeanwhile('Library', id)),
    writeSettings({ ...newSettings, id }),
    ...(await queryBy(call, id, query)),
    ...(replaces ? [dropAll({ id })] : []),
    ...(isTransient(newSettings) ? [] : await itemsBy(parts, call, id, ids)),
    libraryHasRoom({ id, most }, tooManyLibraries(parts.settings, id)),
  ]);
  return { ...work, id };
}
