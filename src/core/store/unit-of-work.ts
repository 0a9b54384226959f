import { ServiceError } from '../lib/errors.ts';
import { isChanged } from '../lib/retry-when-changed.ts';
import type { Actor, CommitPlan, Committing, Database, EventRecord, Row, Statement } from './contract.ts';
import { refusalError } from './faults.ts';
import type { Participants } from './participants.ts';

/** Statement for most events, without runAs and depth: each bound value slows a commit. */
const insertPlainEvent = `INSERT INTO event (name, entity_type, entity_id, payload, user, request_id, at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const insertEvent = `INSERT INTO event (name, entity_type, entity_id, payload, user, run_as, request_id, at, depth)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function eventStatement(event: EventRecord, actor: Actor, now: number): Statement {
  const payload = JSON.stringify(event.payload);
  const { name, entityType, entityId } = event;
  const { user, runAs = null, requestId = null, depth = 0 } = actor;
  return runAs === null && depth === 0
    ? { sql: insertPlainEvent, args: [name, entityType, entityId, payload, user, requestId, now] }
    : { sql: insertEvent, args: [name, entityType, entityId, payload, user, runAs, requestId, now, depth] };
}

/** Statements that participants add to a commit. */
interface Added {
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
}

const none: Added = { before: [], after: [] };
const noTouches: Committing['touches'] = [];

/**
 * Builds one transaction of changes, events and statements of participants, so that readers see all of them or none.
 */
export function statementsOf(work: CommitPlan, actor: Actor, now: number, { before, after } = none): Statement[] {
  const events = work.events.map((event) => eventStatement(event, actor, now));
  return [...before, ...work.changes, ...events, ...after];
}

/** Number of attempts of a commit with an overtaken participant. */
const attempts = 8;

/** Commits and gives the rows of the changes that return some, or throws the refusal of the statement in the way. */
export async function commitWork(
  database: Database,
  work: CommitPlan,
  actor: Actor,
  now: number,
  participants?: Participants,
): Promise<readonly (readonly Row[])[]> {
  const { changes, events, touches = noTouches } = work;
  const concerned = participants?.of(work, touches, actor);
  if (changes.length + events.length === 0 && !concerned) return [];
  for (let attempt = 1; ; attempt++) {
    const commit = { events, touches, actor, now, attempt };
    const added = concerned?.add(commit);
    const statements = statementsOf(work, actor, now, added instanceof Promise ? await added : added);
    const outcome = await database.write(
      statements,
      concerned?.works.length ? { commit, works: concerned.works } : undefined,
    );
    if (outcome.done) {
      concerned?.committed(commit);
      return outcome.rows;
    }
    const refusal = refusalError(statements[outcome.index]?.refusal) ?? nameless(outcome);
    if (concerned?.stale.has(refusal) && attempt < attempts) continue;
    if (isChanged(refusal)) await database.overtaken?.();
    throw refusal;
  }
}

function nameless({ index, message }: { index: number; message: string }): ServiceError {
  const explanation = `Statement ${index} of a change broke a constraint that has no refusal: ${message}`;
  return new ServiceError('internal', { explanation });
}
