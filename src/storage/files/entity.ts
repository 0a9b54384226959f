import { isRefusal } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { badParameter } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Params, role } from '../../http/route.ts';
import { entityNamed } from '../../room/entities/find.ts';
import type { EntityResource } from '../../room/entities/place.ts';
import type { EntityKind } from '../../room/entity.ts';
import { storageNamed } from '../storages/entity.ts';
import { readUri } from './path.ts';
import { type FileUses, noSuchFile } from './rules.ts';
import { type FileRow, fileAt, filesAt, fileThere, findLiveFile, methodsAbove, usesOf } from './store.ts';

export const readFiles = role('_file_read');
export const writeFiles = role('_file_write');

/** A file of a storage that callers see. */
export const fileKind = (reader: Reader): EntityKind<FileRow> => ({
  type: 'file',
  noun: 'File',
  find: (id) => findLiveFile(reader, { id }),
  mustExist: (id, refusal) => fileThere({ id }, refusal),
});

/** Paths of single files in the API. Each route about one file exists at all of them. */
export interface FileAddresses {
  /** The paths of a file: what is asked of it follows them. */
  readonly paths: readonly string[];
  /** The file that the parameters of such a path name. Throws 404. */
  fileOf(params: Params): Promise<FileRow>;
}

/** By id or external id, by the path below its storage, by its address; with or without the storage. */
export const filePaths: readonly string[] = [
  '/file/:file{opaque}',
  '/storage/file/:file{opaque}',
  '/storage/:storage/file/:file{opaque}',
  '/storage/file/path/:path{opaque}',
  '/storage/:storage/file/path/:path{opaque}',
  '/storage/file/uri/:uri{opaque}',
  '/storage/:storage/file/uri/:uri{opaque}',
];

export function fileAddresses(reader: Reader): FileAddresses {
  return {
    paths: filePaths,
    async fileOf({ storage: name, file: id, path, uri = '' }) {
      const storage = name === undefined ? undefined : (await storageNamed(reader, name)).id;
      if (id !== undefined) return byId(id, storage);
      return path === undefined ? byUri(uri, storage) : byPath(path, storage);
    },
  };

  async function byId(id: string, storage: string | undefined): Promise<FileRow> {
    const row = await entityNamed(reader, fileKind(reader), id);
    if (storage === undefined || row.storageId === storage) return row;
    throw noSuchFile(id);
  }

  async function byPath(path: string, storage: string | undefined): Promise<FileRow> {
    if (storage !== undefined) return (await fileAt(reader, { storageId: storage, path })) ?? missing(path);
    const [row, other] = await filesAt(reader, { path });
    // A guess could change or delete the file that the caller does not mean.
    if (other) throw badParameter('path', 'Expected a storage in the address: several have this path', path);
    return row ?? missing(path);
  }

  async function byUri(uri: string, storage: string | undefined): Promise<FileRow> {
    for (const place of await fileLocations(reader, uri, storage)) {
      const row = await fileAt(reader, place);
      if (row) return row;
    }
    // Not the address: it may hold a password.
    throw noSuchFile('');
  }
}

function missing(path: string): never {
  throw noSuchFile(path);
}

export type FileLocation = { readonly storageId: string; readonly path: string };

/** The paths that an address can mean: one for each method above it, the nearest first. */
export async function fileLocations(
  reader: Reader,
  uri: string,
  storage: string | undefined,
): Promise<readonly FileLocation[]> {
  const { above, below } = readUri(uri);
  const methods = await methodsAbove(reader, { uris: above });
  return methods
    .filter(({ storageId }) => storage === undefined || storageId === storage)
    .toSorted((one, other) => other.uri.length - one.uri.length)
    .map((method) => ({ storageId: method.storageId, path: below(method.uri) }));
}

/** The same of a text that may be no address: then there are none. */
export async function placesAt(reader: Reader, text: string): Promise<readonly FileLocation[]> {
  try {
    return await fileLocations(reader, text, undefined);
  } catch (error) {
    // A database that fails says nothing of files.
    if (isRefusal(error)) return [];
    throw error;
  }
}

/** Name of the last segment of a path, such as `file` of `/file/:file{opaque}`. */
const lastSegment = (path: string): string => /:(\w+)(?:\{\w+\})?$/.exec(path)![1]!;

/** Key-value places of files at each of their addresses. Changes of metadata send no events. */
export const filePlaces = ({ paths, fileOf }: FileAddresses): readonly EntityResource<FileRow>[] =>
  paths.map((path) => ({
    path,
    read: readFiles,
    write: writeFiles,
    acting: 'allowed',
    kind: { type: 'file', noun: 'File' },
    entities: () => ({
      [lastSegment(path)]: {
        kind: 'file',
        find: (_text, _caller, segments) => fileOf(segments as Params),
        stays: ({ id }) => fileThere({ id }, noSuchFile(id)),
      } satisfies PathEntity<FileRow> as PathEntity,
    }),
  }));

/** Shapes and items that use the file, as in its events. */
export async function usesOfFile(reader: Reader, id: string): Promise<FileUses> {
  const rows = await usesOf(reader, { ids: [id] });
  return {
    shapeId: [...new Set(rows.map(({ shapeId }) => shapeId))],
    itemId: [...new Set(rows.map(({ itemId }) => itemId))],
  };
}
