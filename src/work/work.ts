import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createWaker, type Waker } from '../lib/waker.ts';
import type { Participant } from '../store/contract.ts';
import type { WorkHost, WorkKind } from './kind.ts';
import { WorkTally } from './tally.ts';
import { type Ticked, tick } from './tick.ts';

interface WorkParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: WorkHost;
  /** Milliseconds between looks without a wake-up, for kinds that commits can wake. */
  readonly poll: number;
  /** Milliseconds that pieces have to end by themselves when the service stops. */
  readonly grace: number;
}

/** A kind of work in this instance. */
export interface Working {
  readonly kind: WorkKind;
  readonly tally: WorkTally;
}

/** Runs the background work: every kind, in the order of priority. */
export function createWork({ clock, log, host, poll, grace }: WorkParts) {
  const stopping = new AbortController();
  const stopped = new AbortController();
  /** Each kind has signals of its own to listen to: runtimes warn of many listeners at one. */
  const signals = () => ({ stopping: stopping.signal, stopped: AbortSignal.any([stopped.signal]) });
  const active = new Set<Promise<unknown>>();
  const workings: Working[] = [];
  /** Wakers of the loop, by kind. */
  const wakers = new Map<string, Waker>();

  function following<T>(work: Promise<T>): Promise<T> {
    active.add(work);
    return work.finally(() => active.delete(work));
  }

  /** Runs one kind until the service stops. */
  async function runKind({ kind, tally }: Working): Promise<void> {
    const waker = wakers.get(kind.name)!;
    const finished = () => {
      for (const name of kind.wakes ?? []) wakers.get(name)?.wake();
    };
    const options = { ...signals(), end: Number.POSITIVE_INFINITY, waker, finished };
    while (!stopping.signal.aborted) {
      const { next, turn } = await tick(kind, { clock, log, tally, poll }, options);
      const now = clock.now();
      const looks = kind.wokenBy.length > 0 ? now + poll : Math.max(tally.looks ?? now + poll, now);
      // A stop wakes those that wait. A signal to listen to would cost each commit more than to wake.
      if (stopping.signal.aborted) return;
      await waker.wait(turn, Math.min(next ?? looks, looks) - now);
      if (kind.gathers !== undefined && waker.turn !== turn)
        await clock.sleep(kind.gathers, stopping.signal).catch(() => undefined);
    }
  }

  /** Runs these kinds concurrently, until nothing is due or the budget is used up. */
  async function tickAll(kinds: readonly Working[], budget: number): Promise<number | undefined> {
    const end = clock.now() + budget;
    const turns = new Map(kinds.map((working) => [working.kind.name, { working, waker: createWaker(clock) }]));
    const running = new Map<string, Promise<void>>();
    const times = new Map<string, number | undefined>();

    function begin(name: string): void {
      const { working, waker } = turns.get(name)!;
      const { kind, tally } = working;
      const options = { ...signals(), end, waker, finished: () => kind.wakes?.forEach(wakeOne) };
      const ended = ({ next, turn }: Ticked) => {
        running.delete(name);
        times.set(name, next);
        // Woken after its last look.
        if (waker.turn !== turn) wakeOne(name);
      };
      running.set(name, tick(kind, { clock, log, tally, poll }, options).then(ended));
    }

    function wakeOne(name: string): void {
      if (running.has(name)) turns.get(name)?.waker.wake();
      else if (turns.has(name) && !stopping.signal.aborted && clock.now() < end) begin(name);
    }

    for (const name of turns.keys()) begin(name);
    while (running.size > 0) await Promise.all(running.values());
    const known = [...times.values()].filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  function stop(): void {
    stopping.abort();
    for (const waker of wakers.values()) waker.wake();
  }

  return {
    /** Takes the kinds of all rooms. Kinds that cannot run on this host are left to other instances. */
    join(kinds: readonly WorkKind[]): void {
      const possible = kinds.filter(({ hosts }) => hosts.includes(host)).sort((a, b) => a.priority - b.priority);
      for (const kind of possible) {
        workings.push({ kind, tally: new WorkTally(() => clock.now()) });
        wakers.set(kind.name, createWaker(clock));
      }
    },

    /** Kinds of work on this instance. */
    workings: workings as readonly Working[],

    /** Runs due work for so many milliseconds, and returns the next due time. For hosts without a loop. */
    tick: (budget = Number.POSITIVE_INFINITY): Promise<number | undefined> => following(tickAll(workings, budget)),

    /** Runs due work after an answer on the edge. `changed`: the request may have changed something. */
    async afterAnswer(changed: boolean, budget: number): Promise<void> {
      const due = workings.filter(({ kind }) => changed || kind.afterReads);
      await following(tickAll(due, budget));
    },

    /** Works until the service stops. */
    run: (): Promise<unknown> => following(Promise.all(workings.map(runKind))),

    /**
     * Wakes each kind after commits that may make work for it. Disabled on the edge, where requests must not wake each
     * other.
     */
    participants(): readonly Participant[] {
      if (host === 'edge') return [];
      return workings.map(({ kind: { name, wokenBy } }) => ({
        name: `work ${name}`,
        concerns: wokenBy,
        committed: wakers.get(name)!.wake,
      }));
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
