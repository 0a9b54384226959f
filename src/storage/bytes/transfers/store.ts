import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { type DueTime, dueWhile, earliestDue } from '../../../core/store/due.ts';
import { expectVersion, guard } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy } from '../../../core/store/rows.ts';
import { query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { transfer } from '../../tables.ts';

export type TransferRow = typeof transfer.$inferSelect;

/** States of a transfer. WAITING: all bytes have arrived and are being published. */
export const transferStates = ['TRANSFERRING', 'WAITING', 'FINISHED', 'FAILED', 'ABORTED'] as const;

export const findTransfer = rowBy(transfer, 'id');

export const findByName = query((db) =>
  db
    .select()
    .from(transfer)
    .where(
      and(eq(transfer.owner, value('owner')), eq(transfer.target, value('target')), eq(transfer.name, value('name'))),
    ),
).first;

/** The newest transfer with the name or id. `owner`: empty for any owner. */
export const findNewestTransfer = query((db) =>
  db
    .select()
    .from(transfer)
    .where(
      sql`(${transfer.name} = ${value('name')} OR ${transfer.id} = ${value('name')})
        AND (${value('owner')} = '' OR ${transfer.owner} = ${value('owner')})`,
    )
    .orderBy(desc(transfer.createdAt), desc(transfer.id))
    .limit(1),
).first;

const among = sql`state IN ${valuesOf('states')}`;

export const listOwn = query((db) =>
  db
    .select()
    .from(transfer)
    .where(sql`${transfer.owner} = ${value('owner')} AND ${among}`)
    .orderBy(desc(transfer.createdAt), asc(transfer.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

export const listAll = query((db) =>
  db
    .select()
    .from(transfer)
    .where(among)
    .orderBy(desc(transfer.createdAt), asc(transfer.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

const count = sql<number>`count(*)`;

export const countOwn = query((db) =>
  db
    .select({ count })
    .from(transfer)
    .where(sql`${transfer.owner} = ${value('owner')} AND ${among}`),
).first;

export const countAll = query((db) => db.select({ count }).from(transfer).where(among)).first;

const insertRow = insertInto(transfer);

/** `refusal`: where the owner has one of that name for the same target. */
export const insertTransfer = (row: TransferRow, refusal: ServiceError): Statement => insertRow(row, refusal);

export const deleteTransfer = deleteBy(transfer, 'id');

export const transferUnchanged = expectVersion(transfer.id, transfer.version);

const writeProgress = statement<{
  id: string;
  ranges: string;
  received: number;
  state: string;
  fileId: string | null;
  now: number;
}>(
  sql`UPDATE ${writes('transfer')} SET ranges = ${value('ranges')}, received = ${value('received')}, state = ${value('state')},
      file_id = ${value('fileId')}, touched_at = ${value('now')}, version = version + 1
    WHERE id = ${value('id')}`,
);

type Progress = Partial<Pick<TransferRow, 'ranges' | 'received' | 'state' | 'fileId'>>;

/** Updates the row. Fails with `changed` if the row has changed since it was read. */
export const updateTransfer = (row: TransferRow, to: Progress, now: number, changed: ServiceError): Statement[] => [
  transferUnchanged(row.id, row.version, changed),
  writeProgress({ ...row, ...to, now }),
];

/** Marks the transfer as FINISHED: the bytes are at their path, and no staged file is left. */
export const finishTransfer = statement<{ id: string; fileId: string | null; now: number }>(
  sql`UPDATE ${writes('transfer')} SET state = 'FINISHED', token = '', file_id = ${value('fileId')}, touched_at = ${value('now')},
      version = version + 1
    WHERE id = ${value('id')}`,
);

/** Marks the transfer as FAILED. The background work discards its bytes. */
export const failTransfer = statement<{ id: string; now: number }>(
  sql`UPDATE ${writes('transfer')} SET state = 'FAILED', touched_at = ${value('now')}, version = version + 1
    WHERE id = ${value('id')}`,
);

/** Aborts all unfinished transfers of a user. `names`: JSON, a list. */
export const abortOfOwner = statement<{ names: readonly string[] }>(
  sql`UPDATE ${writes('transfer')} SET state = 'ABORTED', version = version + 1
    WHERE owner IN ${valuesOf('names')} AND state = 'TRANSFERRING'`,
);

export const forgetToken = statement<{ id: string }>(
  sql`UPDATE ${writes('transfer')} SET token = '' WHERE id = ${value('id')}`,
);

export const setTransferPriority = statement<{ id: string; priority: number }>(
  sql`UPDATE ${writes('transfer')} SET priority = ${value('priority')}, version = version + 1 WHERE id = ${value('id')}`,
);

const open = sql`owner = ${value('owner')} AND state IN ('TRANSFERRING', 'WAITING')`;

export const fewerThan = guard<{ owner: string; max: number }>(
  sql`(SELECT count(*) FROM transfer WHERE ${open}) < ${value('max')}`,
);

export const fewerBytesThan = guard<{ owner: string; size: number; max: number }>(
  sql`(SELECT coalesce(sum(size), 0) FROM transfer WHERE ${open}) + ${value('size')} <= ${value('max')}`,
);

/** Unfinished transfers without a recent part. */
export const idleTransfers = query((db) =>
  db
    .select()
    .from(transfer)
    .where(sql`${transfer.state} = 'TRANSFERRING' AND ${transfer.touchedAt} <= ${value('since')}`)
    .orderBy(asc(transfer.touchedAt))
    .limit(value('limit')),
);

/** Ended transfers whose bytes are still staged. */
export const transfersWithStagedBytes = query((db) =>
  db
    .select()
    .from(transfer)
    .where(
      sql`${transfer.state} IN ('ABORTED', 'FAILED') AND ${transfer.token} <> '' AND ${transfer.id} > ${value('after')}`,
    )
    .orderBy(asc(transfer.id))
    .limit(value('limit')),
);

export const endedTransfers = query((db) =>
  db
    .select({ id: transfer.id })
    .from(transfer)
    .where(
      sql`${transfer.state} IN ('FINISHED', 'ABORTED', 'FAILED') AND ${transfer.token} = ''
        AND ${transfer.touchedAt} <= ${value('since')}`,
    )
    .limit(value('limit')),
);

/** `idle`: milliseconds after the last byte. */
export const transfersDue = (idle: number): DueTime =>
  earliestDue(
    sql`SELECT min(touched_at) + ${idle} FROM transfer WHERE state = 'TRANSFERRING'`,
    ...['FINISHED', 'ABORTED', 'FAILED'].map(
      (state) => sql`SELECT min(touched_at) + ${idle} FROM transfer WHERE state = ${state}`,
    ),
    dueWhile(sql`SELECT 1 FROM transfer WHERE state IN ('ABORTED', 'FAILED') AND token <> ''`),
  );
