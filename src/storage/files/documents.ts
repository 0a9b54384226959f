import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import { simpleMetadata } from '../../room/entities/key-values/documents.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { File } from '../documents/file.ts';
import { encodedPath, fileUri } from './path.ts';
import { type FileRow, readableMethods, usesOf } from './store.ts';
import { type FileView, isShownIn } from './view.ts';

type Use = Awaited<ReturnType<typeof usesOf>>[number];
type Method = Awaited<ReturnType<typeof readableMethods>>[number];

/** Files as callers see them, in the order of the rows. */
export async function fileDocuments(
  reader: Reader,
  rows: readonly FileRow[],
  view: FileView,
): Promise<readonly File[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const methods = groupBy(await methodsFor(reader, rows, view), ({ storageId }) => storageId);
  const metadata = await keyValuesOf(reader, 'file', ids);
  const uses = view.includeItem ? groupBy(await usesOf(reader, { ids }), ({ fileId }) => fileId) : undefined;
  return rows.map((row) => {
    const { id, path, state, size, hash, timestamp, storageId } = row;
    const encoded = encodedPath(path);
    const pairs = metadata.get(id) ?? [];
    const items = uses && itemsOf(uses.get(id) ?? []);
    return {
      id,
      path,
      uri: (methods.get(storageId) ?? []).map(({ uri }) => fileUri(uri, encoded)),
      state,
      ...(size !== null && { size }),
      ...(hash !== null && { hash }),
      timestamp,
      refreshFlag: 1,
      storage: storageId,
      ...(items && items.length > 0 && { item: items }),
      ...(pairs.length > 0 && { metadata: simpleMetadata(pairs) }),
    };
  });
}

/** Clients refuse a whole list where one of its files has no size. */
export const listedFiles = async (reader: Reader, rows: readonly FileRow[], view: FileView): Promise<readonly File[]> =>
  (await fileDocuments(reader, rows, view)).map((file) => ({ ...file, size: file.size ?? 0 }));

export async function fileDocumentOf(reader: Reader, row: FileRow, view: FileView): Promise<File> {
  const [document] = await fileDocuments(reader, [row], view);
  return document!;
}

async function methodsFor(reader: Reader, rows: readonly FileRow[], view: FileView): Promise<readonly Method[]> {
  const storages = [...new Set(rows.map(({ storageId }) => storageId))];
  const methods = (await readableMethods(reader, { ids: storages })).filter((each) => isShownIn(view, each));
  if (view.methodMetadata.length === 0) return methods;
  const metadata = await keyValuesOf(
    reader,
    'storage-method',
    methods.map(({ id }) => id),
  );
  const has = (id: string, key: string, value: string) =>
    (metadata.get(id) ?? []).some((pair) => pair.key === key && pair.value === value);
  return methods.filter(({ id }) => view.methodMetadata.every(([key, value]) => has(id, key, value)));
}

/** Items that use a file, with their shapes and components. */
function itemsOf(uses: readonly Use[]): NonNullable<File['item']> {
  const items = groupBy(uses, ({ itemId }) => itemId);
  return [...items].map(([id, ofItem]) => ({
    id,
    shape: [...groupBy(ofItem, ({ shapeId }) => shapeId)].map(([shapeId, ofShape]) => ({
      id: shapeId,
      component: ofShape.map(({ componentId }) => ({ id: componentId })),
    })),
  }));
}
