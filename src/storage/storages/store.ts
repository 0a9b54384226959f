import { asc, eq, isNull, sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import { serialOf } from '../../core/lib/serial.ts';
import type { Statement } from '../../core/store/contract.ts';
import { expectVersion, guard } from '../../core/store/guard.ts';
import { rowsAmong, updateBy } from '../../core/store/rows.ts';
import { query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { file, storage, storageMethod } from '../tables.ts';

/** A storage that is not deleted. */
export const findStorage = query((db) =>
  db
    .select()
    .from(storage)
    .where(sql`${storage.id} = ${value('id')} AND ${isNull(storage.deletedAt)}`),
).first;

export type StorageRow = NonNullable<Awaited<ReturnType<typeof findStorage>>>;

/** Methods of a storage, the oldest first. */
export const methodsOf = query((db) =>
  db
    .select()
    .from(storageMethod)
    .where(eq(storageMethod.storageId, value('id')))
    .orderBy(asc(storageMethod.serial)),
);

/** Addresses among these that a storage has. `uris`: JSON, a list. */
export const addressesInUse = query<{ uri: typeof storageMethod.uri }, { uris: readonly string[] }>(
  sql`SELECT uri FROM storage_method WHERE uri IN ${valuesOf('uris')}
    AND EXISTS (SELECT 1 FROM storage WHERE storage.id = storage_id AND deleted_at IS NULL)`,
  { uri: storageMethod.uri },
);

export type MethodRow = Awaited<ReturnType<typeof methodsOf>>[number];

/** For commits that hold only as long as callers see the storage. */
export const storageThere = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM storage WHERE id = ${value('id')} AND deleted_at IS NULL)`,
);

const storageUnchanged = expectVersion(storage.id, storage.version);

const amongGiven = sql`IN ${valuesOf('ids')}`;

/** The given storages that are not deleted, unordered. */
export const storagesWith = query((db) =>
  db
    .select()
    .from(storage)
    .where(sql`${storage.id} ${amongGiven} AND ${isNull(storage.deletedAt)}`),
);

export const methodsOfAll = query((db) =>
  db
    .select()
    .from(storageMethod)
    .where(sql`${storageMethod.storageId} ${amongGiven}`)
    .orderBy(asc(storageMethod.serial)),
);

/** Files and bytes of each storage that has some. */
export const usageOf = query(
  sql`SELECT storage_id, SUM(files), SUM(bytes) FROM file_usage WHERE storage_id ${amongGiven} GROUP BY storage_id`,
  { id: storage.id, files: sql<number>``, bytes: sql<number>`` },
);

/** Bytes that the files of the row of a storage take. */
const used = sql`COALESCE((SELECT SUM(bytes) FROM file_usage WHERE storage_id = storage.id), 0)`;
/** SQL form of `freeOf`. */
export const freeBytes = sql`CASE WHEN auto_detect = 1 AND free_detected IS NOT NULL THEN free_detected
  ELSE MAX(0, capacity - ${used}) END`;
export const usedBytes = sql`CASE WHEN auto_detect = 1 AND free_detected IS NOT NULL THEN capacity - free_detected
  ELSE ${used} END`;
export const fileCount = sql`COALESCE((SELECT SUM(files) FROM file_usage WHERE storage_id = storage.id), 0)`;

const insertRow = statement(
  sql`INSERT INTO ${writes('storage')} (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval,
      show_importables, priority, rest, version, created_at)
    VALUES (${value('id')}, ${value('serial')}, ${value('type')}, ${value('state')}, ${value('capacity')},
      ${value('autoDetect')}, ${value('lowWatermark')}, ${value('highWatermark')}, ${value('scanInterval')},
      ${value('showImportables')}, ${value('priority')}, ${value('rest')}, 1, ${value('createdAt')})`,
);

/** Columns of a storage that callers decide. Scans write the rest of the row. */
export type StorageValues = Pick<
  StorageRow,
  | 'type'
  | 'state'
  | 'capacity'
  | 'autoDetect'
  | 'lowWatermark'
  | 'highWatermark'
  | 'scanInterval'
  | 'showImportables'
  | 'priority'
  | 'rest'
>;

export const insertStorage = (id: string, values: StorageValues, createdAt: number): Statement =>
  insertRow({ ...values, id, serial: serialOf(id), createdAt });

/** A scan may write the state and the capacity at any time: they stay where a change says nothing of them. */
const writeRow = statement(
  sql`UPDATE ${writes('storage')} SET type = ${value('type')}, state = COALESCE(${value('state')}, state),
      capacity = COALESCE(${value('capacity')}, capacity), auto_detect = ${value('autoDetect')},
      low_watermark = ${value('lowWatermark')}, high_watermark = ${value('highWatermark')},
      scan_interval = ${value('scanInterval')}, show_importables = ${value('showImportables')},
      priority = ${value('priority')}, rest = ${value('rest')}, version = version + 1
    WHERE id = ${value('id')}`,
);

type StorageWrite = { readonly [K in keyof StorageValues]?: StorageValues[K] | undefined };

/** The row as it is to be. It holds only where the row is still the one that was read, and callers see it. */
export function updateStorage(row: StorageRow, to: StorageWrite, changed: ServiceError): Statement[] {
  const { state = null, capacity = null, ...values } = to;
  return [
    storageThere({ id: row.id }, changed),
    storageUnchanged(row.id, row.version, changed),
    writeRow({ ...row, ...values, state, capacity }),
  ];
}

/** Asks for a scan now. One that runs goes on. */
export const scanNow = statement<{ id: string; now: number }>(
  sql`INSERT INTO ${writes('storage_scan')} (storage_id, due, instance, lease_until, fence, found)
    VALUES (${value('id')}, ${value('now')}, '', 0, 0, '{}')
    ON CONFLICT (storage_id) DO UPDATE SET due = MIN(COALESCE(due, excluded.due), excluded.due)`,
);

/** Leaves it to requests to ask for scans. */
export const scanNever = statement<{ id: string }>(
  sql`UPDATE ${writes('storage_scan')} SET due = NULL WHERE storage_id = ${value('id')} AND cursor IS NULL`,
);

/** Makes the storages between two serials due for a scan, except those of the type EXPORT. */
export const scanAllNow = statement<{ after: number; last: number; now: number }>(
  sql`INSERT INTO ${writes('storage_scan')} (storage_id, due, instance, lease_until, fence, found)
    SELECT id, ${value('now')}, '', 0, 0, '{}' FROM storage
      WHERE serial > ${value('after')} AND serial <= ${value('last')} AND deleted_at IS NULL AND type <> 'EXPORT'
    ON CONFLICT (storage_id) DO UPDATE SET due = MIN(COALESCE(due, excluded.due), excluded.due)`,
);

export const storagesBehind = query((db) =>
  db
    .select({ id: storage.id, serial: storage.serial })
    .from(storage)
    .where(sql`${storage.serial} > ${value('after')} AND ${isNull(storage.deletedAt)}`)
    .orderBy(asc(storage.serial))
    .limit(value('limit')),
);

/** The serials of the next storages behind one, to walk over all of them. */
export const nextSerials = query((db) =>
  db
    .select({ serial: storage.serial })
    .from(storage)
    .where(sql`${storage.serial} > ${value('after')} AND ${isNull(storage.deletedAt)}`)
    .orderBy(asc(storage.serial))
    .limit(value('limit')),
);

export const endEvacuation = statement<{ id: string }>(
  sql`UPDATE ${writes('storage')} SET state = 'EVACUATED', version = version + 1
    WHERE id = ${value('id')} AND state = 'EVACUATING'
      AND NOT EXISTS (SELECT 1 FROM file WHERE storage_id = ${value('id')})`,
);

/** The files behind a serial. Those that wait for their deletion are none. */
export const filesAfter = query((db) =>
  db
    .select({ id: file.id, serial: file.serial, path: file.path, size: file.size })
    .from(file)
    .where(sql`${file.storageId} = ${value('id')} AND ${file.serial} > ${value('after')} AND state <> 'TO_BE_DELETED'`)
    .orderBy(file.serial)
    .limit(value('limit')),
);

export const filesAmong = rowsAmong(file, 'id', 'ids', 'id');

/** Most pairs that an answer names. */
const maxPairs = 20;

const isThere = (id: string) => sql`EXISTS (SELECT 1 FROM storage WHERE id = ${sql.raw(id)} AND deleted_at IS NULL)`;
/** Folder of an address, whether or not it ends with a slash. */
const folderOf = (uri: string) => sql`rtrim(${sql.raw(uri)}, '/')`;

/**
 * Pairs of storages of which one has its folder inside the folder of the other. `id`: only pairs with this storage.
 * The index of addresses finds what begins with a folder and a slash: the next character of the alphabet is 0.
 * Without an order, which would need all pairs: storages of one folder have as many as the square of their number.
 */
export const overlappingFolders = query<
  { inner: ReturnType<typeof sql<string>>; outer: ReturnType<typeof sql<string>> },
  { id: string | null }
>(
  sql`SELECT DISTINCT below.storage_id AS inner, above.storage_id AS outer
    FROM storage_method AS above CROSS JOIN storage_method AS below
    WHERE instr(above.uri, '?') = 0 AND below.storage_id <> above.storage_id
      AND (below.uri = ${folderOf('above.uri')}
        OR (below.uri >= ${folderOf('above.uri')} || '/' AND below.uri < ${folderOf('above.uri')} || '0'))
      AND (${value('id')} IS NULL OR ${value('id')} IN (above.storage_id, below.storage_id))
      AND ${isThere('above.storage_id')} AND ${isThere('below.storage_id')}
    LIMIT ${maxPairs}`,
  { inner: sql<string>`inner`, outer: sql<string>`outer` },
);

/** Results of scans in methods and storages. Versions stay the same: they only count changes by callers. */

export const methodAnswered = statement<{ id: string; now: number; identity: string | null }>(
  sql`UPDATE ${writes('storage_method')} SET last_success = ${value('now')}, failure_message = NULL,
      identity = COALESCE(${value('identity')}, identity)
    WHERE id = ${value('id')}`,
);

export const methodFailed = updateBy(storageMethod, 'id', 'lastFailure', 'failureMessage');

/** States that callers have asked for stay. */
const unlessKept = (state: string) =>
  sql.raw(`CASE WHEN state IN ('NONE', 'READY', 'OFFLINE') THEN '${state}' ELSE state END`);

export const storageAnswered = statement<{ id: string; capacity: number | null; free: number | null }>(
  sql`UPDATE ${writes('storage')} SET state = ${unlessKept('READY')},
      capacity = CASE WHEN auto_detect = 1 THEN COALESCE(${value('capacity')}, capacity) ELSE capacity END,
      free_detected = CASE WHEN auto_detect = 1 THEN COALESCE(${value('free')}, free_detected) ELSE free_detected END
    WHERE id = ${value('id')}`,
);

export const storageSilent = statement<{ id: string }>(
  sql`UPDATE ${writes('storage')} SET state = ${unlessKept('OFFLINE')} WHERE id = ${value('id')}`,
);

/** A scan has come to its end. */
export const storageScanned = updateBy(storage, 'id', 'seenAt');

const isAway = sql`storage.state IN ('OFFLINE', 'FAILED') AND storage.deleted_at IS NULL`;

/** Storages that do not answer, with why. `isLast`: no other storage answers that takes files. */
export const silentStorages = query(
  sql`SELECT storage.id, storage.state,
      (SELECT failure_message FROM storage_method WHERE storage_id = storage.id AND failure_message IS NOT NULL
        ORDER BY last_failure DESC LIMIT 1),
      NOT EXISTS (SELECT 1 FROM storage AS other JOIN storage_method ON storage_id = other.id
        WHERE other.state IN ('NONE', 'READY') AND other.deleted_at IS NULL AND other.type <> 'SHARED' AND write = 1)
    FROM storage WHERE ${isAway} ORDER BY storage.serial LIMIT ${value('limit')}`,
  { id: sql<string>``, state: sql<string>``, why: sql<string | null>``, isLast: sql<number>`` },
);
