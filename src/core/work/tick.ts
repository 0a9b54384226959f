import type { Waker } from '../lib/clock.ts';
import { type Clock, inTime, noLongerAwaited } from '../lib/clock.ts';
import { CallsUsedUp } from '../lib/errors.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { WorkTally } from './tally.ts';
import type { Lease, Piece, PieceContext, WorkKind } from './work-kind.ts';

/** Calls of a part of a piece, where its kind tells no number. */
const defaultValue = 12;

export const callsOf = ({ calls = defaultValue }: Pick<WorkKind, 'calls'>): number => calls;

/** Calls by which pieces end their leases when no other ones are left: a few pieces at once, with one commit each. */
const endings = 6;

/** Calls to other machines that one invocation on an edge has left. Parts that have begun keep theirs until their end. */
export class Allowance {
  readonly #left: () => number;
  readonly #over = new AbortController();
  #kept = 0;
  #endings = endings;

  constructor(left: () => number) {
    this.#left = left;
  }

  /** Number of parts with so many calls each that can begin. */
  room(calls: number): number {
    return Math.max(0, Math.floor((this.#left() - this.#kept) / calls));
  }

  /** Aborted at the first call that is too many: the pieces that have begun are put down. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Asked before each call of a piece. What is put down has a few calls to end its lease, and throws otherwise. */
  readonly ask = (): void => {
    if (this.#left() > 0) return;
    const isFirst = !this.#over.signal.aborted;
    if (isFirst) this.#over.abort(new CallsUsedUp());
    if (isFirst || this.#endings-- <= 0) throw this.#over.signal.reason;
  };

  keep(calls: number): void {
    this.#kept += calls;
  }

  release(calls: number): void {
    this.#kept -= calls;
  }
}

/** A piece that this instance holds, until when, and how its work is ended. */
interface Leased<P extends Piece = Piece> {
  readonly piece: P;
  readonly stop: AbortController;
  until: number;
  /** When the part of it began that is done just now. */
  since: number;
}

/**
 * Moves the end of the leases on while their pieces are worked on, so that a lease can be short and a call long. Work on
 * a piece that was lost is ended at once, also where the database does not answer: another instance may have begun with it.
 */
async function keepLeases<P extends Piece>(
  leases: ReadonlyMap<string, Leased<P>>,
  { milliseconds, renew, lost }: Lease<P>,
  clock: Clock,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      await clock.sleep(milliseconds / 3, over);
    } catch {
      return;
    }
    await Promise.all(
      [...leases.values()].map(async (leased) => {
        const until = clock.now() + milliseconds;
        try {
          await renew(leased.piece, until);
          leased.until = until;
        } catch (error) {
          // The next turn would come too late to see its end.
          if (error === lost || clock.now() + milliseconds / 3 >= leased.until) leased.stop.abort(lost);
        }
      }),
    );
  }
}

interface TickParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly tally: WorkTally;
  /** Runs work whose reads may share calls. Default: as it is. */
  readonly apart?: (<T>(work: () => T) => T) | undefined;
  /** Runs a piece whose calls each ask first. Default: as it is. */
  readonly asking?: (<T>(ask: () => void, work: () => T) => T) | undefined;
  /** Reads when the kind is due. Infinity: not before a commit. */
  readonly dueTime: () => Promise<number>;
}

/** Milliseconds until another look at what is due and cannot be taken, or at running pieces that may be lost. */
export const shortRest = 1_000;
/** Pieces of one claim from which more are due, most likely: the next claim need not ask. */
const many = 16;
/** Most milliseconds of a timer: longer ones end at once in some runtimes. */
export const maxWait = 86_400_000;

interface TickOptions {
  /** Time after which no further piece is claimed or begun. */
  readonly end: number;
  /** Calls of this invocation. A piece whose next part finds none left goes on in a later tick. */
  readonly allowance: Allowance;
  /** Stops claiming and beginning pieces when aborted. */
  readonly stopping: AbortSignal;
  /** Aborts the running pieces, too. */
  readonly stopped: AbortSignal;
  /** Signals new work, and is woken when a worker is free again. */
  readonly waker: Waker;
  /** The kind is known to be due: its first look need not ask. */
  readonly isDue?: boolean;
  /** Whether a look at all kinds follows at once, so that this one need not look again behind its pieces. */
  readonly isLast?: () => boolean;
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
  const { clock, log, tally, dueTime, apart = (work) => work(), asking = (_ask, work) => work() } = parts;
  const { end, allowance, stopping, stopped, waker, isDue = false, isLast = () => false } = options;
  let isKnown = isDue;
  const calls = callsOf(kind);
  const { concurrency, slow, lease } = kind;
  const leasedPieces = new Map<string, Leased<P>>();
  const running = new Set<Promise<void>>();
  const abandon = ({ target }: Event) => {
    for (const { stop } of leasedPieces.values()) stop.abort((target as AbortSignal).reason);
  };
  /** Ends with the tick. Most ticks find nothing: what only pieces need begins with the first one. */
  let watching: { readonly over: AbortController; readonly leases: Promise<void> | undefined } | undefined;
  const mayGoOn = () => !stopping.aborted && clock.now() < end;
  const mayClaim = () => mayGoOn() && allowance.room(calls) > 0;
  const isHeld = (key: string) => leasedPieces.has(key);

  /** A piece that hangs takes a worker and keeps it; the others go on with those that are left. */
  function freeHands(): number {
    if (leasedPieces.size < concurrency) return concurrency - leasedPieces.size;
    if (!slow) return 0;
    const late = clock.now() - slow.after;
    const quick = [...leasedPieces.values()].filter(({ since }) => since > late).length;
    return Math.min(concurrency - quick, slow.max - leasedPieces.size);
  }

  /** Gives what is due to free workers. */
  async function claim(): Promise<void> {
    const [due, lostPieces = []] = await Promise.all([
      isKnown ? tally.due : dueTime(),
      leasedPieces.size > 0 && !isKnown ? kind.lostPieces?.() : undefined,
    ]);
    for (const key of lostPieces) leasedPieces.get(key)?.stop.abort(lease?.lost);
    isKnown = false;
    tally.due = due;
    const now = clock.now();
    if (tally.due > now) return;
    // Half of the calls are left to kinds with less priority, so that a receiver that hangs does not hold them up.
    const max = Math.min(freeHands(), Math.ceil(allowance.room(calls) / 2));
    if (max === 0) return;
    const reserved = Number.isFinite(max) ? max * calls : 0;
    allowance.keep(reserved);
    try {
      const pieces = await apart(() => kind.claim(max, now, isHeld));
      if (pieces.length === 0) tally.restsUntil = now + shortRest;
      isKnown = pieces.length >= many;
      for (const piece of pieces) start(piece, now);
    } finally {
      allowance.release(reserved);
    }
  }

  function watch(): NonNullable<typeof watching> {
    const over = new AbortController();
    for (const signal of [stopped, allowance.over]) signal.addEventListener('abort', abandon);
    return { over, leases: lease && keepLeases(leasedPieces, lease, clock, over.signal) };
  }

  function start(piece: P, now: number): void {
    watching ??= watch();
    const leased = { piece, stop: new AbortController(), until: now + (lease?.milliseconds ?? 0), since: clock.now() };
    if (stopped.aborted) leased.stop.abort(stopped.reason);
    leasedPieces.set(piece.key, leased);
    const ended = tally.begin();
    allowance.keep(calls);
    const work = asking(allowance.ask, () => apart(() => perform(leased)))
      .catch((error: unknown) => {
        // Work that the limit of calls put down goes on with the next tick.
        if (allowance.over.aborted && leased.stop.signal.reason === allowance.over.reason) return;
        const described = describeError(error);
        tally.countFailed(error instanceof Error ? error.message : String(error));
        log.write('warn', 'work-failed', { kind: kind.name, piece: piece.key, ...described });
      })
      .finally(() => {
        ended();
        allowance.release(calls);
        leasedPieces.delete(piece.key);
        running.delete(work);
        waker.wake();
      });
    running.add(work);
  }

  /** In a function of its own, so that a kind that throws at once is one that rejects. */
  async function perform(leased: Leased<P>): Promise<void> {
    const { piece, stop } = leased;
    let isFirst = true;
    /** The first part has the calls of its claim; each further one needs as many again. */
    const hasCalls = () => {
      if (isFirst) {
        isFirst = false;
        return true;
      }
      allowance.release(calls);
      const has = allowance.room(calls) > 0;
      allowance.keep(calls);
      return has;
    };
    const context: PieceContext = {
      signal: stop.signal,
      stop: (reason) => stop.abort(reason),
      mayGoOn() {
        leased.since = clock.now();
        return mayGoOn() && hasCalls();
      },
      // The lease of a piece that was put down would keep it from every other instance.
      ending: (work) => asking(() => undefined, work),
      done: tally.countDone,
      failed: tally.countFailed,
    };
    const work = kind.do(piece, context);
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
    // Pieces that found no free place may find one now.
    const wasInVain = tally.restsUntil > clock.now();
    if (watching && leasedPieces.size === 0 && !wasInVain && isLast()) break;
    const looks = freeHands() > 0 && mayClaim();
    if (looks) await tryToClaim();
    const now = clock.now();
    const next = looks && freeHands() > 0 ? nextLook(tally) : Number.POSITIVE_INFINITY;
    if (next <= now && mayClaim()) continue;
    if ((leasedPieces.size === 0 && waker.turn === turn) || !mayClaim()) break;
    await waker.wait(turn, Math.min(next, end, now + shortRest) - now);
  }
  await Promise.all(running);
  watching?.over.abort(noLongerAwaited);
  await watching?.leases;
  for (const signal of [stopped, allowance.over]) signal.removeEventListener('abort', abandon);
  return turn;
}

/** When a kind looks again without a commit. */
export const nextLook = ({ due, restsUntil }: WorkTally): number => Math.max(due, restsUntil);
