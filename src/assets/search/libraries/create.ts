import type { CommitPlan } from '../../../core/store/contract.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { serialOf } from '../../../storage/public-reading.ts';
import { ownerOf } from '../../access/public.ts';
import { giveExternalIds } from '../../definitions/public.ts';
import { libraryName } from '../../items/public.ts';
import type { ItemSearch } from '../documents/search.ts';
import type { LibrarySettingsValue } from './documents.ts';
import type { LibraryParts } from './parts.ts';
import { itemsBy } from './passing.ts';
import { isTransient, keptSettings, tooManyLibraries } from './rules.ts';
import { insertLibrary, setQuery } from './store.ts';

export interface LibraryWish {
  readonly externalIds?: readonly string[];
  /** Ids of the items. Items deleted before the commit are left out. */
  readonly ids: readonly string[];
  /** Search document that found the items. */
  readonly query?: ItemSearch | undefined;
  readonly settings?: Pick<LibrarySettingsValue, 'updateMode' | 'autoRefresh' | 'updateFrequency'> | undefined;
}

type Parts = Pick<LibraryParts, 'store' | 'clock' | 'settings'>;

/** Prepares a new library of the caller for its commit. */
export async function createLibrary(
  { store, clock, settings }: Parts,
  call: Caller,
  wish: LibraryWish,
): Promise<CommitPlan & { readonly id: string }> {
  const { user } = subjectOf(call);
  const newId = await store.nextId('library');
  const serial = serialOf(newId);
  // An asterisk distinguishes ids of libraries from those of items and collections.
  const id = newId.replace('-', '*');
  const now = clock.now();
  const { query } = wish;
  const newSettings = keptSettings(wish.settings ?? {}, now);
  if (wish.ids.length > settings.maxLibraryItems) throw tooManyLibraries(settings, id);
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
      ...(await giveExternalIds({ store }, libraryName, id, wish.externalIds ?? [])),
      ...(isTransient(newSettings) ? [] : await itemsBy({ store }, call, id, wish.ids)),
    ],
    events: [],
    touches: [{ kind: 'library', id, aspect: 'owner' }],
  };
}
