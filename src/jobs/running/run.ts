import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { isChanged, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { Actor, Statement, Work } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import type { Held } from '../../work/kind.ts';
import {
  type HeldJob,
  type JobEnd,
  JobFails,
  type JobStep,
  type JobType,
  JobWaits,
  type StepResult,
  type Waiting,
} from '../job-type.ts';
import {
  begun,
  changeJob,
  cleaningPause,
  dataOf,
  endEvents,
  endedRow,
  endOf,
  failedRow,
  isLast,
  jobLost,
  leaseTime,
  memoOf,
  pairsOf,
  released,
  stepAt,
  taskOf,
  waitingRow,
  withResult,
} from './rules.ts';
import { type JobRow, jobHeld, writeProgress } from './store.ts';

export interface RunParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly types: ReadonlyMap<string, JobType>;
}

const nothing: Work = { changes: [], events: [] };
/** Milliseconds between two commits of progress. */
const between = 1_000;

/** Takes a job that this instance has claimed from step to step, until it ends, waits, or somebody else has it. */
export async function runJob({ store, clock, log, types }: RunParts, claimed: JobRow, held: Held): Promise<void> {
  const type = types.get(claimed.type)!;
  const actor = JSON.parse(claimed.actor) as Actor;
  const mine: Statement = jobHeld(claimed, jobLost);
  const stop = new AbortController();
  const signal = AbortSignal.any([held.signal, stop.signal]);
  let row = claimed;
  let told = Number.NEGATIVE_INFINITY;

  /** The row as it is to be, with the work of a step. It holds only as long as this instance has the job. */
  async function commit(next: JobRow, work: Work = nothing, tasks: readonly Statement[] = []): Promise<void> {
    // The lease may have been moved on since the row was read.
    const to = next.leaseUntil > 0 ? { ...next, leaseUntil: clock.now() + leaseTime } : next;
    const { changes, events } = changeJob(row, to);
    const end = to.finishedAt === null ? [] : endEvents(to);
    await store.commit(
      { changes: [mine, ...work.changes, ...tasks, ...changes], events: [...work.events, ...events, ...end] },
      actor,
    );
    row = to;
  }

  /** Not more than one commit a second: a late one finds out that the job is lost. */
  function progress(step: JobStep, done: number, total: number): void {
    const now = clock.now();
    if (now - told < between) return;
    told = now;
    const { id, attempt } = row;
    const change = writeProgress({ jobId: id, step: step.step, attempt, done, total });
    store.commit({ changes: [mine, change], events: [] }, actor).catch((error) => {
      if (error === jobLost) stop.abort(jobLost);
    });
  }

  const heldJob = (step: JobStep | undefined): HeldJob => ({
    id: row.id,
    type: row.type,
    user: row.user ?? undefined,
    actor,
    signal,
    mine,
    get data() {
      return dataOf(row);
    },
    get memo() {
      return memoOf(row);
    },
    progress: (done, total) => step && progress(step, done, total),
    done: (result) => endStep(step!, result),
  });

  async function beginStep(step: JobStep): Promise<void> {
    const result = await step.begin!(heldJob(step));
    const to = withResult(begun(row, step), result);
    const tasks = [taskOf(to, step, { status: 'STARTED', ...result }, clock.now()), ...pairsOf(to, result)];
    await commit(to, result.work, tasks);
  }

  async function endStep(step: JobStep, result: StepResult): Promise<void> {
    const now = clock.now();
    const at: JobRow = { ...withResult(begun(row, step), result), stepStatus: 'FINISHED' };
    const tasks = [taskOf(at, step, { status: 'FINISHED', ...result }, now), ...pairsOf(at, result)];
    const { work = nothing } = result;
    if (!isLast(type, step)) return commit(at, work, tasks);
    const last = await type.ended(heldJob(step), 'FINISHED');
    const all = { changes: [...work.changes, ...last.changes], events: [...work.events, ...last.events] };
    await commit(endedRow(at, endOf(at), now), all, tasks);
  }

  async function wait(step: JobStep, waiting: Waiting): Promise<void> {
    const now = clock.now();
    const to = waitingRow(row, step, waiting, now);
    const says = [`${waiting.requirement}: ${waiting.resourceType} ${waiting.resourceId}`];
    await commit(to, nothing, row.status === 'WAITING' ? [] : [taskOf(to, step, { status: 'WAITING', says }, now)]);
  }

  async function fail(step: JobStep, error: unknown): Promise<void> {
    const now = clock.now();
    const says = error instanceof ServiceError ? (error.detail.explanation ?? error.code) : (error as Error).message;
    const from = row.step === step.step ? row : begun(row, step);
    const to = failedRow(from, says, error instanceof JobFails, now);
    log.write('warn', 'job-step-failed', { job: row.id, type: row.type, step: step.step, ...describeError(error) });
    held.failed(`${row.type} ${row.id}, step ${step.step}: ${says}`);
    await commit(to, nothing, [taskOf(from, step, { status: to.stepStatus!, error: says }, now)]);
  }

  async function clean(how: JobEnd): Promise<void> {
    const now = clock.now();
    try {
      await again(async () => commit(endedRow(row, how, now), await type.ended(heldJob(undefined), how)));
    } catch (error) {
      if (error === jobLost) throw error;
      const tries = Number(memoOf(row)['tries'] ?? 0);
      log.write('warn', 'job-not-cleaned-up', { job: row.id, type: row.type, ...describeError(error) });
      held.failed(`${row.type} ${row.id}: ${(error as Error).message}`);
      await commit(released(withResult(row, { memo: { tries: tries + 1 } }), now + cleaningPause(tries)));
    }
  }

  /** Gives the job back. True: it goes on. */
  async function takeStep(step: JobStep): Promise<boolean> {
    try {
      const waiting = await step.waits?.(heldJob(step));
      if (waiting) {
        await wait(step, waiting);
        return false;
      }
      if (step.begin) await again(() => beginStep(step));
      await again(async () => {
        const result = await step.run(heldJob(step));
        // It may have ended the step in a commit of its own.
        if (row.step !== step.step || row.stepStatus !== 'FINISHED') await endStep(step, result);
      });
      return true;
    } catch (error) {
      if (error === jobLost || signal.aborted) await giveBack(error);
      else if (error instanceof JobWaits) await wait(step, error.waiting);
      else if (isOfStore(error)) throw error;
      else await fail(step, error);
      return row.ending !== null;
    }
  }

  /** The service stops, or the job is somebody else's. */
  async function giveBack(error: unknown): Promise<void> {
    if (error === jobLost || signal.reason === jobLost) throw jobLost;
    await commit(released(row, 0));
  }

  while (row.finishedAt === null) {
    if (row.ending !== null) return clean(row.ending as JobEnd);
    const step = stepAt(type, row);
    if (!step) throw new JobFails(`Expected a step behind ${row.step} of ${row.type}`);
    if (!held.mayGoOn()) return giveBack(undefined);
    if (!(await takeStep(step))) return;
  }
}

const again = <T>(decide: () => Promise<T>): Promise<T> =>
  retryWhenChanged(decide, (error) => isChanged(error) && error !== jobLost);

/** The database: the job is taken up again when its lease is over. */
const isOfStore = (error: unknown): boolean =>
  error instanceof ServiceError && ['store-unavailable', 'busy', 'internal'].includes(error.code);
