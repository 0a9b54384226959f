import { asc, sql } from 'drizzle-orm';
import { dueWhile } from '../../../core/store/due.ts';
import { guard } from '../../../core/store/guard.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import type { FileHashes } from '../../files/hashes.ts';
import { file, publication, storage } from '../../tables.ts';

const asCompared = {
  id: file.id,
  path: file.path,
  state: file.state,
  size: file.size,
  modified: file.modified,
  content: file.content,
  /** Without the hash itself: handing a million hashes to the main thread would be wasted. */
  hashed: sql<number>`${file.hash} IS NOT NULL`,
  hashDue: file.hashDue,
  changedAt: file.changedAt,
  timestamp: file.timestamp,
  version: file.version,
};

/** The files of a storage between two paths, the latter one with it, in the order of their bytes. */
export const filesBetween = query((db) =>
  db
    .select(asCompared)
    .from(file)
    .where(
      sql`${file.storageId} = ${value('id')} AND ${file.path} > ${value('after')} AND ${file.path} <= ${value('upTo')}
        AND state <> 'TO_BE_DELETED'`,
    )
    .orderBy(asc(file.path))
    .limit(value('limit')),
);

/**
 * The closed files between two paths as one text, which `isUnchanged` compares with a listing: a row for each file would
 * cost more than the walk. `files`: files in any state, up to the limit.
 */
export const closedBetween = query(
  sql`SELECT COUNT(*), group_concat(line, char(10)) FROM (SELECT CASE WHEN state = 'CLOSED' THEN
      path || char(10) || content || char(10) || COALESCE(size, '') || char(10) || COALESCE(modified, '') END AS line
    FROM file WHERE storage_id = ${value('id')} AND path > ${value('after')} AND path <= ${value('upTo')}
      AND state <> 'TO_BE_DELETED' ORDER BY path LIMIT ${value('limit')})`,
  { files: sql<number>``, text: sql<string | null>`` },
);

export type KnownFile = Awaited<ReturnType<typeof filesBetween>>[number];

/** Columns of a file that scans write. */
export type FileFacts = Omit<KnownFile, 'id' | 'path' | 'version'> & {
  readonly identity?: string | null;
} & Partial<FileHashes>;

/** Open files of a storage that cannot be listed, in the order of their serials. */
export const openFiles = query((db) =>
  db
    .select({ ...asCompared, serial: file.serial })
    .from(file)
    .where(sql`${file.storageId} = ${value('id')} AND ${file.state} = 'OPEN' AND ${file.serial} > ${value('after')}`)
    .orderBy(asc(file.serial))
    .limit(value('limit')),
);

const restingIn = sql`SELECT 1 FROM file WHERE file.storage_id = storage.id AND file.state = 'OPEN'`;

/** Storages that are scanned, and list their files. */
const scanned = sql`storage.deleted_at IS NULL AND storage.scan_interval >= 0 AND storage.type <> 'EXPORT'
  AND EXISTS (SELECT 1 FROM storage_method AS method WHERE method.storage_id = storage.id AND method.browse = 1)`;

/** While a storage has an open file, scans may be too far apart to close it. */
export const filesMayRest = dueWhile(sql`SELECT 1 FROM storage WHERE ${scanned} AND EXISTS (${restingIn})`);

export const storagesWithOpenFiles = query(
  sql`SELECT storage.id FROM storage WHERE ${scanned} AND EXISTS (${restingIn} AND file.timestamp >= ${value('since')})
    ORDER BY storage.serial LIMIT ${value('limit')}`,
  { id: storage.id },
);

/** Open files of a storage that changed since a time: the last ones first. */
export const recentlyOpen = query(
  sql`SELECT path, timestamp, content FROM file WHERE storage_id = ${value('id')} AND timestamp >= ${value('since')}
    AND state = 'OPEN' ORDER BY timestamp DESC LIMIT ${value('limit')}`,
  { path: file.path, timestamp: file.timestamp, content: file.content },
);

/** Paths whose bytes the service is about to change, or to remove. */
export const pathsInWork = query((db) =>
  db
    .select({ path: publication.path })
    .from(publication)
    .where(
      sql`${publication.storageId} = ${value('id')} AND ${publication.path} > ${value('after')}
        AND ${publication.path} <= ${value('upTo')}`,
    ),
);

/** Files between two paths whose bytes wait for their deletion. */
export const waitingBetween = query((db) =>
  db
    .select({ path: file.path, content: file.content })
    .from(file)
    .where(
      sql`${file.storageId} = ${value('id')} AND ${file.path} > ${value('after')} AND ${file.path} <= ${value('upTo')}
        AND state = 'TO_BE_DELETED'`,
    )
    .orderBy(asc(file.path))
    .limit(value('limit')),
);

/** The given files that are targets of unfinished uploads in parts. */
export const uploading = query(
  sql`SELECT file_id FROM transfer WHERE state = 'TRANSFERRING' AND storage_id = ${value('id')}
    AND file_id IN ${valuesOf('ids')}`,
  { id: file.id },
);

/** Sequence number of the newest event. */
export const lastEvent = query(sql`SELECT COALESCE(MAX(sequence), 0) FROM event`, {
  sequence: sql<number>``,
});

/** A file was deleted since. */
export const deletedSince = query((db) =>
  db
    .select({ found: sql<number>`1` })
    .from(sql`event`)
    .where(sql`sequence > ${value('sequence')} AND name = 'file/delete'`)
    .limit(1),
).first;

/** Rows of a statement as one JSON text, and a column of them. */
export const rowSource = sql`${eachOf('rows')} AS given`;
export const columnOf = (name: string) => sql.raw(`given.value ->> '${name}'`);

/** Each row is still the one that was read. */
export const filesUnchanged = guard<{ rows: readonly unknown[]; count: number }>(
  sql`(SELECT COUNT(*) FROM ${rowSource} CROSS JOIN file
    WHERE file.id = ${columnOf('id')} AND file.version = ${columnOf('version')}) = ${value('count')}`,
);

/** No live file has one of these paths. */
export const pathsFree = guard<{ rows: readonly unknown[]; id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM ${rowSource} CROSS JOIN file
    WHERE file.storage_id = ${value('id')} AND file.path = ${columnOf('path')} AND file.state <> 'TO_BE_DELETED')`,
);

/** Current versions of the given files that still have the version that was read. */
export const versionsNow = query(
  sql`SELECT id, version FROM file WHERE id IN (SELECT ${columnOf('id')} FROM ${rowSource})`,
  {
    id: file.id,
    version: file.version,
  },
);

/** The given paths that a live file has. */
export const pathsTaken = query(
  sql`SELECT file.path FROM ${rowSource} CROSS JOIN file
    WHERE file.storage_id = ${value('id')} AND file.path = ${columnOf('path')} AND file.state <> 'TO_BE_DELETED'`,
  { path: file.path },
);

/** Inserts all rows by one statement: building one statement for each row costs more than its execution. */
export const insertFiles = statement<{ rows: readonly unknown[]; id: string }>(
  sql`INSERT INTO ${writes('file')} (id, serial, storage_id, path, folder, name, extension, state, size, modified, content, identity,
      hash, digest, hash_due, changed_at, timestamp, version)
    SELECT ${columnOf('id')}, ${columnOf('serial')}, ${value('id')}, ${columnOf('path')}, ${columnOf('folder')}, ${columnOf('name')},
      ${columnOf('extension')}, ${columnOf('state')}, ${columnOf('size')}, ${columnOf('modified')}, ${columnOf('content')}, ${columnOf('identity')},
      ${columnOf('hash')}, ${columnOf('digest')}, ${columnOf('hashDue')}, ${columnOf('changedAt')}, ${columnOf('timestamp')}, 1
    FROM ${rowSource} WHERE TRUE`,
);

export const updateFiles = statement<{ rows: readonly unknown[] }>(
  sql`UPDATE ${writes('file')} SET state = ${columnOf('state')}, size = ${columnOf('size')}, modified = ${columnOf('modified')},
      content = ${columnOf('content')}, identity = COALESCE(${columnOf('identity')}, identity),
      hash = CASE WHEN ${columnOf('hashed')} = 1 THEN hash END,
      digest = CASE WHEN ${columnOf('hashed')} = 1 THEN digest END, hash_due = ${columnOf('hashDue')},
      changed_at = ${columnOf('changedAt')}, timestamp = ${columnOf('timestamp')}, version = version + 1
    FROM ${rowSource} WHERE file.id = ${columnOf('id')}`,
);

/** Writes the file's times from the storage, in milliseconds since the epoch. */
export const writeTimes = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'file' AND key IN ('created', 'mtime')
    AND entity_id IN (SELECT ${columnOf('id')} FROM ${rowSource})`,
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT 'file', ${columnOf('id')}, times.key, 0, CAST(times.value AS TEXT)
    FROM ${rowSource}, json_each(${columnOf('times')}) AS times`,
].map((template) => statement<{ rows: readonly unknown[] }>(template));
