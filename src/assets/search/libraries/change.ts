import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { accountOf, type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { havingAmong, ownerOf } from '../../access/public.ts';
import { accessOf, mustHave, type Viewer } from '../../access/public-reading.ts';
import { giveExternalIds } from '../../definitions/public.ts';
import { itemName } from '../../items/contract/entities.ts';
import { itemsThere } from '../../items/contract/store.ts';
import { type LibraryRow, libraryMustExist, libraryName, libraryNamed, membersNamed } from '../../items/public.ts';
import type { ItemSearch } from '../documents.ts';
import type { LibrarySettingsValue } from './documents.ts';
import type { LibraryParts } from './parts.ts';
import { expectOwnItems, isTransient, keptSettings, tooManyLibraries } from './rules.ts';
import {
  addItems,
  dropAll,
  dropItems,
  hasItem,
  insertLibrary,
  libraryHasRoom,
  sameLibraryVersion,
  setQuery,
  setQueryUser,
  useLibrary,
  writeSettings,
} from './store.ts';

/** Items per read. */
const slice = 5000;

/** Adds items that a caller names. */
async function itemsBy(
  { store }: { readonly store: Store },
  caller: Caller,
  id: string,
  ids: readonly string[],
): Promise<Statement[]> {
  const reader = store.reader(accountOf(caller));
  return itemsOf(reader, await accessOf(reader, caller), id, ids);
}

/**
 * Adds items to a library. Only items on which the viewer has ALL get its access entries. Otherwise callers who may
 * change a library would get rights on the items that they add.
 */
export async function itemsOf(
  reader: Reader,
  viewer: Viewer,
  id: string,
  ids: readonly string[],
): Promise<Statement[]> {
  const passing = new Set<string>();
  for (let at = 0; at < ids.length; at += slice) {
    if (at > 0) await yieldTurn();
    const having = await havingAmong(reader, viewer, itemName.type, ids.slice(at, at + slice), 'ALL');
    for (const each of having) passing.add(each);
  }
  return addItems(id, ids, passing);
}

interface LibraryRequest {
  readonly externalIds?: readonly string[];
  /** Ids of the items. Items deleted before the commit are left out. */
  readonly ids: readonly string[];
  /** Search document that found the items. */
  readonly query?: ItemSearch | undefined;
  readonly settings?: Pick<LibrarySettingsValue, 'updateMode' | 'autoRefresh' | 'updateFrequency'> | undefined;
}

interface Parts extends Pick<LibraryParts, 'store' | 'clock'> {
  readonly settings: Pick<LibraryParts['settings'], 'maxLibraryItems'>;
}

/** Prepares a new library of the caller for its commit. */
export async function createLibrary(
  { store, clock, settings }: Parts,
  call: Caller,
  request: LibraryRequest,
): Promise<CommitPlan & { readonly id: string }> {
  const { user } = subjectOf(call);
  const newId = await store.nextId('library');
  const serial = serialOf(newId);
  // An asterisk distinguishes ids of libraries from those of items and collections.
  const id = newId.replace('-', '*');
  const now = clock.now();
  const { query } = request;
  const newSettings = keptSettings(request.settings ?? {}, now);
  if (request.ids.length > settings.maxLibraryItems) throw tooManyLibraries(settings, id);
  return {
    id,
    changes: [
      insertLibrary({
        ...newSettings,
        id,
        serial,
        now,
        userId: user?.id ?? null,
        lastUpdate: query === undefined ? null : now,
      }),
      ...(query === undefined ? [] : [setQuery(id, JSON.stringify(query))]),
      ownerOf({ type: libraryName.type, id, serial, entryId: await store.nextId('access'), userId: user?.id }),
      ...(await giveExternalIds({ store }, libraryName, id, request.externalIds ?? [])),
      ...(isTransient(newSettings) ? [] : await itemsBy({ store }, call, id, request.ids)),
    ],
    events: [],
    touches: [{ kind: 'library', id, aspect: 'owner' }],
  };
}

/** Ids of named items that the caller may read. */
export async function itemsNamed(
  { store }: Pick<LibraryParts, 'store'>,
  caller: Caller,
  names: readonly string[],
): Promise<readonly string[]> {
  const members = [...new Set(names)].map((id) => ({ type: 'item', id }));
  return [...new Set(await membersNamed(store, caller, members))];
}

/** Guards that the items still exist. */
const allThere = (ids: readonly string[]): readonly Statement[] =>
  ids.length === 0 ? [] : [itemsThere({ ids, count: ids.length }, changedMeanwhile('Item', ids[0]!))];

/** Prepares a library with named items for its commit. */
export async function libraryOfItems(
  parts: Parts,
  call: Caller,
  { names, ...request }: Omit<LibraryRequest, 'ids'> & { readonly names: readonly string[] },
): Promise<CommitPlan & { readonly id: string; readonly ids: readonly string[] }> {
  const ids = await itemsNamed(parts, call, names);
  const libraryPlan = await createLibrary(parts, call, { ...request, ids });
  return { ids, ...together(changing(...allThere(ids)), libraryPlan), id: libraryPlan.id };
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
  await caller.change(async () => {
    const ids = await find();
    const max = parts.settings.maxLibraryItems;
    const room = libraryHasRoom({ id, max }, tooManyLibraries(parts.settings, id));
    const added = await itemsBy(parts, caller, id, ids);
    return changed(parts, id, [...allThere(ids), ...added, room]);
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
  await caller.change(async (isRetry) => {
    const row = isRetry ? await libraryNamed(parts.store, id) : library;
    const newSettings = keptSettings(wanted, parts.clock.now(), row);
    return changed(parts, id, [
      sameLibraryVersion({ id, version: row.version }, changedMeanwhile('Library', id)),
      writeSettings({ ...newSettings, id }),
      ...(await queryBy(caller, id, wanted.query)),
    ]);
  });
}

type Reuse = Omit<LibraryRequest, 'externalIds'>;

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
  const max = parts.settings.maxLibraryItems;
  const replaces = newSettings.updateMode !== 'MERGE';
  const work = changed(parts, id, [
    libraryMustExist(id, noSuchEntity(libraryName, id)),
    sameLibraryVersion({ id, version: row.version }, changedMeanwhile('Library', id)),
    writeSettings({ ...newSettings, id }),
    ...(await queryBy(call, id, query)),
    ...(replaces ? [dropAll({ id })] : []),
    ...(isTransient(newSettings) ? [] : await itemsBy(parts, call, id, ids)),
    libraryHasRoom({ id, max }, tooManyLibraries(parts.settings, id)),
  ]);
  return { ...work, id };
}
