import { sql } from 'drizzle-orm';
import { query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { file } from '../tables.ts';
import { columnOf, rowSource } from './merging/store.ts';

const first = sql`(SELECT hash_due FROM file WHERE storage_id = storage.id AND hash_due IS NOT NULL
  ORDER BY hash_due LIMIT 1)`;

/** Looks at storages only while files wait at all. */
export const hashesDue = sql`CASE WHEN EXISTS (SELECT 1 FROM file WHERE hash_due IS NOT NULL)
  THEN (SELECT min(${first}) FROM storage WHERE deleted_at IS NULL) END`;

/** Storages with files that wait to be hashed, and since when: each by the first of its own line. */
export const storagesToHash = query(
  sql`SELECT id, due FROM (SELECT id, ${first} AS due FROM storage WHERE deleted_at IS NULL)
    WHERE due IS NOT NULL ORDER BY due LIMIT ${value('limit')}`,
  { id: sql<string>``, due: sql<number>`` },
);

const next = sql`SELECT id FROM file WHERE storage_id = ${value('id')} AND hash_due IS NOT NULL
  AND hash_due <= ${value('now')} ORDER BY hash_due LIMIT ${value('limit')}`;

/**
 * Takes the next files of a storage: for others they are due again later, so that what an instance does not finish is
 * not lost. Gives their ids.
 */
export const takeFiles = statement<{ id: string; now: number; until: number; limit: number }>(
  sql`UPDATE ${writes('file')} SET hash_due = ${value('until')} WHERE id IN (${next}) RETURNING id`,
  { returns: true },
);

export const filesToHash = query((db) =>
  db
    .select()
    .from(file)
    .where(sql`${file.id} IN ${valuesOf('ids')} AND ${file.hashDue} IS NOT NULL`),
);

/** Writes hashes, and the facts about the bytes that have them. */
export const writeHashes = statement<{ rows: readonly unknown[] }>(
  sql`UPDATE ${writes('file')} SET size = ${columnOf('size')}, modified = ${columnOf('modified')}, content = ${columnOf('content')},
      identity = ${columnOf('identity')}, hash = ${columnOf('hash')}, digest = ${columnOf('digest')}, hash_due = NULL,
      timestamp = ${columnOf('timestamp')}, version = version + 1
    FROM ${rowSource} WHERE file.id = ${columnOf('id')}`,
);

/** When files are due again that this instance has, or could not hash. */
export const moveHashDue = statement<{ ids: readonly string[]; due: number }>(
  sql`UPDATE ${writes('file')} SET hash_due = ${value('due')}
    WHERE id IN ${valuesOf('ids')} AND hash_due IS NOT NULL`,
);

/** Takes files out of the line. */
export const forgetDue = statement<{ ids: readonly string[] }>(
  sql`UPDATE ${writes('file')} SET hash_due = NULL WHERE id IN ${valuesOf('ids')}`,
);

/** Files that an instance had that no longer runs. */
export const releaseLostHashes = statement<{ now: number }>(
  sql`UPDATE ${writes('file')} SET hash_due = ${value('now')} WHERE hash_due > ${value('now')}
    AND storage_id IN (SELECT id FROM storage WHERE deleted_at IS NULL) RETURNING id`,
  { returns: true },
);

export const countToHash = query(
  sql`SELECT SUM((SELECT COUNT(*) FROM (SELECT 1 FROM file WHERE storage_id = storage.id AND hash_due IS NOT NULL
      LIMIT ${value('limit')}))), MIN(${first})
    FROM storage WHERE deleted_at IS NULL`,
  { waiting: sql<number | null>``, oldest: sql<number | null>`` },
);
