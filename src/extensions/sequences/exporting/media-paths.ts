import type { ItemsContext } from '../../../assets/items/public.ts';
import {
  chosenShapes,
  filesNamed,
  filesOfShapes,
  idsOf,
  loadShapesOf,
  original,
  requireTags,
  shapesAllowed,
  versionsFrom,
} from '../../../assets/shapes/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { roleMissing } from '../../../http/route.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { hasAllBytes, storageNamed } from '../../../storage/public.ts';
import type { ExportRequest } from './documents.ts';

/** Maximum characters of a path or a folder, which is repeated for each part of an item. */
const maxPathLength = 4096;
const maxStorages = 100;
/** Items per read. */
const slice = 50;
const root = '/ExportRequestDocument';
/** Role of those who read addresses of files. */
const readsAddresses = '_item_uri';

/** Path of a folder with a slash at its end, and how the rest of a path follows it. */
function folderOf(path: string): (rest: string) => string {
  const folder = path.endsWith('/') ? path : `${path}/`;
  const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(path);
  return (rest) => folder + (isAddress ? rest.split('/').map(encodeURIComponent).join('/') : rest);
}

/** Refuses paths that are too long, and tables that say nothing. */
function checkTables({ tag, item = [], storage = [] }: ExportRequest): void {
  const long = [...item, ...storage].find(({ path = '' }) => path.length > maxPathLength)?.path?.length;
  const element = item.some(({ path }) => path.length > maxPathLength) ? 'item' : 'storage';
  if (long !== undefined) throw badValue(`${root}/${element}/path`, `at most ${maxPathLength} characters`, `${long}`);
  if (storage.length > maxStorages)
    throw badValue(`${root}/storage`, `at most ${maxStorages} storages`, `${storage.length}`);
  if (tag !== undefined && storage.length === 0)
    throw badValue(`${root}/storage`, 'the folders of storages, since there is a tag');
  const without = storage.find(({ path }) => path === undefined);
  if (without) throw badValue(`${root}/storage/path`, 'the folder of the storage for the editing program', without.id);
}

type FindPaths = (items: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Addresses or paths of media for an editing program, by item: as a table of items says, or else of their files on the
 * storages of a table. Throws for a table that cannot be used.
 */
export async function mediaPaths(
  { store }: Pick<ItemsContext, 'store'>,
  caller: Caller,
  request: ExportRequest = {},
): Promise<FindPaths> {
  checkTables(request);
  const { tag = original, item = [], storage = [] } = request;
  const named = new Map(item.map(({ id, path }) => [id, path]));
  const folders = new Map<string, (rest: string) => string>();
  if (storage.length > 0) {
    if (!(await subjectOf(caller).has(readsAddresses))) throw roleMissing(readsAddresses);
    await requireTags(store, [tag]);
  }
  for (const { id, path } of storage) folders.set((await storageNamed(store, id)).id, folderOf(path!));

  /** The first file of an item that is on one of the storages, and that the caller may have the address of. */
  async function addFiles(items: readonly string[], paths: Map<string, string>): Promise<void> {
    const byItem = groupBy(await loadShapesOf(store, items), ({ itemId }) => itemId);
    const allowed = await shapesAllowed(store, caller, await shapesAllowed(store, caller, byItem, 'SHAPE'), 'URI');
    const shapes = [...allowed.values()].flatMap((all) =>
      chosenShapes(all, { versions: versionsFrom('latest'), tags: [tag], placeholders: 'false' }),
    );
    const uses = groupBy(await filesOfShapes(store, idsOf(shapes)), ({ shapeId }) => shapeId);
    const ids = [...new Set([...uses.values()].flat().map(({ fileId }) => fileId))];
    const rows = new Map((await filesNamed(store, { ids })).map((row) => [row.id, row]));
    for (const { id, itemId } of shapes) {
      for (const { fileId } of uses.get(id) ?? []) {
        const row = rows.get(fileId);
        const pathOf = row && hasAllBytes(row) ? folders.get(row.storageId) : undefined;
        if (pathOf && !paths.has(itemId)) paths.set(itemId, pathOf(row!.path));
      }
    }
  }

  return async (items) => {
    const paths = new Map(named);
    const rest = folders.size === 0 ? [] : items.filter((id) => !paths.has(id));
    for (let at = 0; at < rest.length; at += slice) {
      await addFiles(rest.slice(at, at + slice), paths);
      await yieldTurn();
    }
    return paths;
  };
}
