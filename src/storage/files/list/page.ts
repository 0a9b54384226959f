import type { Reader } from '../../../core/store/statement.ts';
import { cursorBehind, type QueryOf } from '../../../http/parameters/index.ts';
import { boundsFor } from '../../../room/entities/search-sql.ts';
import type { Caller } from '../../../security/caller.ts';
import type { File } from '../../documents.ts';
import type { StorageParts } from '../../parts.ts';
import { autoAddresses } from '../auto-addresses.ts';
import { type FileView, fileViewOf, listedFiles } from '../documents.ts';
import type { FileStateName } from '../rules.ts';
import { findFiles, isPlain, type ListScope, usageIn } from './find.ts';
import {
  cursorOf,
  defaultPage,
  type FileOrder,
  type FileQuery,
  type fileListParameters,
  pathFilter,
  positionOf,
  withoutOuterSlashes,
} from './query.ts';
import { checkPage, checkPageWithUses, filesWith, foldersBelow, type Slice } from './store.ts';

type ListQuery = QueryOf<ReturnType<typeof fileListParameters>>;

/** Limits of a list that its route sets: the storage, and whether only importable files are wanted. */
interface Listing {
  readonly storage: string | undefined;
  readonly importables: boolean;
}

interface ListedFiles {
  readonly ids: readonly string[];
  readonly hits: number | undefined;
  readonly nextCursor: string | undefined;
  readonly prefixes: readonly string[] | undefined;
  documents(): Promise<readonly File[]>;
}

/** Limit for lists that the main thread finds itself, in rows read. Larger lists run on a worker. */
const walked = 2_000;
/** States of files that probably have bytes and are used by no job. */
const importableStates: readonly FileStateName[] = ['NONE', 'OPEN', 'CLOSED'];

export async function listFiles(
  parts: StorageParts,
  caller: Caller & { readonly query: ListQuery },
  listing: Listing,
): Promise<ListedFiles> {
  const { store, settings } = parts;
  const listQuery = caller.query;
  const bounds = boundsFor(store.kind, settings);
  const order: FileOrder = {
    field: listQuery.sort.field,
    descending: listQuery.sort.descending ?? listQuery['sort-order'] === 'desc',
  };
  const query = queryFrom(listQuery, listing, order, bounds.pattern);
  const slice = sliceFrom(listQuery, order, settings.maxPage);
  const isShort = isPlain(query) && !listQuery.prefix && slice.offset + slice.limit <= walked;
  const reader = isShort ? store : caller.reader;
  const scope: ListScope = { ...listing, storages: listQuery.storage, groups: listQuery.storageGroup };
  const usage = await usageIn(reader, scope);
  const listed = await findFiles({
    reader,
    kind: store.kind,
    bounds,
    usage,
    query,
    slice,
    counts: listQuery.count !== false,
  });
  const { page } = listed;
  const storages = [...new Set(usage.map(({ storageId }) => storageId))];
  return {
    ids: page.map(({ id }) => id),
    hits: listQuery.count === false ? undefined : listed.hits,
    nextCursor: cursorBehind(listQuery.cursor, page, (last) => cursorOf(order, last)),
    prefixes: listQuery.prefix && !listQuery.wildcard ? await prefixesOf(reader, storages, listQuery) : undefined,
    documents: () => fileDocumentsOf(parts, caller.reader, page, fileViewOf(listQuery, autoAddresses(parts, caller))),
  };
}

function queryFrom(listQuery: ListQuery, { importables }: Listing, order: FileOrder, longest: number): FileQuery {
  const algorithm = listQuery.algorithm.toUpperCase();
  const used = usedFrom(listQuery.filter);
  return {
    ids: listQuery.id,
    states: listQuery.state ?? (importables ? importableStates : undefined),
    hashes: listQuery.hash && { algorithm, values: listQuery.hash.map((hash) => hash.toLowerCase()) },
    used: importables ? (used ?? false) : used,
    unqueued: listQuery.excludeQueued ?? importables,
    places: pathFilter(listQuery, longest),
    order,
  };
}

/** Filter by use. Unknown words mean all files. */
function usedFrom(words: readonly string[] = []): boolean | undefined {
  const uses = new Set(words.map((word) => word.toLowerCase()));
  const isAll = [...uses].some((word) => word !== 'item' && word !== 'noitem');
  return isAll || uses.size !== 1 ? undefined : uses.has('item');
}

function sliceFrom({ first, start, number, count, cursor }: ListQuery, order: FileOrder, maxPage: number): Slice {
  const limit = number ?? (typeof count === 'object' ? Math.min(count.pageSize, maxPage) : defaultPage);
  if (cursor !== undefined) return { after: positionOf(cursor, order), offset: 0, limit };
  return { after: undefined, offset: first ?? start ?? 0, limit };
}

/** The folders at the next level of the path, with a slash at the end. */
async function prefixesOf(
  reader: Reader,
  storages: readonly string[],
  { path, prefixFirst, prefixNumber }: ListQuery,
): Promise<readonly string[]> {
  const folder = withoutOuterSlashes(path);
  const rows = await foldersBelow(reader, {
    ids: storages,
    below: folder === '' ? '' : `${folder}/`,
    max: prefixFirst + prefixNumber,
    limit: prefixNumber,
    offset: prefixFirst,
  });
  return rows.map((row) => row.folder);
}

/** The files of a page, in its order. One that is gone meanwhile is left out. `threads`: reads pages that are not light. */
export async function fileDocumentsOf(
  { store, settings }: Pick<StorageParts, 'store' | 'settings'>,
  threads: Reader,
  page: readonly { readonly id: string }[],
  view: FileView,
): Promise<readonly File[]> {
  const ids = page.map(({ id }) => id);
  const check = view.includeItem ? checkPageWithUses : checkPage;
  const isLight = await check.isLight(store, ids);
  if (!isLight) await check(threads, ids, settings.maxPageValues);
  const reader = isLight ? store : threads;
  const rows = new Map((await filesWith(reader, { ids })).map((row) => [row.id, row]));
  return listedFiles(
    reader,
    ids.flatMap((id) => rows.get(id) ?? []),
    view,
  );
}
