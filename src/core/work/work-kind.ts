import type { Clock } from '../lib/clock.ts';
import type { DueTime } from '../store/due.ts';

/** Host of work: the loop of a server, or the short time after an answer or a timer on the edge. */
export type WorkHost = 'loop' | 'edge';

/** Unit of work for one worker. */
export interface Piece {
  /** No other worker of this instance does the same one meanwhile. */
  readonly key: string;
}

/** Context of a worker for one piece. */
export interface PieceContext {
  /** Aborted if the lease is lost, or the grace time of a stop is over. */
  readonly signal: AbortSignal;
  /** Aborts the signal, such as when a commit finds out that the lease is lost. */
  stop(reason: unknown): void;
  /** Called before each part of a piece. False: the budget is used up, or the service stops. */
  mayGoOn(): boolean;
  /** Runs the commit that ends the lease of a piece that is put down: it is sent although no further call may be. */
  ending<T>(work: () => Promise<T>): Promise<T>;
  /** Counts completed work for the metrics and `GET /work`. */
  done(count?: number): void;
  /** Counts a failure. `says`: why this work does not go on. Without: what a user ordered failed, and the work goes on. */
  failed(says?: string): void;
}

export interface Measured {
  readonly waiting: number;
  /** Time since when the oldest piece waits. */
  readonly oldest?: number | undefined;
  /** Pieces that workers of all instances do. Absent: only an instance knows its own. */
  readonly running?: number | undefined;
  /** Progress of long pieces. */
  readonly pieces?: readonly MeasuredPiece[] | undefined;
}

export interface MeasuredPiece {
  readonly name: string;
  readonly done: number;
  /** About how much there is. */
  readonly of?: number | undefined;
  readonly since?: number | undefined;
  /** Why it does not go on. */
  readonly says?: string | undefined;
}

export interface Lease<P extends Piece> {
  readonly milliseconds: number;
  /** Moves the end of the lease on. Throws `lost` where another instance has the piece. */
  renew(piece: P, until: number): Promise<unknown>;
  readonly lost: unknown;
}

/** Kind of background work. */
export interface WorkKind<P extends Piece = Piece> {
  readonly name: string;
  readonly says: string;
  readonly hosts: readonly WorkHost[];
  /** An edge looks at it behind any answer, at most once a minute. Otherwise only behind an answer to a request that may have changed something. */
  readonly afterReads?: true;
  /** Kinds begin in this order, the lowest first. Each has workers of its own, so none waits for another one. */
  readonly priority: number;
  /**
   * Calls to other machines for one part of a piece at most, with its claim and its end: an edge begins it if it has so
   * many left. Absent: 12.
   */
  readonly calls?: number;
  /** Number of workers. */
  readonly concurrency: number;
  /** A piece that takes longer than so many milliseconds does not count against `concurrency`, up to `max` workers. */
  readonly slow?: { readonly after: number; readonly max: number };
  /** Milliseconds after which a piece has failed and its worker is free. Absent: its work has limits of its own. */
  readonly longest?: number;
  /** Due time of its first piece in the database. Absent: always due, unless `dueHere` says otherwise. */
  due?(): DueTime;
  /** Due time with what only this instance knows: rests, and work that is not in the database. Infinity: nothing is due. */
  dueHere?(due: number): number;
  /** Gives the kind a call by which it wakes itself: for news that are in no database. */
  wokenHere?(wake: () => void): void;
  /** Commits of this instance that may make work, named as for participants: it begins right behind them. */
  readonly wokenBy: readonly string[];
  /** Milliseconds that a server lets pass behind a commit that wakes it, so that one look finds the work of many. */
  readonly gathers?: number;
  readonly lease?: Lease<P>;
  /** Keys of running pieces that another instance took, or that a caller ended. Asked about once a second. */
  lostPieces?(): Promise<readonly string[]>;
  /** Takes up to `max` pieces that are due. Called when some are. `isHeld`: those that a worker of this instance has. */
  claim(max: number, now: number, isHeld: (key: string) => boolean): Promise<readonly P[]>;
  /** Does a piece and records it in one commit. */
  do(piece: P, context: PieceContext): Promise<void>;
  /** Measures waiting work in the database from time to time, for all instances. */
  measure?(): Promise<Measured>;
  /** Ends the leases of instances that no longer run. Gives their number. */
  takeBack?(): Promise<number>;
}

type NewKind<P extends Piece> = Omit<WorkKind<P>, 'hosts'> & Partial<Pick<WorkKind, 'hosts'>>;

/** Lets kinds of different pieces stand in one list. Without `hosts`, both do it. */
export const workKind = <P extends Piece>(kind: NewKind<P>): WorkKind =>
  ({ hosts: ['loop', 'edge'], ...kind }) as unknown as WorkKind;

interface Steps
  extends Pick<NewKind<Piece>, 'name' | 'says' | 'hosts' | 'afterReads' | 'priority' | 'gathers' | 'due'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Commits after which a step may begin. */
  readonly wokenBy?: WorkKind['wokenBy'];
  /** Milliseconds of rest after the last step, or after a failed one. */
  readonly rest: number;
  /** Milliseconds after which a step runs although nothing is due in the database. */
  readonly every?: number;
  /** Runs one bounded step. True: more work is left. A number: some may be left in so many milliseconds. */
  step(): Promise<boolean | number>;
}

/** Time limit in milliseconds. A step is one commit. */
const longest = 60_000;

/** Work without leases: runs bounded steps in sequence, then rests. */
export function steps({ clock, rest, step, every, wokenBy = [], ...kind }: Steps): WorkKind {
  const piece: Piece = { key: kind.name };
  let restsUntil = Number.NEGATIVE_INFINITY;
  let begunAt = Number.NEGATIVE_INFINITY;
  return workKind({
    ...kind,
    concurrency: 1,
    longest,
    wokenBy,
    dueHere: (due) => Math.max(every === undefined ? due : Math.min(due, begunAt + every), restsUntil),
    async claim(_most, now) {
      // Before the step: a second caller finds it taken, and a database that fails is not asked at once again.
      [begunAt, restsUntil] = [now, now + rest];
      return [piece];
    },
    async do(_piece, context) {
      const more = await step();
      if (more === false) return;
      restsUntil = clock.now() + Number(more === true ? 0 : more);
      context.done();
    },
  });
}
