import type { Clock } from '../lib/clock.ts';
import { createWaker, untilBeat, type Waker } from '../lib/clock.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { Participant } from '../store/contract.ts';
import { WorkTally } from './tally.ts';
import { Allowance, callsOf, maxWait, nextLook, shortRest, tick } from './tick.ts';
import type { WorkHost, WorkKind } from './work-kind.ts';

interface WorkParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: WorkHost;
  /** Reader of the due times of kinds, in their order. Infinity: nothing is due. Undefined: the kind is switched off. */
  readonly dueTimes: (kinds: readonly WorkKind[]) => () => Promise<readonly (number | undefined)[]>;
  /** Runs a piece of a kind whose reads may share calls. */
  readonly apart?: (<T>(work: () => T) => T) | undefined;
  /** Calls to other machines that the current invocation has left. Absent: no host counts them. */
  readonly callsLeft?: (() => number) | undefined;
  /** Runs a piece whose calls each ask first. Absent: no host counts them. */
  readonly asking?: (<T>(ask: () => void, work: () => T) => T) | undefined;
  /** Milliseconds between looks for work of other instances. */
  readonly poll: number;
  /** Takes what commits of this process wake. Undefined: it does the work itself. */
  readonly elsewhere?: ((kind: string) => void) | undefined;
  /** Milliseconds that pieces have to end by themselves when the service stops. */
  readonly grace: number;
}

/** A kind of work in this instance. */
export interface Working {
  readonly kind: WorkKind;
  readonly tally: WorkTally;
  /** Wakes its loop. */
  readonly waker: Waker;
  /** When its next work is due. Infinity: not before a commit. */
  dueTime(): Promise<number>;
}

/** Milliseconds between looks behind answers to reads. */
const afterReadsEvery = 60_000;

/** Name for commits that may concern any kind. */
const anyKind = '';

/** Runs the background work: every kind, in the order of priority. */
export function createWork(parts: WorkParts) {
  const {
    clock,
    log,
    host,
    apart,
    dueTimes,
    poll,
    elsewhere,
    grace,
    callsLeft = () => Number.POSITIVE_INFINITY,
    asking,
  } = parts;
  const stopping = new AbortController();
  const stopped = new AbortController();
  /** Each kind has signals of its own to listen to: runtimes warn of many listeners at one. */
  const signals = () => ({ stopping: stopping.signal, stopped: AbortSignal.any([stopped.signal]) });
  const active = new Set<Promise<unknown>>();
  const workings: Working[] = [];
  let readAll: (() => Promise<readonly (number | undefined)[]>) | undefined;
  /** Whether a commit of this instance may have made work that woke nobody. */
  let isChanged = true;
  let readsLookedAt = Number.NEGATIVE_INFINITY;

  function following<T>(work: Promise<T>): Promise<T> {
    active.add(work);
    return work.finally(() => active.delete(work));
  }

  const dueOf = ({ dueHere }: WorkKind, due: number | undefined): number =>
    due === undefined ? Number.POSITIVE_INFINITY : (dueHere?.(due) ?? due);

  function workingOf(kind: WorkKind): Working {
    const read = dueTimes([kind]);
    const waker = createWaker(clock);
    kind.wokenHere?.(waker.wake);
    return {
      kind,
      tally: new WorkTally(() => clock.now()),
      waker,
      dueTime: async () => dueOf(kind, (await read())[0]),
    };
  }

  /** Asks once for all kinds. */
  async function lookAtAll(): Promise<readonly (readonly [working: Working, due: number])[]> {
    readAll ??= dueTimes(workings.map(({ kind }) => kind));
    const times = await readAll();
    return workings.map((working, index) => [working, dueOf(working.kind, times[index])]);
  }

  /** Wakes the kinds that have work which no commit of this instance told them of. */
  async function wakeDue(): Promise<void> {
    try {
      for (const [{ tally, waker }, due] of await lookAtAll())
        if (Math.max(due, tally.restsUntil) < nextLook(tally)) waker.wake();
    } catch (error) {
      log.write('warn', 'work-halted', { kind: 'all', ...describeError(error) });
    }
  }

  const changed = () => {
    isChanged = true;
  };

  /** Looks for work of other instances, and soon after commits of this one. */
  async function watch(): Promise<void> {
    for (let lookedAt = Number.NEGATIVE_INFINITY; !stopping.signal.aborted; ) {
      const now = clock.now();
      if (isChanged || now - lookedAt > poll - shortRest / 2) {
        isChanged = false;
        lookedAt = now;
        await wakeDue();
      }
      await clock.sleep(untilBeat(clock, Math.min(poll, shortRest)), stopping.signal).catch(() => undefined);
    }
  }

  /** Runs one kind until the service stops. The first look at all kinds wakes it. */
  async function runKind({ kind, tally, waker, dueTime }: Working): Promise<void> {
    const allowance = new Allowance(callsLeft);
    const options = { ...signals(), end: Number.POSITIVE_INFINITY, allowance, waker };
    for (let turn = waker.turn; !stopping.signal.aborted; ) {
      await waker.wait(turn, Math.min(nextLook(tally) - clock.now(), maxWait));
      // A stop wakes those that wait. A signal to listen to would cost each commit more than to wake.
      if (stopping.signal.aborted) return;
      if (kind.gathers !== undefined && waker.turn !== turn)
        await clock.sleep(kind.gathers, stopping.signal).catch(() => undefined);
      turn = await tick(kind, { clock, log, tally, apart, asking, dueTime }, options);
    }
  }

  /**
   * Runs the kinds concurrently that are due, and again those that are due then, also by what the others did. Ends when
   * nothing is due, or the time or the calls are used up. Returns the next due time. The kinds claim in their order, so
   * that calls go to the first ones.
   */
  async function tickAll(mayRun: (kind: WorkKind) => boolean, budget: number): Promise<number | undefined> {
    const end = clock.now() + budget;
    const allowance = new Allowance(callsLeft);
    const hasCalls = ({ kind }: Working) => allowance.room(callsOf(kind)) > 0;
    const stuck = new Set<Working>();
    for (;;) {
      // Nothing could begin, so a look would be in vain.
      if (!workings.some(hasCalls)) return clock.now() + shortRest;
      const looked = (await lookAtAll()).filter(([{ kind }]) => mayRun(kind));
      const now = clock.now();
      const due = looked.filter(([working, time]) => time <= now && !stuck.has(working)).map(([working]) => working);
      if (!due.some(hasCalls) || stopping.signal.aborted || now >= end) {
        const next = Math.min(...looked.map(([working, time]) => (stuck.has(working) ? now + shortRest : time)));
        return Number.isFinite(next) ? next : undefined;
      }
      let running = due.length;
      const isLast = () => running === 1;
      await Promise.all(
        due.map(async (working) => {
          const { kind, tally, dueTime } = working;
          const options = { ...signals(), end, allowance, waker: createWaker(clock), isDue: true, isLast };
          tally.due = now;
          await tick(kind, { clock, log, tally, apart, asking, dueTime }, options);
          running--;
          if (tally.restsUntil > clock.now()) stuck.add(working);
        }),
      );
    }
  }

  function stop(): void {
    stopping.abort();
    for (const { waker } of workings) waker.wake();
  }

  return {
    /** Takes the kinds of all rooms. Kinds that cannot run on this host are left to other instances. */
    join(kinds: readonly WorkKind[]): void {
      const possible = kinds.filter(({ hosts }) => hosts.includes(host)).sort((a, b) => a.priority - b.priority);
      workings.push(...possible.map(workingOf));
    },

    /** Kinds of work on this instance. */
    workings: workings as readonly Working[],

    /** Runs due work for so many milliseconds, and returns the next due time. For hosts without a loop. */
    tick: (budget = Number.POSITIVE_INFINITY): Promise<number | undefined> => following(tickAll(() => true, budget)),

    /** Runs due work after an answer on the edge. `changed`: the request may have changed something. */
    async afterAnswer(changed: boolean, budget: number): Promise<void> {
      const now = clock.now();
      if (!changed && now - readsLookedAt < afterReadsEvery) return;
      readsLookedAt = now;
      await following(tickAll(({ afterReads }) => changed || afterReads === true, budget));
    },

    /** Works until the service stops. */
    run: (): Promise<unknown> => following(Promise.all([watch(), ...workings.map(runKind)])),

    /**
     * Wakes each kind after commits that may make work for it. Disabled on the edge, where requests must not wake each
     * other.
     */
    participants(): readonly Participant[] {
      if (host === 'edge') return [];
      const wakes = (name: string, wake: () => void) => (elsewhere ? () => elsewhere(name) : wake);
      return [
        ...workings.map(({ kind: { name, wokenBy }, waker }) => ({
          name: `work ${name}`,
          concerns: wokenBy,
          committed: wakes(name, waker.wake),
        })),
        { name: 'work', concerns: ['event', 'request'], committed: wakes(anyKind, changed) },
      ];
    },

    /** Wakes kinds for commits of another process. */
    wake(kinds: readonly string[]): void {
      for (const { kind, waker } of workings) if (kinds.includes(kind.name)) waker.wake();
      if (kinds.includes(anyKind)) changed();
    },

    /** Ends the leases of instances that no longer run. Only for the only server on a database. */
    async takeBack(): Promise<void> {
      for (const { kind } of workings) {
        const leases = (await kind.takeBack?.()) ?? 0;
        if (leases > 0) log.write('info', 'leases-taken-back', { kind: kind.name, leases });
      }
    },

    /** Claims nothing more and begins no piece. */
    stop,

    /** Stops claiming, and ends the pieces that have begun. */
    interrupt(): void {
      stop();
      stopped.abort(new Error('The service stops'));
    },

    /** Stops beginning pieces, gives running ones a grace time, and then aborts them. */
    async close(): Promise<void> {
      stop();
      const enough = new AbortController();
      const late = clock.sleep(grace, enough.signal).then(
        () => stopped.abort(new Error('The service stops')),
        () => undefined,
      );
      await Promise.allSettled(active);
      enough.abort();
      await late;
    },
  };
}
