import type { JobState, Pairs } from '../../core/events/payloads.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { changing, nothing, together } from '../../core/store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { badParameter } from '../../http/parameters/index.ts';
import { roleMissing } from '../../http/route.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import type { Job } from './documents.ts';
import { jobEvent } from './events.ts';
import type { JobOrder, JobPriority } from './job-type.ts';
import { type JobDescription, type MemoFields, type MemoInput, toldOf } from './memo.ts';
import type { JobQuery } from './parameters.ts';
import { recordJob } from './rules.ts';
import { checkNow, defaultPriority, priorityAhead } from './store.ts';

/** The placeholder notification of a job and its data. The guards hold in the commit that starts the job. */
export interface JobNotification {
  readonly says: Pick<JobState, 'notification' | 'notificationData'>;
  readonly guards: readonly Statement[];
}

/**
 * Makes work a job that is done at once. The job begins and ends in the commit of the work, so it has ended when its
 * first receiver hears of it. `job`: its state then.
 */
function asJob(
  job: JobState,
  { changes, events, touches = [] }: CommitPlan,
  { says, guards }: JobNotification,
  record: (job: JobState) => CommitPlan,
): CommitPlan {
  const { jobId } = job;
  const ended = { ...job, ...says };
  return {
    changes: [...guards, ...changes, ...record(ended).changes],
    touches,
    events: [
      jobEvent('job/create', jobId, { ...ended, status: 'READY' }),
      ...events,
      jobEvent('job/update', jobId, ended),
      jobEvent('job/stop', jobId, ended),
      jobEvent('job/finished', jobId, ended),
    ],
  };
}

/** Caller whose request starts a job. */
export interface JobCaller extends Caller {
  readonly query: JobQuery;
}

/** Services that every start of a job needs. */
interface JobParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly services: {
    /** Validates the notification parameters of a new job. Throws the refusal. */
    jobNotification(query: Pick<JobQuery, 'notification' | 'notificationData'>): Promise<JobNotification>;
  };
}

interface StartParts extends JobParts {
  readonly services: JobParts['services'] & { startJob(order: JobOrder): CommitPlan };
}

/** Job of a request that begins and ends in its commit. */
interface ImmediateJob {
  /** The work as a job. Asked again when the commit has to be tried again. */
  around(work: CommitPlan): Promise<CommitPlan>;
  /** The job as it is answered, once it has ended. */
  document(): Job;
}

/** Reads the job parameters of the caller: `priority`, `jobmetadata`, notifications. */
export async function immediateJob(
  { store, clock, services }: JobParts,
  call: JobCaller,
  type: string,
): Promise<ImmediateJob> {
  const data = freeData({ tells: [] }, call.query.jobmetadata.map(pairOf));
  const priority = (await priorityFrom(call, call.query.priority)) ?? 'MEDIUM';
  const job: JobState = {
    jobId: await store.nextId('job'),
    type,
    status: 'FINISHED',
    user: subjectOf(call).name,
    started: clock.now(),
    ...(data.length > 0 ? { data } : {}),
  };
  return {
    async around(work) {
      const notification = await services.jobNotification(call.query);
      return asJob(job, work, notification, (ended) => recordJob(ended, priority, clock.now()));
    },
    document: () => ({
      jobId: job.jobId,
      user: job.user,
      started: job.started,
      finished: clock.now(),
      status: job.status,
      type,
      priority,
      data: job.data?.map(([key, value]) => ({ key, value })),
    }),
  };
}

/** Job that a room starts. */
export interface NewJob<F extends MemoFields = MemoFields> {
  readonly job: JobDescription<F>;
  readonly memo: MemoInput<F>;
  /** Data that clients see beside or instead of the values of the memo, by keys that the type tells. */
  readonly data?: ToldData;
  /** Whether administrators made the type. */
  readonly isCustom?: boolean;
}

/** A list is told as a pair for each of its values. Undefined: the key is not told. */
type ToldData = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A job that begins with the commit of `work`. */
export interface StartedJob {
  readonly jobId: string;
  readonly work: CommitPlan;
  /** The job as it is answered to a request. */
  readonly document: Job;
}

/** Data keys that all job types share. */
const ofAllJobs: ReadonlySet<string> = new Set([
  ...['item', 'itemId', 'itemIds', 'jobId', 'user', 'username', 'type', 'status', 'action', 'baseUri', 'abortReason'],
]);

/** Whether the service writes data of the key for jobs of a type that tells these keys. */
const isReserved = (tells: readonly string[], key: string): boolean =>
  ofAllJobs.has(key) || key.startsWith('errorMessage-') || tells.includes(key);

/** Requirement for each key in data of a caller or a rule: keys that the service writes could be forged otherwise. */
export const ownKey = 'a key that the service does not write itself';

/** First key of data that the service writes itself for jobs of the type. */
export const reservedKey = ({ tells }: Pick<JobDescription, 'tells'>, data: Pairs): string | undefined =>
  data.find(([key]) => isReserved(tells, key))?.[0];

/** Data that a caller or a rule gives to a job. */
function freeData(job: Pick<JobDescription, 'tells'>, data: Pairs): Pairs {
  const taken = reservedKey(job, data);
  if (taken === undefined) return data;
  throw badParameter('jobmetadata', `Expected ${ownKey}`, taken);
}

/** Data that a caller gives, without the item that the job tells itself. `startData`: that of its start. */
function dataOfCaller(job: Pick<JobDescription, 'tells' | 'takesItem'>, startData: Pairs, given: Pairs): Pairs {
  const item = job.takesItem ? given.find(([key]) => key === 'itemId') : undefined;
  if (!item) return freeData(job, given);
  const own = startData.find(([key]) => key === 'itemId')?.[1] ?? item[1];
  const others = given.filter((pair) => pair[0] !== 'itemId' || pair[1] !== own);
  return [...(startData.some(([key]) => key === 'itemId') ? [] : withItem([item])), ...freeData(job, others)];
}

/** Data that a room writes. A key that its type does not tell could be forged. */
export function declared({ type, tells }: Pick<JobDescription, 'type' | 'tells'>, data: Pairs): Pairs {
  const other = data.find(([key]) => !isReserved(tells, key));
  if (other) throw new Error(`Expected ${other[0]} among the keys that the type ${type} tells`);
  return data;
}

/** Data of a new job that its type tells. */
function tellsAtStart<F extends MemoFields>({ job, memo, data = {} }: NewJob<F>): Pairs {
  const other = Object.keys(data).find((key) => !job.tells.includes(key));
  if (other !== undefined) throw new Error(`Expected ${other} among the keys that the type ${job.type} tells`);
  return withItem(toldOf(job, { ...memo, ...data }));
}

/** A job that the service starts: by a rule, by its own work, or for a command. `data`: pairs written by the rule. */
export async function beginServiceJob<F extends MemoFields>(
  {
    store,
    clock,
    services,
  }: Pick<StartParts, 'clock'> & {
    readonly store: Pick<Store, 'nextId'>;
    readonly services: Pick<StartParts['services'], 'startJob'>;
  },
  job: NewJob<F>,
  { data = [], ...origin }: Partial<Pick<JobOrder, 'user' | 'priority' | 'actor' | 'data'>> = {},
): Promise<StartedJob> {
  const order: JobOrder = {
    jobId: await store.nextId('job'),
    type: job.job.type,
    data: [...tellsAtStart(job), ...freeData(job.job, data)],
    memo: job.memo,
    user: undefined,
    priority: 'LOW',
    actor: systemActor,
    says: {},
    ...origin,
  };
  return started(order, services.startJob(order), clock);
}

/** Starts the reads of `beginJob`, for `Store.ahead`. */
export const jobAhead = ({ store }: Pick<StartParts, 'store'>): unknown => priorityAhead(store);

/** A job that a request starts, and what is committed before its beginning. */
export async function beginJob<F extends MemoFields>(
  { store, clock, services }: StartParts,
  call: JobCaller,
  job: NewJob<F>,
  before = nothing,
): Promise<StartedJob> {
  const { type } = job.job;
  const { jobmetadata, holdJob, resourceTag } = call.query;
  const startData = tellsAtStart(job);
  const data = dataOfCaller(job.job, startData, jobmetadata.map(pairOf));
  const { says, guards } = await services.jobNotification(call.query);
  const order: JobOrder = {
    jobId: await store.nextId('job'),
    type,
    user: subjectOf(call).name,
    priority: (await priorityFrom(call, call.query.priority)) ?? (await defaultPriority(store, type)),
    data: [...startData, ...data, ...resourceTag.map((tag) => ['resourceTag', tag] as const)],
    memo: job.memo,
    actor: call.actor(),
    says,
    isHeld: holdJob,
    isCustom: job.isCustom,
    isRequested: true,
  };
  return started(order, together(before, changing(...guards), services.startJob(order)), clock);
}

/** Starts a job that a request orders, in one commit with `before`. */
export async function startJob<F extends MemoFields>(
  parts: StartParts,
  call: JobCaller,
  job: NewJob<F>,
  before = nothing,
): Promise<Job> {
  const { work, document } = await beginJob(parts, call, job, before);
  await call.commit(work);
  return document;
}

/** Starts the job that `begin` prepares, and prepares it again when another request was faster. */
export async function commitJob(
  caller: Caller,
  begin: () => Promise<Pick<StartedJob, 'work' | 'document'>>,
): Promise<Job> {
  const { document: job } = await caller.change(async () => {
    const { work, document } = await begin();
    return { document, ...work };
  });
  return job;
}

/** `work`: the beginning of the job with its guards. */
export const started = (order: JobOrder, work: CommitPlan, { now }: Pick<Clock, 'now'>): StartedJob => {
  const { jobId, user, type, priority, isHeld } = order;
  const status = isHeld === true ? 'HOLD' : 'READY';
  return { jobId, work, document: { jobId, user, started: now(), status, type, priority } };
};

/** Lets a waiting job check its resource at once. */
export const wakeJob = (id: string): CommitPlan => ({
  changes: [checkNow({ id })],
  events: [],
  touches: [{ kind: 'job', id, aspect: 'due' }],
});

/** Clients find the item of a job under either key. */
function withItem(data: Pairs): Pairs {
  const item = data.find(([key]) => key === 'itemId');
  if (!item || data.some(([key]) => key === 'item')) return data;
  return [['item', item[1]], ...data];
}

/** Come before the jobs of all others. */
const urgent: ReadonlySet<JobPriority> = new Set(['IMMEDIATE', 'HIGHEST']);
/** Changes priorities, also to urgent ones. */
const changesJobs = '_job_write';

/** Whether somebody may order jobs of the priority. Undefined: nobody does. */
export const mayOrder = async (call: Caller | undefined, priority: JobPriority): Promise<boolean> =>
  !urgent.has(priority) || (call !== undefined && subjectOf(call).has(changesJobs));

/** Reads a priority that the caller names. */
export async function priorityFrom(call: Caller, text: string | undefined): Promise<JobPriority | undefined> {
  const priority = text?.toUpperCase() as JobPriority | undefined;
  if (priority !== undefined && !(await mayOrder(call, priority))) throw roleMissing(changesJobs);
  return priority;
}

/** `key=value`, as parameters have it. */
export function pairOf(text: string): Pairs[number] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw badParameter('jobmetadata', 'Expected key=value, percent-encoded', text);
}
