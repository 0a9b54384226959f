import { type Clock, nobodyWaits } from '../lib/clock.ts';
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
  /** Milliseconds after which it looks whether another instance committed something. */
  readonly poll: number;
}

interface TickOptions {
  /** Time after which no further piece is claimed or begun. */
  readonly end: number;
  /** Stops claiming and beginning pieces when aborted. */
  readonly stopping: AbortSignal;
  /** Aborts the running pieces, too. */
  readonly stopped: AbortSignal;
  /** Signals new work, and is woken when a worker is free again. */
  readonly waker: Waker;
  /** Called after each piece. */
  finished(): void;
}

/** `turn`: that of the waker when the kind last looked. */
export interface Ticked {
  readonly next: number | undefined;
  readonly turn: number;
}

/**
 * Runs one kind until nothing is due, and returns the next due time. Never rejects: failures are logged and counted,
 * and a later tick retries.
 */
export async function tick<P extends Piece>(
  kind: WorkKind<P>,
  parts: TickParts,
  options: TickOptions,
): Promise<Ticked> {
  const { clock, log, tally, poll } = parts;
  const { end, stopping, stopped, waker } = options;
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

  /** Takes what is due into free hands. When more is due, as far as the kind knows. */
  async function claim(): Promise<number | undefined> {
    const now = clock.now();
    const { pieces, next, looks } = await kind.claim(freeHands(), now, isHeld);
    // A commit may make work that is due before the one that is known.
    tally.looks = next === undefined ? looks : Math.min(next, looks ?? next);
    for (const piece of pieces) start(piece, now);
    return next;
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
        options.finished();
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
  async function tryToClaim(): Promise<number | undefined> {
    try {
      return await claim();
    } catch (error) {
      tally.countFailed(error instanceof Error ? error.message : String(error));
      log.write('warn', 'work-halted', { kind: kind.name, ...describeError(error) });
      return clock.now() + poll;
    }
  }

  let next: number | undefined;
  let turn: number;
  for (;;) {
    turn = waker.turn;
    const isFull = () => freeHands() <= 0;
    next = isFull() || !mayGoOn() ? undefined : await tryToClaim();
    const now = clock.now();
    const due = isFull() ? undefined : next;
    if (due !== undefined && due <= now && mayGoOn()) continue;
    if ((held.size === 0 && waker.turn === turn) || !mayGoOn()) break;
    await waker.wait(turn, Math.min(due ?? Number.POSITIVE_INFINITY, now + poll, end) - now);
  }
  await Promise.all(running);
  watching?.over.abort(nobodyWaits);
  await watching?.leases;
  stopped.removeEventListener('abort', abandon);
  return { next, turn };
}
