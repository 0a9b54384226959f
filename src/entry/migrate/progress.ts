import type { Clock } from '../../core/lib/clock.ts';
import { durationInWords } from '../../core/lib/messages.ts';
import type { Api } from './calls.ts';
import type { Report } from './report.ts';

interface ProgressParts {
  readonly clock: Clock;
  readonly report: Report;
  readonly api: Pick<Api, 'figures'>;
  /** Entities of a kind at the original, where that is known. */
  readonly totals: Readonly<Record<string, number | undefined>>;
  tell(text: string): void;
}

/** Milliseconds between two lines. */
const often = 10_000;

/** Tells how far a run is, how fast, and how long it takes. */
export class Progress {
  readonly #parts: ProgressParts;
  #kind = '';
  #began = 0;
  #last: number;

  constructor(parts: ProgressParts) {
    this.#parts = parts;
    this.#last = parts.clock.now();
  }

  look(kind: string): void {
    const { clock, tell, report, totals, api } = this.#parts;
    const now = clock.now();
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.#began = now;
    }
    if (now - this.#last < often) return;
    this.#last = now;
    const done = report.done(kind);
    const perSecond = (1000 * done) / Math.max(now - this.#began, 1);
    const total = totals[kind];
    const left = total === undefined ? '' : `, ${durationInWords((total - done) / Math.max(perSecond, 0.001))} left`;
    const of = total === undefined ? '' : ` of ${total}`;
    const { requests, paused } = api.figures;
    const pauses = paused < 1000 ? '' : `, paused for ${durationInWords(paused / 1000)}`;
    tell(`${kind} ${done}${of}, ${perSecond.toFixed(1)} a second${left}; ${requests} requests${pauses}`);
  }
}
