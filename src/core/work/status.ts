import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import { yieldTurn } from '../lib/turn.ts';
import type { Failure } from './tally.ts';
import type { Working } from './work.ts';
import type { MeasuredPiece } from './work-kind.ts';

/** Status of a kind of work: `waiting`, `oldest` and `leased` in the database, the others in this instance. */
export interface WorkStatus {
  readonly kind: string;
  readonly says: string;
  readonly priority: number;
  readonly concurrency: number;
  readonly waiting: number;
  readonly oldest: number | undefined;
  readonly leased: number | undefined;
  readonly pieces: readonly MeasuredPiece[] | undefined;
  readonly running: number;
  readonly runningSince: number | undefined;
  readonly done: number;
  readonly failed: number;
  readonly lastFailure: Failure | undefined;
  /** When its next work is due, as far as this instance knows. */
  readonly due: number | undefined;
}

interface Parts {
  readonly workings: readonly Working[];
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Milliseconds for which counts are good enough. */
const weighed = 15_000;

/** Tells how all kinds of work are doing, in the same words. */
export function createWorkStatus({ workings, clock, metrics }: Parts) {
  const gauge = (name: string, help: string, of: (working: Working) => number) =>
    metrics.gauges(name, help, 'kind', () => workings.map((each) => [each.kind.name, of(each)]));
  gauge('portico_work_waiting', 'Pieces of work that wait, by kind', ({ tally }) => tally.measured?.waiting ?? 0);
  gauge('portico_work_running', 'Pieces of work that this instance does just now', ({ tally }) => tally.running.size);
  gauge('portico_work_done', 'Work that this instance did, by kind', ({ tally }) => tally.done);
  gauge('portico_work_failed', 'Work that failed in this instance, by kind', ({ tally }) => tally.failed);
  gauge(
    'portico_work_last_failure_seconds',
    'When work last did not go on, in seconds since 1970; 0: not yet',
    ({ tally }) => (tally.lastFailure?.at ?? 0) / 1_000,
  );

  let measuredAt = Number.NEGATIVE_INFINITY;

  /** Each count is short; all of them without a turn between would not be. */
  async function measureAll(): Promise<void> {
    measuredAt = clock.now();
    for (const { kind, tally } of workings) {
      if (!kind.measure) continue;
      tally.measured = await kind.measure();
      await yieldTurn();
    }
  }

  const statusOf = ({ kind, tally }: Working): WorkStatus => ({
    kind: kind.name,
    says: kind.says,
    priority: kind.priority,
    concurrency: kind.concurrency,
    waiting: tally.measured?.waiting ?? 0,
    oldest: tally.measured?.oldest,
    leased: tally.measured?.running,
    pieces: tally.measured?.pieces,
    running: tally.running.size,
    runningSince: tally.runningSince,
    done: tally.done,
    failed: tally.failed,
    lastFailure: tally.lastFailure,
    due: Number.isFinite(tally.due) ? tally.due : undefined,
  });

  return {
    /** Counts waiting work for the metrics, now and then and not for each look at them. */
    async refresh(): Promise<void> {
      if (clock.now() - measuredAt >= weighed) await measureAll();
    },
    async list(): Promise<readonly WorkStatus[]> {
      await measureAll();
      return workings.map(statusOf);
    },
  };
}
