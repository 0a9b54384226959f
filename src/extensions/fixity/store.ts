import { asc, type SQL, sql } from 'drizzle-orm';
import { guard, rowExists } from '../../core/store/guard.ts';
import { rowBy, updateBy } from '../../core/store/rows.ts';
import { query, statement, value, writes } from '../../core/store/statement.ts';
import { deleted, goesWith, inserted, moved, triggers, updated } from '../../core/store/triggers-sql.ts';
import { file, storage } from '../../storage/public-reading.ts';
import { fixityCount, fixityFile, fixityStorage } from './tables.ts';

/** Milliseconds for each of the days: a file is due after nine tenths of them, so that it is read within them. */
const nearlyDay = (86_400_000 * 9) / 10;

/** Rows of a page of statements: one takes some milliseconds. */
const pageFiles = 500;

const stateOf = (row: string): string => `CASE WHEN ${row}hash IS NULL THEN 'unhashed' ELSE 'waiting' END`;

/** A new hash was made of the bytes: the days count from then on. */
const added = `INSERT INTO fixity_file (file_id, storage_id, serial, state, due)
         SELECT NEW.id, NEW.storage_id, NEW.serial, ${stateOf('NEW.')}, NEW.timestamp + ${nearlyDay} * days
         FROM fixity_storage WHERE storage_id = NEW.storage_id AND days > 0
         ON CONFLICT DO NOTHING`;
const anew = ['DELETE FROM fixity_file WHERE file_id = NEW.id', added];

const counted = (row: string, sign: string): string => `INSERT INTO fixity_count (storage_id, state, files)
    VALUES (${row}.storage_id, ${row}.state, ${sign === '+' ? 1 : -1})
    ON CONFLICT (storage_id, state) DO UPDATE SET files = files + excluded.files`;

const isChecked = 'EXISTS (SELECT 1 FROM fixity_storage WHERE storage_id = NEW.storage_id)';
const isOther = 'OLD.hash IS NOT NEW.hash AND EXISTS (SELECT 1 FROM fixity_file WHERE file_id = NEW.id)';

/** Files of checked storages, whatever makes and changes them. */
export const fixitySchema = (): readonly string[] =>
  triggers({
    fixity_file_new: inserted('file', added, isChecked),
    fixity_file_gone: deleted('file', goesWith({ fixity_file: 'file_id' })),
    fixity_file_carried: updated('file', 'storage_id', anew, 'OLD.storage_id <> NEW.storage_id'),
    // A new hash means other bytes, or was set by a client: results of earlier checks no longer hold.
    fixity_file_hashed: updated('file', 'hash', anew, isOther),
    fixity_storage_gone: deleted('storage', goesWith({ fixity_storage: 'storage_id', fixity_count: 'storage_id' })),
    fixity_counted: inserted('fixity_file', counted),
    fixity_uncounted: deleted('fixity_file', counted),
    fixity_recounted: moved('fixity_file', 'state', counted, 'OLD.state <> NEW.state'),
  });

const isLive = sql`EXISTS (SELECT 1 FROM storage WHERE storage.id = fixity_storage.storage_id AND deleted_at IS NULL)`;
const first = sql`CASE WHEN cursor IS NOT NULL OR days = 0 THEN 0 ELSE
  (SELECT min(due) FROM fixity_file WHERE fixity_file.storage_id = fixity_storage.storage_id) END`;

export const fixityDue = sql`SELECT min(max(${first}, lease_until)) FROM fixity_storage WHERE ${isLive}`;

/** Storages with files to read, those first whose file waits longest. */
export const dueStorages = query(
  sql`SELECT storage_id, due FROM (SELECT storage_id, ${first} AS due FROM fixity_storage
      WHERE lease_until <= ${value('now')} AND ${isLive})
    WHERE due <= ${value('now')} ORDER BY due LIMIT ${value('limit')}`,
  { storageId: fixityStorage.storageId, due: sql<number>`` },
);

export const findSchedule = rowBy(fixityStorage, 'storageId');
export type Schedule = NonNullable<Awaited<ReturnType<typeof findSchedule>>>;

/** Files get their rows from the first one on. Those that have one are due within the new days. */
export const putSchedule = statement<Pick<Schedule, 'storageId' | 'days' | 'bytesPerSecond'>>(
  sql`INSERT INTO ${writes('fixity_storage')} (storage_id, days, bytes_per_second, cursor, lease_until, fence)
    VALUES (${value('storageId')}, ${value('days')}, ${value('bytesPerSecond')}, 0, 0, 0)
    ON CONFLICT (storage_id) DO UPDATE SET bytes_per_second = excluded.bytes_per_second,
      cursor = 0, days = excluded.days`,
);

/** Callers see no schedule from now on. Work deletes the rows of its files. */
export const endSchedule = statement<{ storageId: string }>(
  sql`UPDATE ${writes('fixity_storage')} SET days = 0, cursor = NULL, reading = NULL WHERE storage_id = ${value('storageId')}`,
);

/** Guard: this instance still reads the files of the storage. */
export const leaseHolds = rowExists(fixityStorage, 'storageId', 'fence');

export const takeLease = statement<{ storageId: string; until: number }>(
  sql`UPDATE ${writes('fixity_storage')} SET lease_until = ${value('until')}, fence = fence + 1
    WHERE storage_id = ${value('storageId')}`,
);
export const moveLease = updateBy(fixityStorage, 'storageId', 'leaseUntil');
export const endLeases = statement(
  sql`UPDATE ${writes('fixity_storage')} SET lease_until = 0 WHERE lease_until > 0 RETURNING storage_id`,
  { returns: true },
);

export const keepReading = updateBy(fixityStorage, 'storageId', 'reading');
export const endReading = statement<{ storageId: string; fileId: string }>(
  sql`UPDATE ${writes('fixity_storage')} SET reading = NULL
    WHERE storage_id = ${value('storageId')} AND reading ->> 'fileId' = ${value('fileId')}`,
);

const nextFiles = sql`SELECT id, storage_id, serial, hash FROM file WHERE storage_id = ${value('storageId')}
  AND serial > (SELECT cursor FROM fixity_storage WHERE storage_id = ${value('storageId')})
  ORDER BY serial LIMIT ${sql.raw(String(pageFiles))}`;

/** Gives the next files of a storage their rows, and moves its cursor behind them. */
export const addFiles = [
  sql`INSERT INTO ${writes('fixity_file')} (file_id, storage_id, serial, state, due)
    SELECT id, storage_id, serial, ${sql.raw(stateOf(''))}, ${value('now')} FROM (${nextFiles}) WHERE TRUE
    ON CONFLICT (file_id) DO UPDATE SET due = min(due, COALESCE(checked_at, excluded.due) + ${value('rest')})`,
  sql`UPDATE ${writes('fixity_storage')} SET cursor = (SELECT max(serial) FROM (${nextFiles}))
    WHERE storage_id = ${value('storageId')}`,
].map((template) => statement<{ storageId: string; now: number; rest: number }>(template));

/** Deletes some rows of a storage that is switched off, and its schedule with the last ones. */
export const removeFiles = [
  sql`DELETE FROM ${writes('fixity_file')} WHERE file_id IN (SELECT file_id FROM fixity_file
    WHERE storage_id = ${value('storageId')} LIMIT ${sql.raw(String(pageFiles))})`,
  sql`DELETE FROM ${writes('fixity_storage')} WHERE storage_id = ${value('storageId')} AND days = 0
    AND NOT EXISTS (SELECT 1 FROM fixity_file WHERE storage_id = ${value('storageId')})`,
].map((template) => statement<{ storageId: string }>(template));

/** The files of a storage that are due, the longest due first, with what their rows say of the bytes. */
export const dueFiles = query((db) =>
  db
    .select({
      id: file.id,
      storageId: file.storageId,
      path: file.path,
      state: file.state,
      size: file.size,
      hash: file.hash,
      digest: file.digest,
      found: fixityFile.state,
      verifiedAt: fixityFile.verifiedAt,
    })
    .from(fixityFile)
    .innerJoin(file, sql`${file.id} = ${fixityFile.fileId}`)
    .where(sql`${fixityFile.storageId} = ${value('storageId')} AND ${fixityFile.due} <= ${value('now')}`)
    .orderBy(asc(fixityFile.due))
    .limit(value('limit')),
);
export type DueFile = Awaited<ReturnType<typeof dueFiles>>[number];

/** Guard: the file is what it was when its check began. */
export const fileAsChecked = guard<Pick<DueFile, 'id' | 'storageId' | 'path' | 'hash'>>(
  sql`EXISTS (SELECT 1 FROM file WHERE id = ${value('id')} AND storage_id = ${value('storageId')}
    AND path = ${value('path')} AND hash IS ${value('hash')} AND state <> 'TO_BE_DELETED')`,
);

export const writeOutcome = updateBy(fixityFile, 'fileId', 'state', 'due', 'checkedAt', 'verifiedAt', 'says');
export const putOff = updateBy(fixityFile, 'fileId', 'due', 'says');
export const setDue = updateBy(fixityFile, 'fileId', 'due');

/** Adds the SHA-256 to a SHA-1 that the same bytes have. */
export const addDigest = statement<{ id: string; hash: string; digest: string }>(
  sql`UPDATE ${writes('file')} SET digest = ${value('digest')}, version = version + 1
    WHERE id = ${value('id')} AND hash = ${value('hash')}`,
);

const shown = {
  id: file.id,
  path: file.path,
  size: file.size,
  state: fixityFile.state,
  due: fixityFile.due,
  checkedAt: fixityFile.checkedAt,
  verifiedAt: fixityFile.verifiedAt,
  says: fixityFile.says,
};

const pageWhere = (condition: SQL) =>
  query((db) =>
    db
      .select(shown)
      .from(fixityFile)
      .innerJoin(file, sql`${file.id} = ${fixityFile.fileId}`)
      .where(sql`${fixityFile.storageId} = ${value('storageId')} AND ${condition}`)
      .orderBy(asc(fixityFile.serial))
      .limit(value('limit'))
      .offset(value('offset')),
  ).reaching({ upTo: 'limit' });

/** A page of the files of a storage, in the order of their serials. */
export const fixityPage = pageWhere(sql`TRUE`);
/** A page of the files of a storage in one state. */
export const fixityPageOf = pageWhere(sql`${fixityFile.state} = ${value('state')}`);

export const fixityOf = query((db) =>
  db
    .select(shown)
    .from(fixityFile)
    .innerJoin(file, sql`${file.id} = ${fixityFile.fileId}`)
    .where(sql`${fixityFile.fileId} = ${value('id')}`),
).first;

export const countsOf = query((db) =>
  db
    .select({ state: fixityCount.state, files: fixityCount.files })
    .from(fixityCount)
    .where(sql`${fixityCount.storageId} = ${value('storageId')}`),
);

/** Checked storages, with their counts, and when the longest waiting file was due. */
export const schedules = query(
  sql`SELECT fixity_storage.storage_id, days, bytes_per_second,
      (SELECT min(due) FROM fixity_file WHERE fixity_file.storage_id = fixity_storage.storage_id),
      (SELECT json_group_object(state, files) FROM fixity_count WHERE fixity_count.storage_id = fixity_storage.storage_id)
    FROM fixity_storage CROSS JOIN storage ON storage.id = fixity_storage.storage_id
    WHERE days > 0 AND deleted_at IS NULL ORDER BY storage.serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  {
    storageId: storage.id,
    days: fixityStorage.days,
    bytesPerSecond: fixityStorage.bytesPerSecond,
    due: sql<number | null>``,
    counts: sql<string>``,
  },
);

/** Files that are due, of each storage up to a number. */
export const countDueFiles = query(
  sql`SELECT SUM((SELECT COUNT(*) FROM (SELECT 1 FROM fixity_file
      WHERE fixity_file.storage_id = fixity_storage.storage_id AND due <= ${value('now')} LIMIT ${value('limit')}))),
      MIN(${first}), SUM(lease_until > ${value('now')})
    FROM fixity_storage WHERE ${isLive}`,
  { waiting: sql<number | null>``, oldest: sql<number | null>``, running: sql<number | null>`` },
);

/** Milliseconds from a check of a file until it is due again. */
export const restOf = ({ days }: Pick<Schedule, 'days'>): number => Math.floor(nearlyDay * days);
