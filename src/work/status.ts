import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import { nextTurn } from '../lib/turn.ts';
import type { MeasuredPiece, WorkKind } from './kind.ts';
import { steps } from './steps.ts';
import type { Failure } from './tally.ts';
import type { Working } from './work.ts';

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
  /** When the kind looks again by itself. */
  readonly due: number | undefined;
}

interface Parts {
  readonly workings: readonly Working[];
  readonly clock: Clock;
  readonly metrics: Metrics;
}

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
    'When work failed last, in seconds since 1970; 0: not yet',
    ({ tally }) => (tally.lastFailure?.at ?? 0) / 1_000,
  );

  /** Each count is short; all of them without a turn between would not be. */
  async function measureAll(): Promise<void> {
    for (const { kind, tally } of workings) {
      if (!kind.measure) continue;
      tally.measured = await kind.measure();
      await nextTurn();
    }
  }

  /** Counts what waits now and then, not for each look at the metrics. */
  const figures: WorkKind = steps({
    name: 'figures',
    says: 'Counts waiting work for the metrics',
    hosts: ['loop'],
    priority: 95,
    clock,
    rest: weighed,
    async step() {
      await measureAll();
      return false;
    },
  });

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
    due: tally.looks,
  });

  return {
    figures,
    async list(): Promise<readonly WorkStatus[]> {
      await measureAll();
      return workings.map(statusOf);
    },
  };
}
