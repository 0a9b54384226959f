import type { JobState, Pairs } from '../events/payloads.ts';
import type { Actor, Statement, Work } from '../store/contract.ts';

/** The most urgent first. */
export const jobPriorities = ['IMMEDIATE', 'HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'] as const;
export type JobPriority = (typeof jobPriorities)[number];

/** What the steps of a job know of each other, as JSON. Callers never see it. */
export type Memo = Readonly<Record<string, string | number | boolean | null>>;

/** A job that is about to start. */
export interface JobOrder {
  readonly jobId: string;
  readonly type: string;
  /** Undefined: the service starts it by itself. */
  readonly user: string | undefined;
  readonly priority: JobPriority;
  readonly data: Pairs;
  readonly memo: Memo;
  /** In whose name its steps change something. */
  readonly actor: Actor;
  readonly says: Pick<JobState, 'notification' | 'notificationData'>;
  /** It is on HOLD, and begins when somebody lets it. */
  readonly isHeld?: boolean | undefined;
  /** A request orders it: its user has few enough jobs that have not ended, or it is refused. */
  readonly isAsked?: boolean | undefined;
}

/** What a job in the state WAITING waits for. */
export interface Waiting {
  readonly resourceType: string;
  readonly resourceId: string;
  readonly requirement: string;
}

/** What a step waits for, with what it remembers until it looks again. */
export interface StepWaits extends Waiting {
  readonly memo?: Memo;
}

/** One job, or all that wait for a resource. */
export type WaitingFor = { readonly jobId: string } | Pick<Waiting, 'resourceType' | 'resourceId'>;

/** What a step changed. It is committed together with the end of the step. */
export interface StepResult {
  readonly work?: Work;
  /** Added to what the steps know. */
  readonly memo?: Memo;
  /** Added to the data of the job. */
  readonly data?: Pairs;
  /** Sentences for the log of the job. */
  readonly says?: readonly string[];
  /** A part could not be done: the job ends as FINISHED_WARNING. */
  readonly warns?: boolean;
  /** Said as a step begins: nothing is left to run, so it ends in the commit in which it begins. */
  readonly isOver?: boolean;
}

export type ProgressUnit = 'bytes' | 'percent';

/** How far a part of a step is, where a step has several: one file, one tag. */
export interface SubTask {
  readonly description: string;
  readonly status: 'READY' | 'STARTED' | 'WAITING' | 'FINISHED' | 'FAILED_RETRY' | 'FAILED_FATAL';
  readonly progress?: { readonly done: number; readonly total: number; readonly unit: ProgressUnit };
  readonly error?: string;
}

/** A job in the hands of this instance. */
export interface HeldJob {
  readonly id: string;
  readonly type: string;
  readonly user: string | undefined;
  readonly actor: Actor;
  readonly data: Pairs;
  readonly memo: Memo;
  /** Aborted: another instance has the job, somebody ends it, or the service stops. */
  readonly signal: AbortSignal;
  /** For commits that hold only as long as this instance has the job. */
  readonly mine: Statement;
  /**
   * Says in a commit that the step runs, where it is about to take long and has all that it could wait for. Nothing
   * where it has said so.
   */
  begins(): Promise<void>;
  /** How far the step is, in bytes unless told otherwise. Written once a second at most. */
  progress(done: number, total: number, unit?: ProgressUnit): void;
  /** Data of the job for as long as the step runs, written like progress. What is to stay comes with its result. */
  tells(data: Pairs): void;
  /** A sentence for the log of the job. Written with the next progress, or with the end of the step. */
  subStep(sentence: string): void;
  /** Tells of one part of the step, counted from 1, out of `total`. Written like a sentence. */
  subTask(number: number, total: number, news: SubTask): void;
  /** Ends the step in the commit of that work. Throws what the commit throws, and may be asked again then. */
  done(result: StepResult): Promise<void>;
}

/**
 * A step of a job. Each of its functions may run again after a crash, so it first looks at what is there. What it
 * throws is tried again later, unless it is one of the two below.
 */
export interface JobStep {
  /** Its number among the steps of the type. */
  readonly step: number;
  readonly description: string;
  /** False: when it fails for good, the job goes on with the next step and ends as FINISHED_WARNING. */
  readonly critical?: boolean;
  /**
   * It runs only when the job fails or is aborted, after the others and before `ended`. One that fails for good is
   * passed over.
   */
  readonly cleanup?: boolean;
  /** An administrator added it to the type: it may write any data. */
  readonly isCustom?: boolean;
  /** What the step has to wait for. Nothing else is changed meanwhile. */
  waits?(job: HeldJob): Promise<StepWaits | undefined>;
  /**
   * What it has to say where nothing is left to do for it: it then ends in the commit that ends the step before it.
   * Undefined: it has to run, or to wait.
   */
  settled?(job: Pick<HeldJob, 'data' | 'memo'>): Pick<StepResult, 'says'> | undefined;
  /** What is committed when it begins. Steps that take no time have none. */
  begin?(job: HeldJob): Promise<StepResult>;
  /** Its result is committed with its end, unless it has ended the step itself. */
  run(job: HeldJob): Promise<StepResult>;
}

export type JobEnd = 'FINISHED' | 'FAILED_TOTAL' | 'ABORTED';

/** A type of jobs, declared by the room whose work it is. */
export interface JobType {
  readonly type: string;
  /** In the order of their numbers. */
  readonly steps: readonly JobStep[];
  /** The keys of the data that the service writes for its jobs, beside those of all jobs. Callers cannot write them. */
  readonly data: readonly string[];
  /**
   * What is committed beside the start of a job that somebody runs again: guards, and rows that its room keeps by the
   * id of the job. Its memo is that of the first start. Throws the refusal of a job that cannot run again.
   */
  restart?(order: JobOrder): Promise<Work>;
  /**
   * For the commit that ends a job. One that failed or was aborted cleans up first, and is asked again later when that
   * throws.
   */
  ended(job: HeldJob, how: JobEnd): Promise<Work>;
}

/** Thrown by a step: the job waits, and goes on with the same step. */
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
