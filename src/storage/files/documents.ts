import { groupBy } from '../../core/lib/group-by.ts';
import { askEach } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { flag, list, type QueryOf, repeated, text } from '../../http/parameters/index.ts';
import { simpleMetadata } from '../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { File } from '../documents.ts';
import { schemeOf } from '../drivers.ts';
import { knownGroups, storageNamed } from '../storages/entity.ts';
import { storagesAmongGroups } from '../storages/groups-sql.ts';
import type { AutoAddresses } from './auto-addresses.ts';
import { sha256Of } from './hashes.ts';
import { encodedPath, fileUri } from './path.ts';
import { hashKey } from './rules.ts';
import { type FileRow, readableMethods, usesOf } from './store.ts';

/** Query parameters for the addresses of files in answers. */
export const addressParameters = {
  scheme: list(text('Only addresses of these schemes, such as "http"')),
  methodType: list(
    text(
      'Addresses by methods of these types, instead of methods without a type. AUTO: links to this service, which need no credentials and end',
    ),
  ),
  methodMetadata: repeated('Only addresses of methods with this metadata: "key=value"'),
  storageType: list(text('Only addresses on storages of these types')),
};

/** Query parameters for the details of files in answers: addresses for reading, and uses. */
export const viewParameters = {
  includeItem: flag('Adds the items, shapes and components that use a file', false),
  ...addressParameters,
};

/** Query parameters that choose files, by their addresses too. */
export const fileChoiceParameters = {
  ...addressParameters,
  storage: list(text('Only files on these storages')),
  storageGroup: list(text('Only files on storages in these groups')),
  uriType: list(text('Only files with these endings of their names, such as "mp4"')),
  type: list(text('Alias of "uriType"')),
};

/** Files that an answer has. The others are left out, and so is a shape without any of them. */
interface FileChoice {
  readonly endings: readonly string[] | undefined;
  readonly storages: ReadonlySet<string> | undefined;
  readonly groups: readonly string[] | undefined;
  /** Whether files without an address are left out. */
  readonly hasAddress: boolean;
}

export interface FileView {
  readonly includeItem: boolean;
  readonly schemes: readonly string[] | undefined;
  /** Method types in capitals. */
  readonly methodTypes: readonly string[] | undefined;
  readonly methodMetadata: readonly (readonly [key: string, value: string])[];
  readonly storageTypes: readonly string[] | undefined;
  /** Undefined: all files. */
  readonly choice?: FileChoice | undefined;
  /** Makes addresses of the type AUTO. Undefined: none are wanted. */
  readonly auto?: AutoAddresses | undefined;
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
export const withoutAddresses = ({ choice, ...view }: FileView): FileView => ({
  ...view,
  methodTypes: [],
  auto: undefined,
  ...(choice && { choice: { ...choice, hasAddress: false } }),
});

type ViewQuery = QueryOf<typeof addressParameters> & { readonly includeItem?: boolean };

/** `auto`: makes the addresses of the type AUTO, for callers who ask for them. */
export function fileViewOf(query: ViewQuery, auto: AutoAddresses | undefined): FileView {
  const { includeItem = false, scheme, methodType, methodMetadata, storageType } = query;
  const view = {
    includeItem,
    schemes: scheme?.map((each) => each.toLowerCase()),
    methodTypes: methodType?.map((each) => each.toUpperCase()),
    methodMetadata: methodMetadata.map(pairOf),
    storageTypes: storageType?.map((each) => each.toUpperCase()),
  };
  return { ...view, auto: wantsAuto(view) ? auto : undefined };
}

/** Whether the method of the service is among those that a caller asks for: by its type, or by its metadata alone. */
function wantsAuto({ methodTypes, methodMetadata, schemes }: FileView): boolean {
  const isNamed = methodTypes?.includes('AUTO') ?? methodMetadata.length > 0;
  const fits = methodMetadata.every(
    ([key, value]) => key.toLowerCase() === 'format' && value.toUpperCase() === 'SIGNED-AUTO',
  );
  // The proxy before the service decides which of the two it is.
  return isNamed && fits && (schemes?.some((scheme) => scheme === 'http' || scheme === 'https') ?? true);
}

/** View of files with those that the caller chooses. 404 if a named storage or group is missing. */
export async function chosenFileViewOf(
  reader: Reader,
  query: QueryOf<typeof fileChoiceParameters>,
  auto: AutoAddresses | undefined,
): Promise<FileView> {
  const { scheme, methodType, methodMetadata, storageType, storage, storageGroup, type, uriType = type } = query;
  const hasAddress = [scheme, methodType, storageType].some((each) => each !== undefined) || methodMetadata.length > 0;
  const view = fileViewOf(query, auto);
  if (!hasAddress && [storage, storageGroup, uriType].every((each) => each === undefined)) return view;
  const named = storage && (await askEach(storage, (name) => storageNamed(reader, name)));
  const choice = {
    endings: uriType?.map((each) => each.toLowerCase()),
    storages: named && new Set(named.map(({ id }) => id)),
    groups: storageGroup && (await knownGroups(reader, storageGroup)),
    hasAddress,
  };
  return { ...view, choice };
}

/** The files of a choice, as far as their rows tell. */
async function rowsOf(
  reader: Reader,
  rows: readonly FileRow[],
  choice: FileChoice | undefined,
): Promise<readonly FileRow[]> {
  if (!choice) return rows;
  const { endings, storages, groups } = choice;
  const chosen = rows.filter(
    ({ extension, storageId }) => (endings?.includes(extension) ?? true) && (storages?.has(storageId) ?? true),
  );
  if (!groups) return chosen;
  const members = await storagesAmongGroups(reader, { groups, ids: storageIds(chosen) });
  const ids = new Set(members.map(({ id }) => id));
  return chosen.filter(({ storageId }) => ids.has(storageId));
}

const storageIds = (rows: readonly FileRow[]): readonly string[] => [
  ...new Set(rows.map(({ storageId }) => storageId)),
];

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
  given: readonly FileRow[],
  view: FileView,
): Promise<readonly File[]> {
  const rows = await rowsOf(reader, given, view.choice);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const readable = await readableMethods(reader, { ids: storageIds(rows) });
  const methods = groupBy(await methodsShown(reader, readable, view), ({ storageId }) => storageId);
  const autoMethods = view.auto && (await view.auto(rowsOfStorages(rows, readable, view)));
  const metadata = await keyValuesOf(reader, 'file', ids);
  const uses = view.includeItem ? groupBy(await usesOf(reader, { ids }), ({ fileId }) => fileId) : undefined;
  const documents = rows.map((row) => {
    const { id, path, state, size, hash, timestamp, storageId } = row;
    const encoded = encodedPath(path);
    const pairs = withSha256(metadata.get(id) ?? [], row);
    const items = uses && itemsOf(uses.get(id) ?? []);
    return {
      id,
      path,
      uri: [
        ...(methods.get(storageId) ?? []).map(({ uri }) => fileUri(uri, encoded)),
        ...(autoMethods?.has(id) ? [autoMethods.get(id)!] : []),
      ],
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
  return view.choice?.hasAddress ? documents.filter(({ uri }) => uri.length > 0) : documents;
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

/** Files on storages that can be read. */
function rowsOfStorages(rows: readonly FileRow[], readable: readonly Method[], { storageTypes }: FileView) {
  const isWanted = ({ storageType }: Method): boolean => storageTypes?.includes(storageType) ?? true;
  const ids = new Set(readable.filter(isWanted).map(({ storageId }) => storageId));
  return rows.filter(({ storageId }) => ids.has(storageId));
}

async function methodsShown(reader: Reader, readable: readonly Method[], view: FileView): Promise<readonly Method[]> {
  const methods = readable.filter((each) => isShownIn(view, each));
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
