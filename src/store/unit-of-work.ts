import { ServiceError } from '../lib/errors.ts';
import type { Actor, Companion, Database, EventRecord, Row, Statement, Work } from './contract.ts';

const insertEvent = `INSERT INTO event (name, entity_type, entity_id, payload, user, run_as, request_id, at, depth)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function eventStatement(event: EventRecord, actor: Actor, now: number): Statement {
  const payload = JSON.stringify(event.payload);
  const { user, runAs = null, requestId = null, depth = 0 } = actor;
  return {
    sql: insertEvent,
    args: [event.name, event.entityType, event.entityId, payload, user, runAs, requestId, now, depth],
  };
}

const nothing: readonly (readonly Statement[])[] = [];

/** The rows and what they mean, as one transaction: whoever reads one of them finds the others. */
export function statementsOf(work: Work, actor: Actor, now: number, following = nothing): Statement[] {
  const statements = work.changes.slice();
  for (const [index, event] of work.events.entries()) {
    statements.push(eventStatement(event, actor, now));
    for (const statement of following[index] ?? []) statements.push(statement);
  }
  return statements;
}

/** How often a commit is tried whose companion was overtaken. */
const attempts = 8;

/** Commits and gives the rows of the changes that return some, or throws the refusal of the statement in the way. */
export async function commitWork(
  database: Database,
  work: Work,
  actor: Actor,
  now: number,
  companion?: Companion,
): Promise<readonly (readonly Row[])[]> {
  const { changes, events } = work;
  if (changes.length + events.length === 0) return [];
  const accompanied = events.length === 0 ? undefined : companion;
  for (let attempt = 1; ; attempt++) {
    const following = accompanied?.follow({ events, actor, now, attempt }) ?? nothing;
    const found = following instanceof Promise ? await following : following;
    const statements = statementsOf(work, actor, now, found);
    const outcome = await database.write(statements);
    if (outcome.done) {
      accompanied?.committed(events);
      return outcome.rows;
    }
    const refusal = statements[outcome.index]?.refusal ?? nameless(outcome);
    if (refusal !== accompanied?.stale || attempt === attempts) throw refusal;
  }
}

function nameless({ index, message }: { index: number; message: string }): ServiceError {
  const explanation = `Statement ${index} of a change broke a constraint that has no refusal: ${message}`;
  return new ServiceError('internal', { explanation });
}
