import { type SQL, sql } from 'drizzle-orm';
import { storable } from '../../../core/lib/storable.ts';
import type { DueTime } from '../../../core/store/due.ts';
import { query, type Reader, statement, value, writes } from '../../../core/store/statement.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import type { DeliveryResult } from '../actions/order.ts';
import { attempt, outbox, parked } from '../tables.ts';

/** Outcome of one attempt; `failed`: it is retried. */
export const attemptStates = ['delivered', 'failed', 'parked', 'dropped', 'vetoed'] as const;
export type AttemptState = (typeof attemptStates)[number];

/** Attempt with its error for people and metrics. The address has no credentials. */
type Attempt = {
  readonly notificationId: string;
  /** Null before the commit, where the event has no sequence number yet. */
  readonly sequence: number | null;
  readonly event: string;
  readonly entityId: string;
  /** Number of the attempt, from 1. Continues after a replay. */
  readonly number: number;
  readonly started: number;
  readonly ended: number;
  readonly state: AttemptState;
  readonly status: number | null;
  /** `dns`, `connect`, `tls`, `timeout`, `blocked`, `http`, … */
  readonly error: string | null;
  readonly address: string | null;
  /** Beginning of the answer, cut by the writer of the attempt. */
  readonly answer: string | null;
  /** The failure as a sentence. */
  readonly says: string | null;
};

/** A row of the log. */
export const logAttempt = statement<Attempt>(
  sql`INSERT INTO ${writes('attempt')} (notification_id, sequence, event, entity_id, number, started, ended, state, status, error, address, answer, says)
    VALUES (${value('notificationId')}, ${value('sequence')}, ${value('event')}, ${value('entityId')}, ${value('number')},
      ${value('started')}, ${value('ended')}, ${value('state')}, ${value('status')}, ${value('error')}, ${value('address')}, ${value('answer')}, ${value('says')})`,
);

const attemptColumns = {
  id: attempt.id,
  sequence: attempt.sequence,
  event: attempt.event,
  entityId: attempt.entityId,
  number: attempt.number,
  started: attempt.started,
  ended: attempt.ended,
  state: attempt.state,
  status: attempt.status,
  error: attempt.error,
  address: attempt.address,
  says: attempt.says,
};

export interface AttemptFilter {
  readonly notificationId: string;
  readonly since: number;
  /** Older than this one. */
  readonly before: { readonly started: number; readonly id: number };
  readonly state: string | undefined;
  readonly entity: string | undefined;
  readonly limit: number;
}

const rowsWhere = (condition: SQL) =>
  sql`SELECT id, sequence, event, entity_id, number, started, ended, state, status, error, address, says
    FROM attempt WHERE notification_id = ${value('notificationId')} AND ${condition}
      AND started BETWEEN ${value('since')} AND ${value('started')}
      AND (started < ${value('started')} OR id < ${value('id')})
    ORDER BY started DESC, id DESC LIMIT ${value('limit')}`;

/** A page of each, and of those a page: an index by time alone would cost every delivery more than this costs a reader. */
const anyOf = (conditions: readonly SQL[]) => {
  const each = conditions.map((condition) => sql`SELECT * FROM (${rowsWhere(condition)})`);
  return sql`${sql.join(each, sql` UNION ALL `)} ORDER BY started DESC, id DESC LIMIT ${value('limit')}`;
};

const ofEntity = sql`entity_id = ${value('entity')}`;

/** Queries by index. An entity has few attempts, so their state is filtered row by row. */
const page = (template: SQL) => query(template, attemptColumns);
const pages = {
  all: page(anyOf(attemptStates.map((state) => sql`state = ${sql.raw(`'${state}'`)}`))),
  state: page(rowsWhere(sql`state = ${value('state')}`)),
  entity: page(rowsWhere(ofEntity)),
  both: page(rowsWhere(sql`${ofEntity} AND +state = ${value('state')}`)),
};
export type AttemptRow = Awaited<ReturnType<typeof pages.all>>[number];

/** The newest first, without what receivers answered. `max`: values that a page may have. */
export async function listAttempts(
  reader: Reader,
  filter: AttemptFilter,
  max = Number.POSITIVE_INFINITY,
): Promise<readonly AttemptRow[]> {
  const { before, state, entity, ...rest } = filter;
  const query =
    state === undefined ? (entity === undefined ? 'all' : 'entity') : entity === undefined ? 'state' : 'both';
  const values = { ...rest, ...before, ...(state && { state }), ...(entity && { entity }) };
  return pageWithin(pages[query], reader, values, max);
}

/** Attempt with its answer and the current state of its event. */
export type WholeAttempt = Awaited<ReturnType<typeof findAttempt>>[number];
export const findAttempt = query(
  sql`SELECT id, sequence, event, entity_id, number, started, ended, state, status, error, address, says, answer,
      (SELECT at FROM outbox WHERE notification_id = attempt.notification_id AND sequence = attempt.sequence),
      (SELECT at FROM parked WHERE notification_id = attempt.notification_id AND sequence = attempt.sequence)
    FROM attempt WHERE id = ${value('id')} AND notification_id = ${value('notificationId')}`,
  { ...attemptColumns, answer: attempt.answer, waitingSince: outbox.at, parkedSince: parked.at },
);

export const oldAttemptsDue = (kept: number): DueTime =>
  sql`SELECT ended + ${kept} FROM (SELECT ended FROM attempt ORDER BY id LIMIT 1)`;

/** A bounded piece of what is older than that. */
export const sweepAttempts = statement<{ before: number; max: number }>(
  sql`DELETE FROM ${writes('attempt')} WHERE id IN (SELECT id FROM attempt ORDER BY id LIMIT ${value('max')}) AND ended < ${value('before')}
    RETURNING 1`,
  { returns: true },
);

type AttemptFacts = Omit<Attempt, 'status' | 'error' | 'address' | 'answer' | 'says'>;

/** Row of the log. The answer is cut. */
export function attemptOf(
  known: AttemptFacts,
  { status, error, address, says, text = '' }: DeliveryResult,
  max: number,
): Attempt {
  const answer = storable(text, max);
  return {
    ...known,
    status: status ?? null,
    error: error ?? null,
    address: address ?? null,
    answer: answer === '' ? null : answer,
    says: says === undefined ? null : storable(says),
  };
}
