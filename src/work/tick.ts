import { type Clock, noLongerAwaited } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { Waker } from '../lib/waker.ts';
import type { Piece, PieceContext, WorkKind } from './kind.ts';
import { keepLeases, type Leased } from './lease.ts';
import type { WorkTally } from './tally.ts';

interface TickParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly tally: WorkTally;
  /** Reads when the kind is due. Infinity: not before a commit. */
  readonly dueTime: () => Promise<number>;
}

/** Milliseconds until another look at what is due and cannot be taken, or at pieces in hand that may be lost. */
export const shortRest = 1_000;
/** Most milliseconds of a timer: longer ones end at once in some runtimes. */
export const longestWait = 86_400_000;

interface TickOptions {
  /** Time after which no further piece is claimed or begun. */
  readonly end: number;
  /** Stops claiming and beginning pieces when aborted. */
  readonly stopping: AbortSignal;
  /** Aborts the running pieces, too. */
  readonly stopped: AbortSignal;
  /** Signals new work, and is woken when a worker is free again. */
  readonly waker: Waker;
  /** The kind is known to be due: its first look need not ask. */
  readonly isDue?: boolean;
}

/**
 * Runs one kind until nothing is due, or nothing of it can be taken. Returns the turn of the waker at the last look.
 * Never rejects: failures are logged and counted, and a later tick retries.
 */
export async function tick<P extends Piece>(
  kind: WorkKind<P>,
  parts: TickParts,
  options: TickOptions,
): Promise<number> {
  const { clock, log, tally, dueTime } = parts;
  const { end, stopping, stopped, waker, isDue = false } = options;
  let isKnown = isDue;
  const { concurrency, slow, lease } = kind;
  const held = new Map<string, Leased<P>>();
  const running = new Set<Promise<void>>();
  const abandon = () => {
    for (const { stop } of held.values()) stop.abort(stopped.reason);
  };
  /** Ends with the tick. Most ticks find nothing: what only pieces need begins with the first one. */
  let watching: { readonly over: AbortController; readonly leases: Promise<void> | undefined } | undefined;
  const mayGoOn = () => !stopping.aborted && clock.now() < end;
  const isHeld = (key: string) => held.has(key);

  /** A piece that hangs takes a hand and keeps it; the others go on with those that are left. */
  function freeHands(): number {
    if (held.size < concurrency) return concurrency - held.size;
    if (!slow) return 0;
    const late = clock.now() - slow.after;
    const quick = [...held.values()].filter(({ since }) => since > late).length;
    return Math.min(concurrency - quick, slow.most - held.size);
  }

  /** Takes what is due into free hands. */
  async function claim(): Promise<void> {
    if (held.size > 0) await kind.letGo?.();
    if (isKnown) isKnown = false;
    else tally.due = await dueTime();
    const now = clock.now();
    if (tally.due > now) return;
    const pieces = await kind.claim(freeHands(), now, isHeld);
    if (pieces.length === 0) tally.restsUntil = now + shortRest;
    for (const piece of pieces) start(piece, now);
  }

  function watch(): NonNullable<typeof watching> {
    const over = new AbortController();
    stopped.addEventListener('abort', abandon);
    return { over, leases: lease && keepLeases(held, lease, clock, over.signal) };
  }

  function start(piece: P, now: number): void {
    watching ??= watch();
    const leased = { piece, stop: new AbortController(), until: now + (lease?.milliseconds ?? 0), since: clock.now() };
    if (stopped.aborted) leased.stop.abort(stopped.reason);
    held.set(piece.key, leased);
    const ended = tally.begin();
    const work = perform(leased)
      .catch((error: unknown) => {
        const described = describeError(error);
        tally.countFailed(error instanceof Error ? error.message : String(error));
        log.write('warn', 'work-failed', { kind: kind.name, piece: piece.key, ...described });
      })
      .finally(() => {
        ended();
        held.delete(piece.key);
        running.delete(work);
        waker.wake();
      });
    running.add(work);
  }

  /** In a function of its own, so that a kind that throws at once is one that rejects. */
  async function perform(leased: Leased<P>): Promise<void> {
    const { piece, stop } = leased;
    const lent: PieceContext = {
      signal: stop.signal,
      mayGoOn() {
        leased.since = clock.now();
        return mayGoOn();
      },
      done: tally.countDone,
      failed: tally.countFailed,
    };
    const work = kind.do(piece, lent);
    if (kind.longest === undefined) return work;
    const late = new Error(`Expected it to be done in ${kind.longest} ms`);
    await inTime(work, clock, kind.longest, () => {
      stop.abort(late);
      return late;
    });
  }

  /** Claims pieces. If the database is unreachable, running pieces continue meanwhile. */
  async function tryToClaim(): Promise<void> {
    tally.restsUntil = Number.NEGATIVE_INFINITY;
    try {
      await claim();
    } catch (error) {
      tally.due = clock.now();
      tally.restsUntil = tally.due + shortRest;
      tally.countFailed(error instanceof Error ? error.message : String(error));
      log.write('warn', 'work-halted', { kind: kind.name, ...describeError(error) });
    }
  }

  let turn: number;
  for (;;) {
    turn = waker.turn;
    const looks = freeHands() > 0 && mayGoOn();
    if (looks) await tryToClaim();
    const now = clock.now();
    const next = looks && freeHands() > 0 ? nextLook(tally) : Number.POSITIVE_INFINITY;
    if (next <= now && mayGoOn()) continue;
    if ((held.size === 0 && waker.turn === turn) || !mayGoOn()) break;
    await waker.wait(turn, Math.min(next, end, now + shortRest) - now);
  }
  await Promise.all(running);
  watching?.over.abort(noLongerAwaited);
  await watching?.leases;
  stopped.removeEventListener('abort', abandon);
  return turn;
}

/** When a kind looks again without a commit. */
export const nextLook = ({ due, restsUntil }: WorkTally): number => Math.max(due, restsUntil);
