import type { Clock } from '../lib/clock.ts';
import { type Piece, type WorkKind, workKind } from './kind.ts';

export interface Steps extends Pick<WorkKind, 'name' | 'says' | 'hosts' | 'afterReads' | 'priority'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds from the last step to the next one, when nothing is left to do or a step failed. */
  readonly rest: number;
  /** One bounded step. True: more is left to do. */
  step(): Promise<boolean>;
}

/** Milliseconds. A step is one commit. */
const longest = 60_000;

/** Work without leases: an instance takes one bounded step after the other, then rests. */
export function steps({ clock, rest, step, ...kind }: Steps): WorkKind {
  const piece: Piece = { key: kind.name };
  let due = Number.NEGATIVE_INFINITY;
  return workKind({
    ...kind,
    concurrency: 1,
    longest,
    wokenBy: [],
    async claim(_most, now) {
      if (now < due) return { pieces: [], looks: due };
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
