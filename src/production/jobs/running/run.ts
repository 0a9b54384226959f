import type { Clock } from '../../../core/lib/clock.ts';
import { lacksRight, ServiceError } from '../../../core/lib/errors.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import { isChanged, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing, nothing, together } from '../../../core/store/commit-plan.ts';
import type { Actor, CommitPlan, Statement } from '../../../core/store/contract.ts';
import { isOutage } from '../../../core/store/faults.ts';
import type { Store } from '../../../core/store/store.ts';
import type { Spans } from '../../../core/telemetry/spans.ts';
import type { PieceContext } from '../../../core/work/work-kind.ts';
import { declared } from '../../../room/jobs/contract.ts';
import {
  type JobEnd,
  JobFails,
  type JobNeed,
  type JobStep,
  type JobType,
  JobWaits,
  type LeasedJob,
  type StepResult,
  type StepWaits,
  TaskFails,
} from '../../../room/jobs/job-type.ts';
import { MemoMismatch, toldOf } from '../../../room/jobs/memo.ts';
import { dataOf } from '../../../room/jobs/rules.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import {
  begun,
  changeJob,
  cleaningPause,
  cleanupAt,
  endEvents,
  endedRow,
  endOf,
  engineStateOf,
  failedRow,
  isLast,
  jobLost,
  leaseTime,
  memoOf,
  nextRunning,
  pairsOf,
  released,
  settledAfter,
  stepAt,
  stepOver,
  taskOf,
  waitingRow,
  withResult,
  withState,
} from './rules.ts';
import { stepLog } from './step-log.ts';
import { StepReport } from './step-report.ts';
import { jobHeld } from './store.ts';

export interface RunParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly spans?: Spans | undefined;
  /** Asks for the rights of the user that a step needs. Throws the refusal. */
  ask(job: LeasedJob, needs: readonly JobNeed[]): Promise<void>;
  /** The type of a job with the custom tasks that it has. */
  typeOf(row: JobRow): JobType;
}

/** Rows that go with a change of the job. */
interface Transition {
  readonly work?: CommitPlan | undefined;
  readonly tasks?: readonly Statement[];
  /** States on the way, sent as events like those of separate commits. */
  readonly between?: readonly JobRow[];
  /** The job with its next step begun. */
  readonly stored?: JobRow | undefined;
}

/** Runs a claimed job step by step, until it ends, waits, or another instance owns it. `announced`: state in its last event. */
export const runJob = (parts: RunParts, claimed: JobRow, piece: PieceContext, announced = claimed): Promise<void> =>
  new JobRun(parts, claimed, piece, announced).run();

/** Milliseconds for which rights hold once the order or a step has asked: short jobs need no calls for them. */
const askAfter = 1_000;

/** A claim of a job. Each transition is one commit, and fails if another instance owns the job. */
class JobRun {
  readonly #parts: RunParts;
  readonly #piece: PieceContext;
  readonly #type: JobType;
  readonly #actor: Actor;
  readonly #mine: Statement;
  readonly #report = new StepReport();
  /** The job as it was committed last. */
  #row: JobRow;
  /** The job as its last event has it: a short step sends no event as it begins. */
  #announced: JobRow;
  #lastEnded: JobStep | undefined;
  #askedAt: number;

  constructor(parts: RunParts, claimed: JobRow, piece: PieceContext, announced: JobRow) {
    this.#parts = parts;
    this.#piece = piece;
    this.#row = claimed;
    this.#askedAt = claimed.createdAt;
    this.#announced = announced;
    this.#type = parts.typeOf(claimed);
    this.#actor = JSON.parse(claimed.actor) as Actor;
    this.#mine = jobHeld(claimed, jobLost);
  }

  async run(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      if (error === jobLost || !this.#piece.signal.aborted) throw error;
      // The service stops, or the calls are used up: another instance takes the job.
      await this.#giveBack();
    }
  }

  async #run(): Promise<void> {
    const mismatch = this.#mismatch();
    if (mismatch) return this.#failUnread(mismatch);
    while (this.#row.finishedAt === null) {
      const { ending } = this.#row;
      const step = ending === null ? stepAt(this.#type, this.#row) : cleanupAt(this.#type, this.#row);
      if (!step) return ending === null ? this.#finishJob() : this.#cleanUp(ending as JobEnd);
      if (!this.#piece.mayGoOn()) return this.#giveBack();
      if (!(await this.#takeStep(step))) return;
    }
  }

  /** Runs a step. True: the job continues. */
  async #takeStep(step: JobStep): Promise<boolean> {
    this.#report.beginStep();
    try {
      await this.#ask(step);
      const waiting = await step.waits?.(this.#leased(step));
      if (waiting) {
        await this.#wait(step, waiting);
        return false;
      }
      if (step.begin) await again(() => this.#beginStep(step));
      if (this.#lastEnded === step) return true;
      await again(async () => {
        const result = await this.#recorded(() => step.run(this.#leased(step)));
        // The step may have ended itself in a commit of its own.
        if (this.#lastEnded !== step) await this.#endStep(step, result);
      });
      return true;
    } catch (error) {
      if (error === jobLost || this.#piece.signal.reason === jobLost) throw jobLost;
      if (this.#piece.signal.aborted) throw error;
      if (error instanceof JobWaits) await this.#wait(step, error.waiting);
      else if (isOfStore(error)) throw error;
      else await this.#failStep(step, error);
      return this.#row.leaseUntil > 0;
    }
  }

  /** Steps of a job are spans of one trace. */
  #recorded<T>(run: () => Promise<T>): Promise<T> {
    const { spans, clock } = this.#parts;
    return spans ? spans.within(spans.placeFor(this.#row.id), `job ${this.#row.type}`, clock.now, run) : run();
  }

  async #ask(step: JobStep): Promise<void> {
    const since = this.#now() - this.#askedAt;
    // The clock of the instance that took the order may be ahead.
    if (this.#row.ending !== null || (since >= 0 && since < askAfter)) return;
    const job = this.#leased(step);
    await this.#parts.ask(job, this.#type.needs?.(job.memo as never) ?? []);
    this.#askedAt = this.#now();
  }

  async #beginStep(step: JobStep): Promise<void> {
    const began = await step.begin!(this.#leased(step));
    if (began.isOver === true)
      return this.#endStep(step, began, [withResult(begun(this.#row, step), this.#withTold(step, began))]);
    const result = this.#withTold(step, began);
    const to = withResult(begun(this.#row, step), result);
    const tasks = [this.#taskRow(to, step, 'STARTED', result.says), ...pairsOf(to, result)];
    await this.#commit(to, { work: result.work, tasks });
    this.#report.logOf(this.#row, step.step).says(this.#now(), result.says ?? []);
  }

  /** Also ends the steps right behind that have nothing to do. `before`: states of the job on the way there. */
  async #endStep(step: JobStep, ended: StepResult, before: readonly JobRow[] = []): Promise<void> {
    const result = this.#withTold(step, ended);
    const at = stepOver(withResult(begun(this.#row, step), result), step, 'FINISHED');
    const settled = settledAfter(this.#type, at, step);
    const rows = [...before, at, ...settled.map((next) => next.row)];
    const now = this.#now();
    const tasks = [
      this.#taskRow(at, step, 'FINISHED', result.says, typeof result.warns === 'string' ? result.warns : undefined),
      ...pairsOf(at, result),
      ...settled.map((next) =>
        taskOf(next.row, next.step, { status: 'FINISHED', told: stepLog().told(now, next.says) }, now),
      ),
    ];
    const change = { work: result.work, tasks, between: rows.slice(0, -1) };
    await this.#continue(rows.at(-1)!, settled.at(-1)?.step ?? step, change);
    this.#lastEnded = step;
  }

  /** The job behind a step. When it was the last one, the job ends with it. */
  async #continue(at: JobRow, step: JobStep, change: Transition): Promise<void> {
    if (at.ending !== null || !isLast(this.#type, step)) {
      const next = nextRunning(this.#type, at, this.#now());
      const tasks = [...(change.tasks ?? []), ...(next ? [next.task] : [])];
      return this.#commit(at, { ...change, tasks, stored: next?.row });
    }
    const last = await this.#ended('FINISHED', step, at);
    const work = together(change.work ?? nothing, last);
    await this.#commit(endedRow(at, endOf(at), this.#now()), { ...change, work });
  }

  /** A custom type may have no tasks. */
  #finishJob(): Promise<void> {
    return again(async () => {
      const work = await this.#ended('FINISHED');
      await this.#commit(endedRow(this.#row, endOf(this.#row), this.#now()), { work });
    });
  }

  async #wait(step: JobStep, { memo, works = false, ...waiting }: StepWaits): Promise<void> {
    const row = works ? this.#report.told(this.#row) : this.#row;
    const state = works ? 'STARTED' : 'WAITING';
    const to = waitingRow(memo ? withResult(row, { memo }) : row, step, waiting, state, this.#now());
    const says = [`${waiting.requirement}: ${waiting.resourceType} ${waiting.resourceId}`];
    const tasks = row.stepStatus === 'WAITING' && !works ? [] : [this.#taskRow(to, step, state, says)];
    await this.#commit(to, { tasks });
  }

  async #failStep(step: JobStep, error: unknown): Promise<void> {
    const { says, from } = this.#failure(step, error);
    // No further attempt gives the user of the job a right.
    const isFatal = error instanceof JobFails || error instanceof MemoMismatch || lacksRight(error);
    const to = failedRow(from, step, says, isFatal, this.#now());
    const tasks = [this.#taskRow(from, step, to.stepStatus!, [], says)];
    if (to.leaseUntil === 0 || to.ending !== null) return this.#commit(to, { tasks });
    await again(() => this.#continue(to, step, { tasks }));
  }

  /** Ends a job whose memo no step can read. Nothing cleans up behind it. */
  async #failUnread(error: MemoMismatch): Promise<void> {
    const row = this.#row;
    const step = stepAt(this.#type, row) ?? this.#type.steps[0];
    if (row.ending !== null || !step) {
      return this.#commit(endedRow(row, (row.ending ?? 'FAILED_TOTAL') as JobEnd, this.#now()));
    }
    const { says, from } = this.#failure(step, error);
    const to = failedRow(from, { ...step, critical: true }, says, true, this.#now());
    const tasks = [this.#taskRow(from, step, 'FAILED_FATAL', [], says)];
    await this.#commit(endedRow(to, 'FAILED_TOTAL', this.#now()), { tasks });
  }

  /** Writes the failure of a step to the log. Only unexpected errors have their stack there. */
  #failure(step: JobStep, error: unknown): { readonly says: string; readonly from: JobRow } {
    const row = this.#row;
    const says = error instanceof ServiceError ? explanationOf(error) : (error as Error).message;
    const isForeseen = [JobFails, TaskFails, MemoMismatch, ServiceError].some((kind) => error instanceof kind);
    const detail = isForeseen ? { error: says } : describeError(error);
    this.#parts.log.write('warn', 'job-step-failed', { job: row.id, type: row.type, step: step.step, ...detail });
    this.#piece.failed();
    return { says, from: row.step === step.step ? row : begun(row, step) };
  }

  /** Ends a failed or aborted job. A clean-up that throws is tried again later. */
  async #cleanUp(how: JobEnd): Promise<void> {
    const now = this.#now();
    try {
      await again(async () => {
        const work = await this.#ended(how);
        await this.#commit(endedRow(this.#row, how, now), { work });
      });
    } catch (error) {
      if (error === jobLost) throw error;
      const row = this.#row;
      const { tries = 0 } = engineStateOf(row);
      this.#parts.log.write('warn', 'job-not-cleaned-up', { job: row.id, type: row.type, ...describeError(error) });
      this.#piece.failed(`${row.type} ${row.id}: ${(error as Error).message}`);
      await this.#commit(released(withState(row, { tries: tries + 1 }), now + cleaningPause(tries)));
    }
  }

  #giveBack(): Promise<void> {
    return this.#commit(released(this.#row, 0));
  }

  /** Commits the job's row with the changes of a step. */
  async #commit(next: JobRow, { work = nothing, tasks = [], between = [], stored }: Transition = {}): Promise<void> {
    // The lease may have been moved on since the row was read.
    const leased = (row: JobRow) => (row.leaseUntil > 0 ? { ...row, leaseUntil: this.#now() + leaseTime } : row);
    const to = leased(next);
    const storedRow = stored ? leased(stored) : to;
    const { changes, events } = changeJob(this.#announced, to, between, storedRow);
    const end = to.finishedAt === null ? [] : endEvents(to);
    const plan = {
      changes: [this.#mine, ...work.changes, ...tasks, ...changes],
      events: [...work.events, ...events, ...end],
      touches: work.touches ?? [],
    };
    const send = () => this.#parts.store.commit(plan, this.#actor);
    // A lease that stays would keep the job from every instance, until its step is DISAPPEARED.
    await (storedRow.leaseUntil > 0 ? send() : this.#piece.ending(send));
    this.#row = storedRow;
    this.#announced = to;
  }

  /** Commits progress in the background, once a second at most. A late commit finds out that the job is lost. */
  #tell(step: JobStep): void {
    const changes = this.#report.due(this.#row, step.step, this.#now());
    if (!changes) return;
    this.#parts.store.commit(changing(this.#mine, ...changes), this.#actor).catch((error) => {
      if (error === jobLost) this.#piece.stop(jobLost);
    });
  }

  /** Data with the values of the memo that clients see. Callers could forge data whose key the type does not tell. */
  #withTold(step: JobStep, result: StepResult): StepResult {
    const data = [...toldOf(this.#type, result.memo ?? {}), ...(result.data ?? [])];
    if (step.isCustom !== true) declared(this.#type, data);
    return data.length === 0 ? result : { ...result, data };
  }

  #taskRow(at: JobRow, step: JobStep, status: string, says: readonly string[] = [], error?: string): Statement {
    const now = this.#now();
    const progress = this.#report.progressOf(this.#row, step.step, now, says);
    return taskOf(at, step, { status, told: progress, ...(error !== undefined && { error }) }, now);
  }

  /** `at`: the job as it is to be, where that is known already. */
  #leased(step: JobStep | undefined, at?: JobRow): LeasedJob {
    const run = this;
    const logOf = ({ step: number }: JobStep) => run.#report.logOf(run.#row, number);
    return {
      id: run.#row.id,
      type: run.#row.type,
      user: run.#row.user ?? undefined,
      actor: run.#actor,
      signal: run.#piece.signal,
      mine: run.#mine,
      data: dataOf(at ?? run.#row),
      memo: memoOf(run.#type, at ?? run.#row),
      async begins() {
        if (!step || (run.#announced.step === step.step && run.#announced.stepStatus === 'STARTED')) return;
        const to = begun(run.#row, step);
        await run.#commit(to, { tasks: [run.#taskRow(to, step, 'STARTED')] });
      },
      keeps: (memo) => run.#commit(withResult(run.#row, { memo })),
      progress(done, total, unit = 'bytes') {
        if (!step) return;
        logOf(step).progress(done, total, unit);
        run.#tell(step);
      },
      tells(data) {
        run.#row = run.#report.tell(run.#row, declared(run.#type, data));
      },
      subStep: (sentence) => step && logOf(step).says(run.#now(), [sentence]),
      subTask(number, total, news) {
        if (!step) return;
        logOf(step).part(run.#now(), number, total, news);
        run.#tell(step);
      },
      done: (result) => run.#endStep(step!, result),
    };
  }

  async #ended(how: JobEnd, step?: JobStep, at?: JobRow): Promise<CommitPlan> {
    return (await this.#type.ended?.(this.#leased(step, at) as LeasedJob<never>, how)) ?? nothing;
  }

  #mismatch(): MemoMismatch | undefined {
    try {
      memoOf(this.#type, this.#row);
      return undefined;
    } catch (error) {
      if (error instanceof MemoMismatch) return error;
      throw error;
    }
  }

  #now(): number {
    return this.#parts.clock.now();
  }
}

const again = <T>(decide: () => Promise<T>): Promise<T> =>
  retryWhenChanged(decide, (error) => isChanged(error) && error !== jobLost);

const explanationOf = (error: ServiceError): string => {
  const { explanation = error.code, id } = error.detail;
  return lacksRight(error) && id !== undefined ? `${explanation}: ${id}` : explanation;
};

/** Faults of the database: the job is retried when its lease ends. */
const isOfStore = (error: unknown): boolean =>
  isOutage(error) || (error instanceof ServiceError && error.code === 'internal');
