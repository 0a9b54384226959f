import { getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import { serialOf } from '../../core/lib/serial.ts';
import type { Statement } from '../../core/store/contract.ts';
import { expectVersion, guard } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, rowsAmong } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../core/store/statement.ts';
import { file, fileUse, storage, storageMethod } from '../tables.ts';

export const findFile = rowBy(file, 'id');

export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>;

/** The file that has a path. One that waits for its deletion has none. */
export const fileAt = query((db) =>
  db
    .select()
    .from(file)
    .where(
      sql`${file.storageId} = ${value('storageId')} AND ${file.path} = ${value('path')} AND state <> 'TO_BE_DELETED'`,
    ),
).first;

/** Inside of a commit or a query: the storage of a row is one that callers see. */
const seen = sql`EXISTS (SELECT 1 FROM storage WHERE storage.id = file.storage_id AND deleted_at IS NULL)`;

/** Like `findFile`, without files of deleted storages. */
export const findLiveFile = query((db) =>
  db
    .select()
    .from(file)
    .where(sql`${file.id} = ${value('id')} AND ${seen}`),
).first;

export const fileThere = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM file WHERE id = ${value('id')} AND ${seen})`);

/** The files of all storages that have a path, each storage by its index: two at most, because one is what a caller means. */
export const filesAt = query((db) =>
  db
    .select(getTableColumns(file))
    .from(storage)
    .crossJoin(file)
    .where(
      sql`${isNull(storage.deletedAt)} AND ${file.storageId} = ${storage.id} AND ${file.path} = ${value('path')}
        AND ${file.state} <> 'TO_BE_DELETED'`,
    )
    .limit(2),
);

/** The methods of live storages at these addresses, whatever their query. `uris`: JSON, a list. */
export const methodsAbove = query(
  sql`SELECT storage_method.storage_id, storage_method.uri
    FROM ${eachOf('uris')} AS given CROSS JOIN storage_method CROSS JOIN storage
    WHERE (uri = given.value OR (uri > given.value || '?' AND uri < given.value || '@'))
      AND storage.id = storage_id AND deleted_at IS NULL`,
  { storageId: storageMethod.storageId, uri: storageMethod.uri },
);

/** The readable methods of storages, with the type of their storage, in the order in which they were added. */
export const readableMethods = query(
  sql`SELECT storage_method.id, storage_id, uri, storage_method.type, storage.type
    FROM ${eachOf('ids')} AS given CROSS JOIN storage_method CROSS JOIN storage
    WHERE storage_id = given.value AND read = 1 AND storage.id = storage_id
    ORDER BY storage_method.serial`,
  {
    id: storageMethod.id,
    storageId: storageMethod.storageId,
    uri: storageMethod.uri,
    type: storageMethod.type,
    storageType: storage.type,
  },
);

/** Condition: a local storage. Only local identities show that two paths have the same bytes. */
export const isLocal = (storage: SQL): SQL => sql`EXISTS (SELECT 1 FROM storage_method
  WHERE storage_id = ${storage} AND (uri LIKE 'file:%'))`;

/** Query of the files with the same bytes as one, since storages may be nested. */
export const sameBytes = (
  id: SQL,
): SQL => sql`SELECT ${id} UNION SELECT other.id FROM file AS own CROSS JOIN file AS other
  ON other.identity = own.identity AND other.identity IS NOT NULL
  WHERE own.id = ${id} AND ${isLocal(sql`own.storage_id`)} AND ${isLocal(sql`other.storage_id`)}`;

/** The components that use files, for a page of files in one read. */
export const usesOf = rowsAmong(fileUse, 'fileId', 'ids');

const insertRow = insertInto(file);

const writeRow = statement(
  sql`UPDATE ${writes('file')} SET state = ${value('state')}, size = ${value('size')}, modified = ${value('modified')},
      content = ${value('content')}, identity = ${value('identity')}, hash = ${value('hash')},
      digest = ${value('digest')}, hash_due = ${value('hashDue')}, changed_at = ${value('changedAt')}, timestamp = ${value('timestamp')},
      delete_due = ${value('deleteDue')}, version = version + 1
    WHERE id = ${value('id')}`,
);

export const deleteRow = deleteBy(file, 'id');

export const fileUnchanged = expectVersion(file.id, file.version);

export type NewFile = Omit<FileRow, 'serial' | 'folder' | 'name' | 'extension' | 'version'>;

/** `pathTaken`: the refusal where another file has the path. */
export const insertFile = (row: NewFile, pathTaken: ServiceError): Statement => insertRow(newRow(row), pathTaken);

/** The row that `insertFile` makes. */
export const newRow = (row: NewFile): FileRow => ({
  ...row,
  ...pathNames(row.path),
  serial: serialOf(row.id),
  version: 1,
});

/** The row as it is to be. It holds only where the row is still the one that was read. */
export const updateFile = (row: FileRow, to: Partial<NewFile>, changed: ServiceError): Statement[] => [
  fileUnchanged(row.id, row.version, changed),
  writeRow({ ...row, ...to, id: row.id }, changed),
];

/** The folder of a path, its last part, and what follows the last dot of that. */
export function pathNames(path: string): Pick<FileRow, 'folder' | 'name' | 'extension'> {
  const begin = path.lastIndexOf('/') + 1;
  const name = path.slice(begin);
  const dot = name.lastIndexOf('.');
  return { folder: path.slice(0, begin), name, extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : '' };
}

/** No component has the file. */
export const fileUnused = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = ${value('id')})`,
);

export const removeUses = deleteBy(fileUse, 'fileId');

export const removeUsesOfItem = deleteBy(fileUse, 'fileId', 'itemId');

type Both = { readonly from: string; readonly to: string };

/** Copies the uses of a file: components of the source use the target, too. */
export const copyUses = statement<Both>(
  sql`INSERT INTO ${writes('file_use')} (file_id, item_id, shape_id, component_id)
    SELECT ${value('to')}, item_id, shape_id, component_id FROM file_use WHERE file_id = ${value('from')}`,
);

export const copyFileKeys = statement<Both>(
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT 'file', ${value('to')}, key, position, value FROM key_value
    WHERE entity_type = 'file' AND entity_id = ${value('from')}`,
);

/** A request that names the file by an old name means the new one. */
export const moveExternalIds = statement<Both>(
  sql`UPDATE ${writes('external_id')} SET entity_id = ${value('to')} WHERE entity_type = 'file' AND entity_id = ${value('from')}`,
);
