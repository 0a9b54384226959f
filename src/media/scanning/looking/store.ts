import { sql } from 'drizzle-orm';
import { prepareStatement } from '../../../store/statement.ts';

const value = sql.placeholder;

/** Results of scans in methods and storages. Versions stay the same: they only count changes by callers. */

export const methodAnswered = prepareStatement<{ id: string; now: number; identity: string | null }>(
  sql`UPDATE storage_method SET last_success = ${value('now')}, failure_message = NULL,
      identity = COALESCE(${value('identity')}, identity)
    WHERE id = ${value('id')}`,
);

export const methodFailed = prepareStatement<{ id: string; now: number; message: string }>(
  sql`UPDATE storage_method SET last_failure = ${value('now')}, failure_message = ${value('message')}
    WHERE id = ${value('id')}`,
);

/** States that callers have asked for stay. */
const unlessKept = (state: string) =>
  sql.raw(`CASE WHEN state IN ('NONE', 'READY', 'OFFLINE') THEN '${state}' ELSE state END`);

export const storageAnswered = prepareStatement<{ id: string; capacity: number | null; free: number | null }>(
  sql`UPDATE storage SET state = ${unlessKept('READY')},
      capacity = CASE WHEN auto_detect = 1 THEN COALESCE(${value('capacity')}, capacity) ELSE capacity END,
      free_detected = CASE WHEN auto_detect = 1 THEN COALESCE(${value('free')}, free_detected) ELSE free_detected END
    WHERE id = ${value('id')}`,
);

export const storageSilent = prepareStatement<{ id: string }>(
  sql`UPDATE storage SET state = ${unlessKept('OFFLINE')} WHERE id = ${value('id')}`,
);

/** A scan has come to its end. */
export const storageScanned = prepareStatement<{ id: string; now: number }>(
  sql`UPDATE storage SET seen_at = ${value('now')} WHERE id = ${value('id')}`,
);
