import type { Clock } from '../lib/clock.ts';
import { type Piece, type WorkKind, workKind } from './kind.ts';

interface Steps extends Pick<WorkKind, 'name' | 'says' | 'hosts' | 'afterReads' | 'priority' | 'gathers'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Commits after which a step begins at once, if it waits for one. */
  readonly woken?: { readonly by: WorkKind['wokenBy']; waits(): Promise<boolean> };
  /** Milliseconds of rest after the last step, or after a failed one. */
  readonly rest: number;
  /** Runs one bounded step. True: more work is left. */
  step(): Promise<boolean>;
}

/** Time limit in milliseconds. A step is one commit. */
const longest = 60_000;

/** Work without leases: runs bounded steps in sequence, then rests. */
export function steps({ clock, rest, step, woken, ...kind }: Steps): WorkKind {
  const piece: Piece = { key: kind.name };
  let due = Number.NEGATIVE_INFINITY;
  return workKind({
    ...kind,
    concurrency: 1,
    longest,
    wokenBy: woken?.by ?? [],
    async claim(_most, now) {
      if (now < due) return { pieces: [], looks: due };
      if (woken && !(await woken.waits())) return { pieces: [] };
      // Before the step: a second caller finds it taken, and a database that fails is not asked at once again.
      due = now + rest;
      return { pieces: [piece], looks: due };
    },
    async do(_piece, held) {
      if (!(await step())) return;
      due = clock.now();
      held.done();
    },
  });
}
