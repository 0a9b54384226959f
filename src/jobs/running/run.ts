import type { Pairs } from '../../events/payloads.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { isChanged, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { nothing, together } from '../../store/commit-plan.ts';
import type { Actor, CommitPlan, Statement } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import type { Held } from '../../work/kind.ts';
import { declared } from '../contract.ts';
import {
  type HeldJob,
  type JobEnd,
  JobFails,
  type JobStep,
  type JobType,
  JobWaits,
  type StepResult,
  type StepWaits,
  TaskFails,
} from '../job-type.ts';
import {
  begun,
  changeJob,
  cleaningPause,
  cleanupAt,
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
  settledAfter,
  stepAt,
  stepOver,
  taskOf,
  waitingRow,
  withResult,
} from './rules.ts';
import { type StepLog, stepLog } from './step-log.ts';
import { type JobRow, jobHeld, writeLiveData, writeTold } from './store.ts';

export interface RunParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The type of a job with the custom tasks that it has. */
  typeOf(row: JobRow): JobType;
}

/** Milliseconds between two commits of progress. */
const between = 1_000;

/** Runs a claimed job step by step, until it ends, waits, or another instance owns it. */
export async function runJob({ store, clock, log, typeOf }: RunParts, claimed: JobRow, held: Held): Promise<void> {
  const type = typeOf(claimed);
  const actor = JSON.parse(claimed.actor) as Actor;
  const mine: Statement = jobHeld(claimed, jobLost);
  const stop = new AbortController();
  const signal = AbortSignal.any([held.signal, stop.signal]);
  let row = claimed;
  let written = Number.NEGATIVE_INFINITY;
  let lastEnded: JobStep | undefined;
  /** Job data reported by the running step. */
  let live: Pairs = [];
  /** Log of the current attempt. */
  let telling = { step: Number.NaN, attempt: 0, log: stepLog() };

  /** Commits the job's row with the changes of a step. Fails if another instance owns the job. */
  async function commit(
    next: JobRow,
    work: CommitPlan = nothing,
    tasks: readonly Statement[] = [],
    between: readonly JobRow[] = [],
  ): Promise<void> {
    // The lease may have been moved on since the row was read.
    const to = next.leaseUntil > 0 ? { ...next, leaseUntil: clock.now() + leaseTime } : next;
    const { changes, events } = changeJob(row, to, between);
    const end = to.finishedAt === null ? [] : endEvents(to);
    const { touches = [] } = work;
    const told = [...work.events, ...events, ...end];
    await store.commit({ changes: [mine, ...work.changes, ...tasks, ...changes], events: told, touches }, actor);
    row = to;
  }

  /** Callers could forge data whose key the type does not declare. */
  function checked(step: JobStep, result: StepResult): StepResult {
    if (step.isCustom !== true && result.data) declared(type, result.data);
    return result;
  }

  function logOf({ step }: JobStep): StepLog {
    const attempt = row.step === step ? row.attempt : 0;
    if (telling.step !== step || telling.attempt !== attempt) telling = { step, attempt, log: stepLog() };
    return telling.log;
  }

  /** Not more than one commit a second: a late one finds out that the job is lost. */
  function tell(step: JobStep): void {
    const now = clock.now();
    if (now - written < between) return;
    written = now;
    const { id: jobId, attempt } = row;
    const changes = [mine, writeTold({ jobId, step: step.step, attempt }, logOf(step).told(now))];
    if (live.length > 0) changes.push(writeLiveData({ ...row, data: JSON.stringify([...dataOf(row), ...live]) }));
    store.commit({ changes, events: [] }, actor).catch((error) => {
      if (error === jobLost) stop.abort(jobLost);
    });
  }

  const taskRow = (at: JobRow, step: JobStep, status: string, says: readonly string[] = [], error?: string) => {
    const now = clock.now();
    const told = logOf(step).told(now, says);
    return taskOf(at, step, { status, told, ...(error !== undefined && { error }) }, now);
  };

  /** `at`: the job as it is to be, where that is known already. */
  const heldJob = (step: JobStep | undefined, at?: JobRow): HeldJob => ({
    id: row.id,
    type: row.type,
    user: row.user ?? undefined,
    actor,
    signal,
    mine,
    get data() {
      return dataOf(at ?? row);
    },
    get memo() {
      return memoOf(at ?? row);
    },
    async begins() {
      if (!step || (row.step === step.step && row.stepStatus === 'STARTED')) return;
      const to = begun(row, step);
      await commit(to, nothing, [taskRow(to, step, 'STARTED')]);
    },
    progress(done, total, unit = 'bytes') {
      if (!step) return;
      logOf(step).progress(done, total, unit);
      tell(step);
    },
    tells(data) {
      live = declared(type, data);
      // A server that is gone may have left what it told.
      const keys = new Set(data.map(([key]) => key));
      const left = dataOf(row).filter(([key]) => !keys.has(key));
      row = { ...row, data: JSON.stringify(left) };
    },
    subStep: (sentence) => step && logOf(step).says(clock.now(), [sentence]),
    subTask(number, total, news) {
      if (!step) return;
      logOf(step).part(clock.now(), number, total, news);
      tell(step);
    },
    done: (result) => endStep(step!, checked(step!, result)),
  });

  async function beginStep(step: JobStep): Promise<void> {
    const result = checked(step, await step.begin!(heldJob(step)));
    const to = withResult(begun(row, step), result);
    if (result.isOver === true) return endStep(step, result, [to]);
    const tasks = [taskRow(to, step, 'STARTED', result.says), ...pairsOf(to, result)];
    await commit(to, result.work, tasks);
    logOf(step).says(clock.now(), result.says ?? []);
  }

  /** The row behind a step. When it was the last one, the job ends with it. */
  async function goOn(
    at: JobRow,
    step: JobStep,
    work: CommitPlan,
    tasks: readonly Statement[],
    between: readonly JobRow[] = [],
  ): Promise<void> {
    if (at.ending !== null || !isLast(type, step)) return commit(at, work, tasks, between);
    const last = await type.ended(heldJob(step, at), 'FINISHED');
    await commit(endedRow(at, endOf(at), clock.now()), together(work, last), tasks, between);
  }

  /** `before`: what the job is on the way there. */
  async function endStep(step: JobStep, result: StepResult, before: readonly JobRow[] = []): Promise<void> {
    const at = stepOver(withResult(begun(row, step), result), step, 'FINISHED');
    const settled = settledAfter(type, at, step);
    const rows = [...before, at, ...settled.map((next) => next.row)];
    const now = clock.now();
    const tasks = [
      taskRow(at, step, 'FINISHED', result.says),
      ...pairsOf(at, result),
      ...settled.map((next) =>
        taskOf(next.row, next.step, { status: 'FINISHED', told: stepLog().told(now, next.says) }, now),
      ),
    ];
    await goOn(rows.at(-1)!, settled.at(-1)?.step ?? step, result.work ?? nothing, tasks, rows.slice(0, -1));
    lastEnded = step;
  }

  async function wait(step: JobStep, { memo, ...waiting }: StepWaits): Promise<void> {
    const to = waitingRow(memo ? withResult(row, { memo }) : row, step, waiting, clock.now());
    const says = [`${waiting.requirement}: ${waiting.resourceType} ${waiting.resourceId}`];
    await commit(to, nothing, row.stepStatus === 'WAITING' ? [] : [taskRow(to, step, 'WAITING', says)]);
  }

  async function fail(step: JobStep, error: unknown): Promise<void> {
    const says = error instanceof ServiceError ? (error.detail.explanation ?? error.code) : (error as Error).message;
    const from = row.step === step.step ? row : begun(row, step);
    const to = failedRow(from, step, says, error instanceof JobFails, clock.now());
    // Only unexpected errors are logged with their stack.
    const isForeseen = [JobFails, TaskFails, ServiceError].some((kind) => error instanceof kind);
    const told = isForeseen ? { error: says } : describeError(error);
    log.write('warn', 'job-step-failed', { job: row.id, type: row.type, step: step.step, ...told });
    held.failed(`${row.type} ${row.id}, step ${step.step}: ${says}`);
    const tasks = [taskRow(from, step, to.stepStatus!, [], says)];
    if (to.leaseUntil === 0 || to.ending !== null) return commit(to, nothing, tasks);
    await again(() => goOn(to, step, nothing, tasks));
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

  /** Runs a step. True: the job continues. */
  async function takeStep(step: JobStep): Promise<boolean> {
    live = [];
    try {
      const waiting = await step.waits?.(heldJob(step));
      if (waiting) {
        await wait(step, waiting);
        return false;
      }
      if (step.begin) await again(() => beginStep(step));
      if (lastEnded === step) return true;
      await again(async () => {
        const result = await step.run(heldJob(step));
        // The step may have ended itself in a commit of its own.
        if (lastEnded !== step) await endStep(step, checked(step, result));
      });
      return true;
    } catch (error) {
      if (error === jobLost || signal.aborted) await giveBack(error);
      else if (error instanceof JobWaits) await wait(step, error.waiting);
      else if (isOfStore(error)) throw error;
      else await fail(step, error);
      return row.leaseUntil > 0;
    }
  }

  /** The service stops, or another instance owns the job. */
  async function giveBack(error: unknown): Promise<void> {
    if (error === jobLost || signal.reason === jobLost) throw jobLost;
    await commit(released(row, 0));
  }

  while (row.finishedAt === null) {
    const { ending } = row;
    const step = ending === null ? stepAt(type, row) : cleanupAt(type, row);
    if (!step && ending !== null) return clean(ending as JobEnd);
    // A custom type may have no tasks.
    if (!step) {
      return again(async () =>
        commit(endedRow(row, endOf(row), clock.now()), await type.ended(heldJob(undefined), 'FINISHED')),
      );
    }
    if (!held.mayGoOn()) return giveBack(undefined);
    if (!(await takeStep(step))) return;
  }
}

const again = <T>(decide: () => Promise<T>): Promise<T> =>
  retryWhenChanged(decide, (error) => isChanged(error) && error !== jobLost);

/** Faults of the database: the job is retried when its lease ends. */
const isOfStore = (error: unknown): boolean =>
  error instanceof ServiceError && ['store-unavailable', 'busy', 'internal'].includes(error.code);
