import { sql } from 'drizzle-orm';
import { prepareSqlStatement } from '../../store/statement.ts';

const value = sql.placeholder;

/** What came of one call: `delivered`, `failed` (it is tried again), `parked`, `dropped`, `vetoed`. */
export type AttemptState = 'delivered' | 'failed' | 'parked' | 'dropped' | 'vetoed';

/** Why a call failed, for people and metrics. The address it went to has no credentials. */
export type Attempt = {
  readonly notificationId: string;
  /** Null: made before the commit, so the event has no place yet. */
  readonly sequence: number | null;
  readonly event: string;
  readonly entityId: string;
  /** From 1; it goes on when an event is sent again. */
  readonly number: number;
  readonly started: number;
  readonly ended: number;
  readonly state: AttemptState;
  readonly status: number | null;
  /** `dns`, `connect`, `tls`, `timeout`, `blocked`, `http`, … */
  readonly error: string | null;
  readonly address: string | null;
  /** How the answer began; cut by whoever writes it. */
  readonly answer: string | null;
};

/** A row of the log. */
export const logAttempt = prepareSqlStatement<Attempt>(
  sql`INSERT INTO attempt (notification_id, sequence, event, entity_id, number, started, ended, state, status, error, address, answer)
    VALUES (${value('notificationId')}, ${value('sequence')}, ${value('event')}, ${value('entityId')}, ${value('number')},
      ${value('started')}, ${value('ended')}, ${value('state')}, ${value('status')}, ${value('error')}, ${value('address')}, ${value('answer')})`,
);
