import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import { flag, list, type QueryOf, repeated, text } from '../../http/parameters/index.ts';
import { simpleMetadata } from '../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { File } from '../documents.ts';
import { schemeOf } from '../drivers.ts';
import { sha256Of } from './hashes.ts';
import { encodedPath, fileUri } from './path.ts';
import { hashKey } from './rules.ts';
import { type FileRow, readableMethods, usesOf } from './store.ts';

/** Query parameters for the details of files in answers: addresses for reading, and uses. */
export const viewParameters = {
  includeItem: flag('Adds the items, shapes and components that use a file', false),
  scheme: list(text('Only addresses of these schemes, such as "http"')),
  methodType: list(text('Addresses by methods of these types, instead of methods without a type')),
  methodMetadata: repeated('Only addresses of methods with this metadata: "key=value"'),
  storageType: list(text('Only addresses on storages of these types')),
};

export interface FileView {
  readonly includeItem: boolean;
  readonly schemes: readonly string[] | undefined;
  /** Method types in capitals. */
  readonly methodTypes: readonly string[] | undefined;
  readonly methodMetadata: readonly (readonly [key: string, value: string])[];
  readonly storageTypes: readonly string[] | undefined;
}

/** Default view: no filters, no items. */
export const plainFileView: FileView = {
  includeItem: false,
  schemes: undefined,
  methodTypes: undefined,
  methodMetadata: [],
  storageTypes: undefined,
};

/** The view of a caller to whom the bytes are closed. */
export const withoutAddresses = (view: FileView): FileView => ({ ...view, methodTypes: [] });

type ViewQuery = QueryOf<typeof viewParameters>;

export const fileViewOf = ({ includeItem, scheme, methodType, methodMetadata, storageType }: ViewQuery): FileView => ({
  includeItem,
  schemes: scheme?.map((each) => each.toLowerCase()),
  methodTypes: methodType?.map((each) => each.toUpperCase()),
  methodMetadata: methodMetadata.map(pairOf),
  storageTypes: storageType?.map((each) => each.toUpperCase()),
});

function pairOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

interface ShownMethod {
  readonly uri: string;
  readonly type: string;
  readonly storageType: string;
}

/** Whether the address of a method is one that the caller wants. */
function isShownIn(view: FileView, { uri, type, storageType }: ShownMethod): boolean {
  const kind = type === '' ? 'NONE' : type.toUpperCase();
  const kinds = view.methodTypes ?? ['NONE'];
  return (
    kinds.includes(kind) &&
    (view.schemes?.includes(schemeOf(uri)) ?? true) &&
    (view.storageTypes?.includes(storageType) ?? true)
  );
}

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
    const pairs = withSha256(metadata.get(id) ?? [], row);
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

type Pairs = readonly { readonly key: string; readonly value: string }[];

/** The SHA-256 is told where hashes of other algorithms are. One that a client has set comes first. */
function withSha256(pairs: Pairs, row: FileRow): Pairs {
  const value = sha256Of(row);
  return value === undefined || pairs.some(({ key }) => key === sha256Key)
    ? pairs
    : [...pairs, { key: sha256Key, value }];
}

const sha256Key = hashKey('SHA-256');

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
