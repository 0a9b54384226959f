import { ServiceError } from '../../../core/lib/errors.ts';
import { badParameter, choice, flag, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { accountOf, type Caller, subjectOf } from '../../../security/caller.ts';
import { mayRead } from '../../access/public.ts';
import { accessOf } from '../../access/public-reading.ts';
import { updateModes } from '../../containment/tables.ts';
import { libraryName, libraryNamed } from '../../items/public.ts';
import type { ItemSearch } from '../documents.ts';
import type { SearchOptions } from '../find.ts';
import type { SearchParts } from '../parts.ts';
import type { SearchRequest } from '../reading.ts';
import { createLibrary, reuseLibrary } from './change.ts';
import { itemFinder } from './parts.ts';
import { allFound, enterLibrary, foundBy } from './refresh.ts';
import { isTransient } from './rules.ts';

/** Query parameter that restricts a search of items to a library. */
export const libraryScope = {
  library: text('Only items of this library; "*": of all items', { defaultValue: '*' }),
};

/** Query parameters for storing the result of a search as a library. */
export const libraryResult = {
  result: choice('"library" stores the result and the query as a library', ['list', 'library'], {
    defaultValue: 'list',
  }),
  libraryId: text('An existing library for the items, instead of a new one'),
  autoRefresh: flag('Each read of the library runs the query again'),
  updateMode: choice('How a refresh changes the items of the library', updateModes),
  updateFrequency: whole('Seconds between automatic refreshes of the library. 0: none'),
};

type Kept = Partial<QueryOf<typeof libraryResult & typeof libraryScope>>;

/** Restricts a search to the items of a library that the caller may read. */
export async function libraryScopeOf(parts: SearchParts, caller: Caller, name: string): Promise<SearchOptions> {
  if (name === '*') return {};
  const libraryParts = { ...parts, findItems: itemFinder(parts) };
  const row = await libraryNamed(parts.store, name);
  await mayRead(parts.store, caller, libraryName, row, name);
  await enterLibrary(libraryParts, row);
  if (!isTransient(row)) return { library: row.id };
  const { ids = [] } = (await foundBy(libraryParts, row)) ?? {};
  return { among: { kind: 'item', ids } };
}

/** Stores result and query of a search as a library. Returns its id. */
export async function keepResult(
  parts: SearchParts,
  caller: Caller,
  { library = '*', libraryId, autoRefresh, updateMode, updateFrequency }: Kept,
  { document, options }: Pick<SearchRequest, 'document' | 'options'>,
): Promise<string> {
  if (!(await subjectOf(caller).has('_library_write'))) {
    const explanation = 'Expected the role _library_write: the search makes or changes a library';
    throw new ServiceError('not-allowed', { context: 'result', id: 'library', explanation });
  }
  if (library !== '*') throw badParameter('library', 'Expected "*" beside result=library', library);
  const libraryParts = { ...parts, findItems: itemFinder(parts) };
  const reader = parts.store.reader(accountOf(caller));
  const scoped = withinCollection(document, options.collection);
  const ids = await allFound(libraryParts, reader, await accessOf(reader, caller), scoped, libraryId ?? 'new');
  const request = { ids, query: scoped, settings: { autoRefresh, updateMode, updateFrequency } };
  const { id } = await caller.change(() =>
    libraryId === undefined
      ? createLibrary(parts, caller, request)
      : reuseLibrary(libraryParts, caller, libraryId, request),
  );
  return id;
}

/** Adds the restriction to a collection to the search document. */
function withinCollection({ cursor: _, ...search }: ItemSearch, collection: string | undefined): ItemSearch {
  if (collection === undefined) return search;
  const field = [{ name: '__collection', value: [{ value: collection }] }];
  return { ...search, filter: [...(search.filter ?? []), { operation: 'AND', field }] };
}
