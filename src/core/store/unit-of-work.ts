import { ServiceError } from '../lib/errors.ts';
import { type Maybe, after as settle } from '../lib/maybe.ts';
import { isChanged } from '../lib/retry-when-changed.ts';
import {
  type Actor,
  type CommitPlan,
  type Committing,
  type Database,
  type EventRecord,
  type GroupWork,
  type Participant,
  type Row,
  type Statement,
  type Touch,
  tableConcern,
} from './contract.ts';
import { refusalError } from './faults.ts';

/** Limit by the bits of a number in shifts. */
const maxParticipants = 32;

/** Participants of one commit. */
interface Concerned {
  /** Adds the participants' statements before the changes and after the events. */
  add(commit: Committing): Maybe<{ readonly before: readonly Statement[]; readonly after: readonly Statement[] }>;
  committed(commit: Committing): void;
  readonly stale: ReadonlySet<ServiceError>;
  readonly works: readonly GroupWork[];
}

interface Participants {
  /** Participants concerned by the commit. Undefined: none. */
  of(work: Pick<CommitPlan, 'changes' | 'events'>, touches: readonly Touch[], actor: Actor): Concerned | undefined;
}

/**
 * Finds by name which participants a commit concerns. Commits of one kind concern the same ones, so each combination is
 * put together once: a bit for each participant, in the order of the list.
 */
export function createParticipants(all: readonly Participant[]): Participants {
  const list = all.filter(({ concerns }) => concerns.length > 0);
  // Beyond, a shift begins again at the first bit, and commits concern participants that did not ask for them.
  if (list.length > maxParticipants) {
    const expected = `Expected at most ${maxParticipants} participants that something concerns`;
    throw new Error(`${expected}: found ${list.length}`);
  }
  const bits = new Map<string, number>();
  for (const [index, { concerns }] of list.entries()) {
    for (const name of concerns) bits.set(name, (bits.get(name) ?? 0) | (1 << index));
  }
  const bit = (name: string): number => bits.get(name) ?? 0;
  const combinations = new Map<number, Concerned>();
  const tables = new Map<string, number>();
  let anyTable = 0;
  for (const [name, its] of bits) {
    if (!name.startsWith(tableConcern(''))) continue;
    tables.set(name.slice(tableConcern('').length), its);
    anyTable |= its;
  }

  return {
    of({ changes, events }, touches, actor) {
      let concerned = actor.request ? bit('request') : 0;
      if (anyTable !== 0) {
        for (const { writes } of changes) concerned |= writes === undefined ? anyTable : (tables.get(writes) ?? 0);
      }
      if (events.length > 0) concerned |= bit('event');
      for (const { name } of events) concerned |= bit(name);
      for (const { kind, aspect } of touches) concerned |= bit(`${kind}.${aspect}`);
      if (concerned === 0) return undefined;
      let group = combinations.get(concerned);
      if (!group) {
        group = concernedFrom(list.filter((_, index) => concerned & (1 << index)));
        combinations.set(concerned, group);
      }
      return group;
    },
  };
}

function concernedFrom(list: readonly Participant[]): Concerned {
  const before = list.flatMap((each) => each.before?.bind(each) ?? []);
  const after = list.flatMap((each) => each.after?.bind(each) ?? []);
  const listeners = list.flatMap((each) => each.committed?.bind(each) ?? []);
  return {
    add: (commit) =>
      settle(statementsFrom(before, commit), (ahead) =>
        settle(statementsFrom(after, commit), (behind) => ({ before: ahead, after: behind })),
      ),
    committed(commit) {
      for (const tell of listeners) tell(commit);
    },
    stale: new Set(list.flatMap(({ stale }) => stale ?? [])),
    works: list.flatMap(({ group }) => group ?? []),
  };
}

type Ask = (commit: Committing) => Maybe<readonly Statement[]>;

/** Asks the participants in order. Synchronous answers need no extra tick. */
function statementsFrom(asks: readonly Ask[], commit: Committing, from = 0): Maybe<readonly Statement[]> {
  const statements: Statement[] = [];
  for (let index = from; index < asks.length; index++) {
    const lateStatements = asks[index]!(commit);
    if (!(lateStatements instanceof Promise)) for (const each of lateStatements) statements.push(each);
    else {
      return lateStatements.then(async (late) => [
        ...statements,
        ...late,
        ...(await statementsFrom(asks, commit, index + 1)),
      ]);
    }
  }
  return statements;
}

/** Statement for most events, without runAs and depth: each bound value slows a commit. */
const insertPlainEvent = `INSERT INTO event (name, entity_type, entity_id, payload, user, request_id, at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const insertEvent = `INSERT INTO event (name, entity_type, entity_id, payload, user, run_as, request_id, at, depth)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function eventStatement(event: EventRecord, actor: Actor, now: number): Statement {
  const payload = event.stored ?? JSON.stringify(event.payload);
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
