import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { storable } from '../../../core/lib/storable.ts';
import type { CommitPlan, EventRecord, Statement } from '../../../core/store/contract.ts';
import { jobEvent } from '../../../room/jobs/events.ts';
import type { JobEnd, JobStep, JobType, StepResult, WaitReason } from '../../../room/jobs/job-type.ts';
import {
  type EngineMemo,
  engineMemo,
  type JobDescription,
  type MemoFields,
  type MemoOf,
  readMemo,
  type StoredMemo,
} from '../../../room/jobs/memo.ts';
import { dataOf, mainSteps, stateOf } from '../../../room/jobs/rules.ts';
import { insertDatum } from '../../../room/jobs/store.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { nothingTold, type StepProgress } from './step-log.ts';
import { type TaskChange, writeJob, writeTask } from './store.ts';

/** Thrown if another instance owns the job by now. */
export const jobLost = changedMeanwhile('Job', 'lease');

/** Milliseconds without a renewal after which another instance takes the job over. */
export const leaseTime = 60_000;

/** Milliseconds after each failure until the next attempt. One more failure is the last one. */
const pauses = [5_000, 30_000] as const;
/** Milliseconds until the first look whether a job still has to wait, and between two looks later. */
const firstLook = 2_000;
const lastLook = 60_000;
const maxErrorLength = 1_000;

/** Stored memo: that of the steps with the state of the engine. */
const storedMemo = ({ memo }: Pick<JobRow, 'memo'>): StoredMemo => JSON.parse(memo) as StoredMemo;
export const engineStateOf = (row: Pick<JobRow, 'memo'>): EngineMemo => readMemo(engineMemo, storedMemo(row));
/** Memo of a job by the description of its type. Throws `MemoMismatch`. */
export const memoOf = <F extends MemoFields>({ memo }: JobDescription<F>, row: Pick<JobRow, 'memo'>): MemoOf<F> =>
  readMemo(memo, storedMemo(row));

/** States to be sent as events, if status or step have changed. */
function toldStates(row: JobRow, to: JobRow): readonly JobRow[] {
  const isTold = row.status !== to.status || row.step !== to.step || row.stepStatus !== to.stepStatus;
  if (!isTold) return [];
  // A waiting job becomes READY before it continues.
  return row.status === 'WAITING' && to.status === 'STARTED' ? [{ ...to, status: 'READY' }, to] : [to];
}

/**
 * Updates a job, with its events. `between`: intermediate states, sent like separate commits. `stored`: the same job
 * with its next step begun, of which only the end of that step sends an event.
 */
export function changeJob(row: JobRow, to: JobRow, between: readonly JobRow[] = [], stored = to): CommitPlan {
  const path = [row, ...between, to];
  const states = path.slice(1).flatMap((next, at) => toldStates(path[at]!, next));
  return { changes: [writeJob(stored)], events: states.map((state) => jobEvent('job/update', to.id, stateOf(state))) };
}

/** The next step as running, if nothing is to be asked or changed before it. */
export function nextRunning(type: JobType, row: JobRow, now: number) {
  const step = row.ending === null && row.finishedAt === null ? stepAt(type, row) : undefined;
  if (!step || step.waits || step.begin || row.waiting !== null) return undefined;
  const to = begun(row, step);
  return { row: to, task: taskOf(to, step, { status: 'STARTED', told: nothingTold }, now) };
}

/** Events of a job that has ended. */
export function endEvents(row: JobRow): readonly EventRecord[] {
  const state = stateOf(row);
  const last = row.status.startsWith('FINISHED') ? 'job/finished' : 'job/fail';
  return [jobEvent('job/stop', row.id, state), jobEvent(last, row.id, state)];
}

/** The step that is next: the one that was begun, as long as it has not ended. */
export function stepAt(type: JobType, row: JobRow): JobStep | undefined {
  const { step, stepStatus } = row;
  const isOver = stepStatus === 'FINISHED' || engineStateOf(row).passed === step;
  return mainSteps(type).find((each) => step === null || each.step > step || (each.step === step && !isOver));
}

interface SettledStep {
  readonly step: JobStep;
  /** The job once the step has ended. */
  readonly row: JobRow;
  readonly says: readonly string[];
}

/** The steps right behind a step that has ended for which nothing is left to do. */
export function settledAfter(type: JobType, ended: JobRow, { step }: JobStep): readonly SettledStep[] {
  if (ended.ending !== null) return [];
  const settled: SettledStep[] = [];
  let row = ended;
  for (const next of mainSteps(type)) {
    if (next.step <= step) continue;
    const over = next.settled?.({ data: dataOf(row), memo: memoOf(type, row) });
    if (!over) break;
    row = stepOver(begun(row, next), next, 'FINISHED');
    settled.push({ step: next, row, says: over.says ?? [] });
  }
  return settled;
}

export const isLast = (type: JobType, { step }: JobStep): boolean => mainSteps(type).at(-1)?.step === step;

/** The step that cleans up next behind a job that ends badly. */
export function cleanupAt({ steps }: JobType, row: JobRow): JobStep | undefined {
  const { leaves, cleaned = -1 } = engineStateOf(row);
  if (leaves) return undefined;
  return steps.find(({ step, cleanup }) => cleanup === true && step > cleaned);
}

/** Merges values into the stored memo. */
const withMemo = (row: JobRow, memo: StoredMemo): JobRow => ({
  ...row,
  memo: JSON.stringify({ ...storedMemo(row), ...memo }),
});
/** Merges values into the state of the engine. */
export const withState = (row: JobRow, state: Partial<EngineMemo>): JobRow => withMemo(row, state);

/** The row of a job that is to end without the steps that clean up. */
export const leaving = (row: JobRow): JobRow => withState(row, { leaves: true });

/** The row once a step is over, well or not. */
export const stepOver = (row: JobRow, { step, cleanup }: JobStep, stepStatus: string): JobRow => ({
  ...(cleanup === true ? withState(row, { cleaned: step }) : row),
  stepStatus,
});

/** The status stays ABORTED_PENDING during the clean-up. */
const statusOf = (row: JobRow, status: string): string => (row.ending === 'ABORTED' ? 'ABORTED_PENDING' : status);

/** The row of a step that begins, or begins again. */
export const begun = (row: JobRow, { step }: JobStep): JobRow => ({
  ...row,
  step,
  stepsBegun: row.stepsBegun + (row.step === step ? 0 : 1),
  attempt: row.step === step ? row.attempt : 0,
  failures: row.step === step ? row.failures : 0,
  status: statusOf(row, 'STARTED'),
  stepStatus: 'STARTED',
  waiting: null,
});

export const endOf = (row: JobRow): 'FINISHED' | 'FINISHED_WARNING' =>
  engineStateOf(row).warned ? 'FINISHED_WARNING' : 'FINISHED';

/** The job with the result of a step. */
export function withResult(row: JobRow, { memo, data = [], warns }: StepResult): JobRow {
  const changed = memo || warns ? withMemo(row, { ...memo, ...(warns && { warned: true }) }) : row;
  return data.length > 0 ? { ...changed, data: JSON.stringify([...dataOf(row), ...data]) } : changed;
}

export const pairsOf = (row: JobRow, { data = [] }: StepResult): readonly Statement[] =>
  data.map((pair) => insertDatum(row.id, pair));

interface TaskNews {
  readonly status: string;
  readonly error?: string;
  readonly told: StepProgress;
}

export function taskOf(row: JobRow, { step, description }: JobStep, news: TaskNews, now: number): Statement {
  const { status, error = null, told: progress } = news;
  const task: TaskChange = {
    jobId: row.id,
    step,
    attempt: row.attempt,
    status,
    timestamp: now,
    description,
    error: error === null ? null : storable(error, maxErrorLength),
    ...progress,
  };
  return writeTask(task);
}

type WaitState = 'WAITING' | 'STARTED';

/** The job without its lease. */
export const released = (row: JobRow, due: number | null): JobRow => ({ ...row, due, leaseUntil: 0, instance: '' });

/** Waiting state of a job, or of one whose step another machine does. The interval between its checks grows to a minute. */
export function waitingRow(row: JobRow, step: JobStep, waiting: WaitReason, state: WaitState, now: number): JobRow {
  const to = begun(row, step);
  const text = JSON.stringify(waiting);
  const looks = row.waiting === text ? (engineStateOf(row).looks ?? 0) + 1 : 0;
  const pause = Math.min(firstLook * 2 ** Math.min(looks, 10), lastLook);
  const status = statusOf(row, state);
  return released({ ...withState(to, { looks }), status, stepStatus: state, waiting: text }, now + pause);
}

/** A failed attempt: the next one comes later, or there is none. */
export function failedRow(row: JobRow, step: JobStep, error: string, isFatal: boolean, now: number): JobRow {
  const failures = row.failures + 1;
  const pause = pauses[failures - 1];
  const key = `errorMessage-${row.step}-1-${row.attempt}`;
  const to = withResult(row, { data: [[key, storable(error, maxErrorLength)]] });
  if (isFatal || pause === undefined) {
    const over = { ...stepOver(to, step, 'FAILED_FATAL'), failures };
    if (step.cleanup === true) return over;
    if (step.critical === false) return withState(over, { warned: true, passed: step.step });
    return { ...over, ending: 'FAILED_TOTAL' };
  }
  return released({ ...to, failures, attempt: row.attempt + 1, stepStatus: 'FAILED_RETRY' }, now + pause);
}

export const endedRow = (row: JobRow, how: JobEnd | 'FINISHED_WARNING', now: number): JobRow =>
  released({ ...row, status: how, finishedAt: now, waiting: null, ending: null }, null);

/** Milliseconds until it tries again to clean up. */
export const cleaningPause = (tries: number): number => Math.min(5_000 * 2 ** Math.min(tries, 10), 600_000);
