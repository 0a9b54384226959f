import { sql } from 'drizzle-orm';
import { updateBy } from '../../../core/store/rows.ts';
import { statement, value, writes } from '../../../core/store/statement.ts';
import { storage, storageMethod } from '../../tables.ts';

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
