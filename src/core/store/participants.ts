import type { ServiceError } from '../lib/errors.ts';
import { type Maybe, after as settle } from '../lib/maybe.ts';
import type { Actor, CommitPlan, Committing, GroupWork, Participant, Statement, Touch } from './contract.ts';
import { tableConcern } from './contract.ts';

/** Limit by the bits of a number in shifts. */
const mostParticipants = 32;

/** Participants of one commit. */
interface Concerned {
  /** Adds the participants' statements before the changes and after the events. */
  add(commit: Committing): Maybe<{ readonly before: readonly Statement[]; readonly after: readonly Statement[] }>;
  committed(commit: Committing): void;
  readonly stale: ReadonlySet<ServiceError>;
  readonly works: readonly GroupWork[];
}

export interface Participants {
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
  if (list.length > mostParticipants) {
    const expected = `Expected at most ${mostParticipants} participants that something concerns`;
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
