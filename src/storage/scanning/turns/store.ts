import { asc, sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { rowBy, updateBy } from '../../../core/store/rows.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { storage, storageScan } from '../../tables.ts';

export type ScanRow = typeof storageScan.$inferSelect;

const ofLiveStorage = sql`EXISTS (SELECT 1 FROM storage WHERE id = storage_id AND deleted_at IS NULL)`;

/** Due scans without a lease and without a problem, the longest due first. */
export const dueScans = query((db) =>
  db
    .select({ storageId: storageScan.storageId })
    .from(storageScan)
    .where(
      sql`${storageScan.due} <= ${value('now')} AND ${storageScan.leaseUntil} <= ${value('now')}
        AND ${storageScan.problem} IS NULL AND ${ofLiveStorage}`,
    )
    .orderBy(asc(storageScan.due))
    .limit(value('limit')),
);

/** A scan under way is due when its lease ends. */
export const scansDue = sql`SELECT min(max(due, lease_until)) FROM storage_scan WHERE problem IS NULL AND due IS NOT NULL`;

export const findScan = rowBy(storageScan, 'storageId');

/** Guards that this instance still owns the scan, and the storage is not deleted. */
export const scanLeaseHolds = rowExists(storageScan, 'storageId', 'fence');

const asRead = guard<{ id: string; fence: number; leaseUntil: number; due: number }>(
  sql`EXISTS (SELECT 1 FROM storage_scan WHERE storage_id = ${value('id')} AND fence = ${value('fence')}
    AND lease_until = ${value('leaseUntil')} AND due = ${value('due')} AND problem IS NULL)`,
);

const writeTaken = statement(
  sql`UPDATE ${writes('storage_scan')} SET instance = ${value('instance')}, fence = fence + 1, lease_until = ${value('until')},
      cursor = COALESCE(cursor, ''), started_at = ${value('startedAt')}, found = ${value('found')}
    WHERE storage_id = ${value('id')}`,
);

interface Taking {
  readonly instance: string;
  readonly until: number;
  readonly startedAt: number;
  readonly found: string;
}

/** Takes the scan and increments its fence. Fails with `lost` if the row has changed since it was read. */
export const takeScan = (row: ScanRow, to: Taking, lost: ServiceError): Statement[] => [
  scanAsRead(row, lost),
  writeTaken({ ...to, id: row.storageId }),
];

export const scanAsRead = ({ storageId, fence, leaseUntil, due }: ScanRow, lost: ServiceError): Statement =>
  asRead({ id: storageId, fence, leaseUntil, due: due ?? 0 }, lost);

/** Saves the progress. The cursor never goes back, even if two commits of a scan overlap. */
export const saveProgress = statement<{ id: string; cursor: string; found: string }>(
  sql`UPDATE ${writes('storage_scan')} SET cursor = MAX(cursor, ${value('cursor')}), found = ${value('found')}
    WHERE storage_id = ${value('id')}`,
);

export const renewScan = updateBy(storageScan, 'storageId', 'leaseUntil');

/** Releases a scan at its cursor, where the next slice continues. */
export const releaseScan = statement<{ id: string; fence: number }>(
  sql`UPDATE ${writes('storage_scan')} SET lease_until = 0 WHERE storage_id = ${value('id')} AND fence = ${value('fence')}`,
);

const dueAgain = sql`(SELECT CASE WHEN scan_interval < 0 THEN NULL ELSE ${value('now')} + 1000 * scan_interval END
  FROM storage WHERE id = storage_id)`;

/** The interval counts from the end. */
export const endScan = statement<{ id: string; now: number; found: string }>(
  sql`UPDATE ${writes('storage_scan')} SET due = ${dueAgain}, lease_until = 0, cursor = NULL, ended_at = ${value('now')},
      found = ${value('found')}
    WHERE storage_id = ${value('id')}`,
);

/** Postpones a failed scan. The next attempt continues at the cursor. */
export const putOffScan = statement<{ id: string; now: number }>(
  sql`UPDATE ${writes('storage_scan')} SET due = ${dueAgain}, lease_until = 0 WHERE storage_id = ${value('id')}`,
);

/** Stops the scan until an administrator decides. */
export const stopScan = statement<{ id: string; problem: string; found: string }>(
  sql`UPDATE ${writes('storage_scan')} SET problem = ${value('problem')}, lease_until = 0, found = ${value('found')}
    WHERE storage_id = ${value('id')}`,
);

/** Scan on demand. A stopped scan begins again and marks no file as LOST. A running scan continues. */
export const scanAgain = statement<{ id: string }>(
  sql`UPDATE ${writes('storage_scan')} SET problem = NULL, cursor = NULL, found = '{"careful":true}'
    WHERE storage_id = ${value('id')} AND problem IS NOT NULL`,
);

/** Restarts the stopped scans of the storages in a range of serials. */
export const scanAllAgain = statement<{ after: number; last: number }>(
  sql`UPDATE ${writes('storage_scan')} SET problem = NULL, cursor = NULL, found = '{"careful":true}'
    WHERE problem IS NOT NULL AND storage_id IN (SELECT id FROM storage
      WHERE serial > ${value('after')} AND serial <= ${value('last')} AND deleted_at IS NULL)`,
);

/** Accepts a stopped scan: missing files are gone for good, or the other file system is the right one. */
export const acceptScan = statement<{ id: string; now: number }>(
  sql`UPDATE ${writes('storage_scan')} SET problem = NULL, cursor = NULL, found = '{"accepted":true}'
    WHERE storage_id = ${value('id')} AND (problem IS NOT NULL OR lease_until <= ${value('now')})`,
);

/** Lets each storage be looked at now. A scan that is not due goes back to its time then. */
export const lookNow = statement<{ now: number }>(
  sql`UPDATE ${writes('storage_scan')} SET due = ${value('now')}
    WHERE due > ${value('now')} AND problem IS NULL AND cursor IS NULL`,
);

/** Sets the time of a scan by the end of the last one. */
export const dueByLast = statement<{ id: string; due: number }>(
  sql`UPDATE ${writes('storage_scan')} SET due = ${value('due')} WHERE storage_id = ${value('id')}`,
);

export const endScanLeases = statement(
  sql`UPDATE ${writes('storage_scan')} SET lease_until = 0 WHERE lease_until > 0 RETURNING storage_id`,
  { returns: true },
);

export const countScans = query(
  sql`SELECT SUM(due <= ${value('now')} AND problem IS NULL), MIN(CASE WHEN due <= ${value('now')} AND problem IS NULL THEN due END),
      SUM(lease_until > ${value('now')})
    FROM storage_scan`,
  { waiting: sql<number | null>``, oldest: sql<number | null>``, running: sql<number | null>`` },
);

/** Scans that are under way, and those that wait for a person first. */
export const scansUnderWay = query((db) =>
  db
    .select()
    .from(storageScan)
    .where(sql`${storageScan.cursor} IS NOT NULL AND ${ofLiveStorage}`)
    .orderBy(sql`problem IS NULL`, asc(storageScan.startedAt))
    .limit(value('limit')),
);

/** Files by what rows say of them: those that a scan expects to find. */
export const filesExpected = query((db) =>
  db
    .select({
      files: sql<number>`COALESCE((SELECT SUM(files) FROM file_usage WHERE storage_id = ${value('id')}
      AND state IN ('OPEN', 'CLOSED', 'BEING_READ', 'MISSING')), 0)`,
    })
    .from(storage)
    .limit(1),
).first;
