import type { JobState, Pairs } from '../../core/events/payloads.ts';
import type { Actor, CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Caller } from '../../security/caller.ts';
import type { JobDescription, MemoFields, MemoOf, StoredMemo } from './memo.ts';

/** Priorities, the most urgent first. */
export const jobPriorities = ['IMMEDIATE', 'HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'] as const;
export type JobPriority = (typeof jobPriorities)[number];

/** Order for a new job, as its row keeps it. */
export interface JobOrder {
  readonly jobId: string;
  readonly type: string;
  /** Undefined for a job of the service itself. */
  readonly user: string | undefined;
  readonly priority: JobPriority;
  readonly data: Pairs;
  readonly memo: StoredMemo;
  /** In whose name its steps change something. */
  readonly actor: Actor;
  readonly says: Pick<JobState, 'notification' | 'notificationData'>;
  /** Whether the job starts on HOLD, until a caller releases it. */
  readonly isHeld?: boolean | undefined;
  /** Whether administrators made the type. */
  readonly isCustom?: boolean | undefined;
  /** Whether a request orders the job. It is refused if its user has too many unfinished jobs. */
  readonly isRequested?: boolean | undefined;
}

/** Resource that a job in the state WAITING needs. */
export interface WaitReason {
  readonly resourceType: string;
  readonly resourceId: string;
  readonly requirement: string;
}

/** Values of a memo that a step changes. */
type MemoChange<M> = { readonly [K in keyof M]?: M[K] | undefined };

/** Resource that a step needs, with its memo until the next check. */
export interface StepWaits<M = unknown> extends WaitReason {
  readonly memo?: MemoChange<M>;
  /** Whether another machine does the step meanwhile: the job is STARTED, and tells how far that machine is. */
  readonly works?: boolean;
}

/** Changes by a step, committed together with its end. */
export interface StepResult<M = unknown> {
  readonly work?: CommitPlan;
  /** Merged into the memo of the job. Told to clients where the type says so. */
  readonly memo?: MemoChange<M>;
  /** Added to the data of the job. */
  readonly data?: Pairs;
  /** Sentences for the log of the job. */
  readonly says?: readonly string[];
  /** Whether a part failed, or why: the job ends as FINISHED_WARNING, and the attempt has the reason as its error. */
  readonly warns?: boolean | string;
  /** Said as a step begins: nothing is left to run, so it ends in the commit in which it begins. */
  readonly isOver?: boolean;
}

export type ProgressUnit = 'bytes' | 'percent';

/** Progress of one part of a step, such as a file or a tag. */
export interface SubTask {
  readonly description: string;
  readonly status: 'READY' | 'STARTED' | 'WAITING' | 'FINISHED' | 'FAILED_RETRY' | 'FAILED_FATAL';
  readonly progress?: { readonly done: number; readonly total: number; readonly unit: ProgressUnit };
  readonly error?: string;
}

/** A job whose lease this instance has. `M`: its memo, hidden from callers. */
export interface LeasedJob<M = unknown> {
  readonly id: string;
  readonly type: string;
  readonly user: string | undefined;
  readonly actor: Actor;
  readonly data: Pairs;
  /** Throws `MemoMismatch` if the stored memo does not fit the description of the type. */
  readonly memo: M;
  /** Aborted if another instance owns the job, a caller ends it, or the service stops. */
  readonly signal: AbortSignal;
  /** For commits that hold only as long as this instance has the job. */
  readonly mine: Statement;
  /** Commits that the step runs, before it takes long and when nothing is left to wait for. No effect if repeated. */
  begins(): Promise<void>;
  /** Commits values of the memo before the step ends, so that a later attempt continues from there. */
  keeps(memo: MemoChange<M>): Promise<void>;
  /** Reports the progress of the step, by default in bytes. Written once a second at most. */
  progress(done: number, total: number, unit?: ProgressUnit): void;
  /** Data of the job for as long as the step runs, written like progress. What is to stay comes with its result. */
  tells(data: Pairs): void;
  /** A sentence for the log of the job. Written with the next progress, or with the end of the step. */
  subStep(sentence: string): void;
  /** Reports one part of the step, counted from 1, out of `total`. Written like a sentence. */
  subTask(number: number, total: number, news: SubTask): void;
  /** Ends the step in the commit of that work. Throws what the commit throws, and may be asked again then. */
  done(result: StepResult<M>): Promise<void>;
}

/**
 * Step of a job. All functions may run again after a crash, so they first check the current state. Exceptions are
 * retried later, except the two types below.
 */
export interface JobStep<M = unknown> {
  /** Number of the step in its job type. */
  readonly step: number;
  readonly description: string;
  /** False: after a permanent failure the job continues with the next step, and ends as FINISHED_WARNING. */
  readonly critical?: boolean;
  /**
   * Whether the step runs only if the job fails or is aborted: after the others and before `ended`. Its permanent
   * failure is ignored.
   */
  readonly cleanup?: boolean;
  /** Whether an administrator added the step. It may write any data then. */
  readonly isCustom?: boolean;
  /** Resource that the step waits for. Must not change anything. */
  waits?(job: LeasedJob<M>): Promise<StepWaits<M> | undefined>;
  /**
   * Log of a step that has nothing to do: it then ends in the commit that ends the step before it. Undefined: it has to
   * run, or to wait.
   */
  settled?(job: Pick<LeasedJob<M>, 'data' | 'memo'>): Pick<StepResult, 'says'> | undefined;
  /** Changes committed when the step begins. Short steps have none. */
  begin?(job: LeasedJob<M>): Promise<StepResult<M>>;
  /** Runs the step. Its result is committed with its end, unless it has ended the step itself. */
  run(job: LeasedJob<M>): Promise<StepResult<M>>;
}

export type JobEnd = 'FINISHED' | 'FAILED_TOTAL' | 'ABORTED';

/** Job that is started again, with the memo of its first start. */
export interface RestartedJob<M = unknown> {
  readonly jobId: string;
  readonly memo: M;
  /** Caller who starts the job again. Their rights count, not those of the first user. */
  readonly caller: Caller;
}

/** Right that the user of a job needs as long as the job goes on: on an entity, or to the bytes of a file. */
export type JobNeed =
  | {
      readonly on: 'item' | 'collection' | 'library';
      readonly id: string;
      readonly level: 'READ' | 'WRITE';
      /** Undefined: for the entity as a whole. Otherwise for at least one shape or field: the step asks for which. */
      readonly part?: 'SHAPE' | 'METADATA';
    }
  | { readonly on: 'bytes'; readonly id: string };

/** Job type, declared by the room that runs it. */
export interface JobType<F extends MemoFields = MemoFields> extends JobDescription<F> {
  /** Steps in the order of their numbers. */
  readonly steps: readonly JobStep<MemoOf<F>>[];
  /**
   * Asked before each step, in the name of the user: a right that was taken away fails the job. A job of the service
   * itself is not asked.
   */
  needs?(memo: MemoOf<F>): readonly JobNeed[];
  /**
   * True: the job runs a query that a caller wrote, which may take as long as a query may, or it transcodes. Such jobs
   * leave one place of a pool to others.
   */
  takesLong?(memo: MemoOf<F>): boolean;
  /**
   * Asks for the rights that the route asks for, because the new job is of another user. Throws the refusal if the job
   * cannot run again. Gives guards and rows for the commit, such as rows by job id.
   */
  restart(job: RestartedJob<MemoOf<F>>): Promise<CommitPlan>;
  /**
   * Changes in the commit that ends a job. If a failed or aborted job throws during this clean-up, it is called again
   * later.
   */
  ended?(job: LeasedJob<MemoOf<F>>, how: JobEnd): Promise<CommitPlan>;
}

/** Thrown by a step to wait. The job continues with the same step. */
export class JobWaits extends Error {
  readonly waiting: StepWaits;

  constructor(waiting: StepWaits) {
    super(`${waiting.requirement} ${waiting.resourceId}`);
    this.waiting = waiting;
  }
}

/** Thrown by a step: what an administrator added fails, and is tried again. The log needs no stack of the program. */
export class TaskFails extends Error {}

/** Thrown by a step: another attempt would not help. */
export class JobFails extends Error {}
