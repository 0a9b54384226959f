import type { Pairs } from '../../../core/events/payloads.ts';
import { dataOf } from '../../../room/jobs/rules.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { type StepLog, type StepProgress, stepLog } from './step-log.ts';
import { writeLiveData, writeProgress } from './store.ts';

/** Milliseconds between two commits of progress. */
const interval = 1_000;

/** Log, progress and live data of the attempt that runs now. */
export class StepReport {
  #attempt = { step: Number.NaN, attempt: 0, log: stepLog() };
  #liveData: Pairs = [];
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** Log of an attempt at a step: the one at hand, or a new one. */
  logOf(row: JobRow, step: number): StepLog {
    const attempt = row.step === step ? row.attempt : 0;
    if (this.#attempt.step !== step || this.#attempt.attempt !== attempt) {
      this.#attempt = { step, attempt, log: stepLog() };
    }
    return this.#attempt.log;
  }

  progressOf(row: JobRow, step: number, now: number, says: readonly string[] = []): StepProgress {
    return this.logOf(row, step).told(now, says);
  }

  /** Live data ends with the step. */
  beginStep(): void {
    this.#liveData = [];
  }

  /** The job without stored values of the live data: a server that is gone may have left them. */
  tell(row: JobRow, data: Pairs): JobRow {
    this.#liveData = data;
    const keys = new Set(data.map(([key]) => key));
    return { ...row, data: JSON.stringify(dataOf(row).filter(([key]) => !keys.has(key))) };
  }

  /** The job with the live data as its data, for those who read it while nothing runs here. */
  told(row: JobRow): JobRow {
    return this.#liveData.length === 0 ? row : { ...row, data: JSON.stringify([...dataOf(row), ...this.#liveData]) };
  }

  /** Statements that write the report. Undefined: the last ones are less than an interval ago. */
  due(row: JobRow, step: number, now: number) {
    if (now - this.#writtenAt < interval) return undefined;
    this.#writtenAt = now;
    const { id: jobId, attempt } = row;
    const progress = writeProgress({ jobId, step, attempt }, this.progressOf(row, step, now));
    if (this.#liveData.length === 0) return [progress];
    return [progress, writeLiveData({ ...row, data: JSON.stringify([...dataOf(row), ...this.#liveData]) })];
  }
}
