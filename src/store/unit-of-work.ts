import { ServiceError } from '../lib/errors.ts';
import type { Actor, Database, EventRecord, Row, Statement, Work } from './contract.ts';

const insertEvent = `INSERT INTO event (name, entity_type, entity_id, payload, user, run_as, request_id, at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

function eventStatement(event: EventRecord, actor: Actor, now: number): Statement {
  const payload = JSON.stringify(event.payload);
  const { user, runAs = null, requestId = null } = actor;
  return {
    sql: insertEvent,
    args: [event.name, event.entityType, event.entityId, payload, user, runAs, requestId, now],
  };
}

/** The rows and what they mean, as one transaction: whoever reads one of them finds the others. */
export function statementsOf(work: Work, actor: Actor, now: number): Statement[] {
  const statements = work.changes.slice();
  for (const event of work.events) statements.push(eventStatement(event, actor, now));
  return statements;
}

/** Commits and gives the rows of the changes that return some, or throws the refusal of the statement in the way. */
export async function commitWork(
  database: Database,
  work: Work,
  actor: Actor,
  now: number,
): Promise<readonly (readonly Row[])[]> {
  const statements = statementsOf(work, actor, now);
  if (statements.length === 0) return [];
  const outcome = await database.write(statements);
  if (outcome.done) return outcome.rows;
  const refusal = statements[outcome.index]?.refusal;
  if (refusal !== undefined) throw refusal;
  throw new ServiceError('internal', {
    explanation: `Statement ${outcome.index} of a change broke a constraint that has no refusal: ${outcome.message}`,
  });
}
