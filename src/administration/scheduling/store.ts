import { desc, sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import { type DueTime, earliestDue } from '../../core/store/due.ts';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import type { RequestRow } from './rules.ts';
import { scheduledRequest as table } from './tables.ts';

export const findRequest = rowBy(table, 'id');

const listedColumns = {
  id: table.id,
  user: table.user,
  state: table.state,
  date: table.date,
  createdAt: table.createdAt,
  executedAt: table.executedAt,
  method: table.method,
  uri: table.uri,
  status: table.status,
  contentType: table.contentType,
  hasBody: sql<number>`${table.response} IS NOT NULL`.as('has_body'),
};

/** Requests of one user. `states`: JSON. */
export const requestsOf = query((db) =>
  db
    .select(listedColumns)
    .from(table)
    .where(sql`${table.userId} = ${value('userId')} AND ${table.state} IN ${valuesOf('states')}`)
    .orderBy(desc(table.id))
    .limit(value('limit'))
    .offset(value('offset')),
);
/** Requests of all users. */
export const allRequests = query((db) =>
  db
    .select(listedColumns)
    .from(table)
    .where(sql`${table.state} IN ${valuesOf('states')}`)
    .orderBy(desc(table.id))
    .limit(value('limit'))
    .offset(value('offset')),
);
export type ListedRow = Awaited<ReturnType<typeof allRequests>>[number];

const fewEnough = guard(
  sql`(SELECT count(*) FROM scheduled_request WHERE user_id = ${value('userId')} AND state = 'WAITING') < ${value('max')}`,
);
const insert = insertInto(table);

/** `refusal`: for a user with too many requests that wait. */
export const insertRequest = (row: RequestRow, max: number, refusal: ServiceError): readonly Statement[] => [
  fewEnough({ userId: row.userId, max }, refusal),
  insert(row),
];

export const requestThere = rowExists(table, 'id');
export const deleteRequest = deleteBy(table, 'id');
export const deleteRequestsOf = statement<{ userId: string; states: string }>(
  sql`DELETE FROM ${writes('scheduled_request')} WHERE user_id = ${value('userId')}
    AND state IN ${valuesOf('states')}`,
);

const firstDate = sql`SELECT min(date) FROM scheduled_request WHERE state = 'WAITING' AND lease_until = 0`;
const firstEnd = sql`SELECT min(lease_until) FROM scheduled_request WHERE state = 'WAITING' AND lease_until > 0`;
/** Time of the first request without a lease, and the end of the first lease. */
export const nextDueRequest = query(sql`SELECT (${firstDate}), (${firstEnd})`, {
  due: table.executedAt,
  ends: table.executedAt,
});

/** A lease is lost behind its last millisecond. */
export const requestsDue = earliestDue(firstDate, sql`(${firstEnd}) + 1`);

/** Takes due requests in one statement, so that no other instance gets them. */
export const takeRequests = statement<{ now: number; until: number; max: number }>(
  sql`UPDATE ${writes('scheduled_request')} SET lease_until = ${value('until')}, fence = fence + 1 WHERE id IN
      (SELECT id FROM scheduled_request WHERE state = 'WAITING' AND lease_until = 0 AND date <= ${value('now')}
        ORDER BY date LIMIT ${value('max')})
    RETURNING id, fence`,
  { returns: true },
);

export interface RequestHold {
  readonly id: number;
  readonly fence: number;
}

export const leaseHolds = guard(
  sql`EXISTS (SELECT 1 FROM scheduled_request
    WHERE id = ${value('id')} AND fence = ${value('fence')} AND state = 'WAITING' AND lease_until > 0)`,
);
/** 0 gives it back. */
export const extendRequest = updateBy(table, 'id', 'leaseUntil');

type Recorded = Pick<RequestRow, 'id' | 'state' | 'status' | 'contentType' | 'response'> & { readonly now: number };
export const recordResult = statement<Recorded>(
  sql`UPDATE ${writes('scheduled_request')} SET state = ${value('state')}, executed_at = ${value('now')}, status = ${value('status')},
    content_type = ${value('contentType')}, response = ${value('response')}, lease_until = 0 WHERE id = ${value('id')}`,
);

type Lost = Omit<Recorded, 'id'> & { readonly before: number };
/** Marks requests of ended instances as lost: those with a lease that ended before the given time. */
export const loseRequests = statement<Lost>(
  sql`UPDATE ${writes('scheduled_request')} SET state = ${value('state')}, executed_at = ${value('now')}, status = ${value('status')},
      content_type = ${value('contentType')}, response = ${value('response')}, lease_until = 0
    WHERE state = 'WAITING' AND lease_until > 0 AND lease_until < ${value('before')} RETURNING id`,
  { returns: true },
);

/** Deletes the oldest finished requests of a user, beyond a number. */
export const forgetBeyond = statement<{ userId: string; max: number }>(
  sql`DELETE FROM ${writes('scheduled_request')} WHERE id IN
    (SELECT id FROM scheduled_request WHERE user_id = ${value('userId')}
      AND state IN ('SUCCESS', 'CONNECTION_FAILURE', 'BAD_REQUEST') ORDER BY id DESC LIMIT -1 OFFSET ${value('max')})`,
);

export const oldRequestsDue = (kept: number): DueTime =>
  sql`SELECT min(executed_at) + ${kept} FROM scheduled_request WHERE executed_at IS NOT NULL`;
export const removeOldRequests = statement<{ before: number; limit: number }>(
  sql`DELETE FROM ${writes('scheduled_request')} WHERE id IN
      (SELECT id FROM scheduled_request WHERE executed_at < ${value('before')} ORDER BY executed_at LIMIT ${value('limit')})
    RETURNING id`,
  { returns: true },
);

export const measureRequests = query(
  sql`SELECT count(*), min(date), count(CASE WHEN lease_until > 0 THEN 1 END) FROM scheduled_request
    WHERE state = 'WAITING' AND lease_until >= 0 AND date <= ${value('now')}`,
  { waiting: table.id, oldest: table.executedAt, running: table.id },
);
