import type { Clock } from '../lib/clock.ts';
import { type Piece, type WorkKind, workKind } from './kind.ts';

interface Steps extends Pick<WorkKind, 'name' | 'says' | 'hosts' | 'afterReads' | 'priority' | 'gathers' | 'due'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Commits after which a step may begin. */
  readonly wokenBy?: WorkKind['wokenBy'];
  /** Milliseconds of rest after the last step, or after a failed one. */
  readonly rest: number;
  /** Milliseconds after which a step runs although nothing is due in the database. */
  readonly every?: number;
  /** Runs one bounded step. True: more work is left. */
  step(): Promise<boolean>;
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
      if (!(await step())) return;
      restsUntil = clock.now();
      context.done();
    },
  });
}
