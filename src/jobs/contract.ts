import type { JobState, Pairs } from '../events/payloads.ts';
import type { Call } from '../http/call.ts';
import { badParameter } from '../http/parameters/index.ts';
import { roleMissing } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { subjectOf } from '../security/caller.ts';
import { changing, nothing, together } from '../store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../store/contract.ts';
import type { Reader } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { Job } from './documents.ts';
import { happened } from './events.ts';
import type { JobOrder, JobPriority, JobType, Memo } from './job-type.ts';
import type { JobQuery } from './parameters.ts';
import { usualPriority } from './pools/usual-priority-sql.ts';

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
      happened('job/create', jobId, { ...ended, status: 'READY' }),
      ...events,
      happened('job/update', jobId, ended),
      happened('job/stop', jobId, ended),
      happened('job/finished', jobId, ended),
    ],
  };
}

interface JobParts {
  readonly store: Pick<Store, 'nextId'> & Reader;
  readonly clock: Pick<Clock, 'now'>;
  /** Validates the notification parameters of a new job. Throws the refusal. */
  jobNotification(query: Pick<JobQuery, 'notification' | 'notificationData'>): Promise<JobNotification>;
}

export interface NewJobParts extends JobParts {
  /** Row of a job that ends in the commit in which it begins. */
  recordJob(job: JobState, priority: JobPriority): CommitPlan;
}

/** Job started by a request, for the commit of any room. */
interface NewJob {
  /** The work as a job that begins and ends in its commit. Asked again when the commit has to be tried again. */
  around(work: CommitPlan): Promise<CommitPlan>;
  /** The job as it is answered, once it has ended. */
  document(): Job;
}

/** Reads the job parameters of the caller: `priority`, `jobmetadata`, notifications. */
export async function newJob(
  { store, clock, jobNotification, recordJob }: NewJobParts,
  call: Call<JobQuery>,
  type: string,
): Promise<NewJob> {
  const data = dataFrom(call.query.jobmetadata, undefined);
  const priority = await priorityOf(call);
  const job: JobState = {
    jobId: await store.nextId('job'),
    type,
    status: 'FINISHED',
    user: subjectOf(call).name,
    started: clock.now(),
    ...(data.length > 0 ? { data } : {}),
  };
  return {
    around: async (work) => asJob(job, work, await jobNotification(call.query), (ended) => recordJob(ended, priority)),
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

/** Order of a room for a job that runs after the request. */
export interface Wanted {
  readonly type: string;
  /** Data written by the service, with keys declared by the job type. */
  readonly data: Pairs;
  readonly memo: Memo;
}

/** Job that the service starts by itself, with a lower priority than those of callers. */
export const ownOrder = (jobId: string, wanted: Wanted): JobOrder => ({
  jobId,
  user: undefined,
  priority: 'LOW',
  actor: systemActor,
  says: {},
  ...wanted,
});

/** Services that a room needs to order jobs. */
interface OrderParts {
  readonly store: Store;
  readonly jobTypes: () => readonly JobType[];
  readonly services: Pick<JobParts, 'jobNotification'>;
}

interface StartParts extends OrderParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly services: OrderParts['services'] & { startJob(order: JobOrder): CommitPlan };
}

/** Data keys that all job types share. */
const ofAllJobs: ReadonlySet<string> = new Set([
  ...['item', 'itemId', 'itemIds', 'jobId', 'user', 'username', 'type', 'status', 'action', 'baseUri', 'abortReason'],
]);
const isOfEngine = (key: string) => ofAllJobs.has(key) || key.startsWith('errorMessage-');

/** Whether the service writes data of the key for jobs of the type. */
const isReserved = (type: Pick<JobType, 'data'> | undefined, key: string): boolean =>
  isOfEngine(key) || (type?.data.includes(key) ?? false);

/** Job data given by the caller. */
function dataFrom(given: readonly string[], type: JobType | undefined): Pairs {
  const own = given.map(pairOf);
  const taken = own.find(([key]) => isReserved(type, key));
  if (!taken) return own;
  throw badParameter('jobmetadata', 'Expected a key that the service does not write itself', taken[0]);
}

/** Data that a room writes. A key that its type does not declare could be forged. */
export function declared(type: Pick<JobType, 'type' | 'data'>, data: Pairs): Pairs {
  const other = data.find(([key]) => !isReserved(type, key));
  if (other) throw new Error(`Expected ${other[0]} among the data that the type ${type.type} declares`);
  return data;
}

export interface Ordered {
  readonly order: JobOrder;
  /** Guards for the commit that starts the job. */
  readonly guards: readonly Statement[];
}

/** Order for a job without a request, such as one of a rule. `actor`: user in whose name it changes data. */
export async function serviceOrder(
  { store }: Pick<OrderParts, 'store'>,
  { type, data, memo }: Wanted,
  options: Partial<Pick<JobOrder, 'user' | 'priority' | 'actor' | 'says'>> = {},
): Promise<JobOrder> {
  const jobId = await store.nextId('job');
  return {
    jobId,
    type,
    data: withItem(data),
    memo,
    user: undefined,
    priority: 'MEDIUM',
    actor: systemActor,
    says: {},
    ...options,
  };
}

/** A job that a request orders. */
export async function orderOf(parts: OrderParts, call: Call<JobQuery>, { type, data, memo }: Wanted): Promise<Ordered> {
  const { jobmetadata, holdJob, resourceTag } = call.query;
  const declaration = parts.jobTypes().find((each) => each.type === type);
  const own = dataFrom(jobmetadata, declaration);
  if (declaration) declared(declaration, data);
  const { says, guards } = await parts.services.jobNotification(call.query);
  const jobId = await parts.store.nextId('job');
  const user = subjectOf(call).name;
  const actor = call.actor();
  return {
    order: {
      jobId,
      type,
      user,
      priority: call.parameters.all('priority').some((text) => text.trim() !== '')
        ? await priorityOf(call)
        : await usualPriority(parts.store, type),
      data: [...withItem(data), ...own, ...resourceTag.map((tag) => ['resourceTag', tag] as const)],
      memo,
      actor,
      says,
      isHeld: holdJob,
      isAsked: true,
    },
    guards,
  };
}

/** Job of a request that is about to begin. */
export interface Beginning {
  readonly order: JobOrder;
  /** For the commit of the request. */
  readonly work: CommitPlan;
  readonly document: Job;
}

/** Prepares a job that a request orders, for requests that commit more than its beginning. */
export async function beginJob(parts: StartParts, call: Call<JobQuery>, wanted: Wanted): Promise<Beginning> {
  const { order, guards } = await orderOf(parts, call, wanted);
  const work = together(changing(...guards), parts.services.startJob(order));
  return { order, work, document: orderDocument(order, parts.clock.now()) };
}

/** Starts a job that a request orders, in one commit with `beside`. */
export async function startJob(
  parts: StartParts,
  call: Call<JobQuery>,
  wanted: Wanted,
  beside = nothing,
): Promise<Job> {
  const { work, document } = await beginJob(parts, call, wanted);
  await call.commit(together(beside, work));
  return document;
}

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

/** Priority that the caller names, or the default one. */
async function priorityOf(call: Call<JobQuery>): Promise<JobPriority> {
  const priority = call.query.priority.toUpperCase() as JobPriority;
  if (urgent.has(priority) && !(await subjectOf(call).has(changesJobs))) throw roleMissing(changesJobs);
  return priority;
}

/** Document of a job that has not begun yet. */
export const orderDocument = ({ jobId, user, type, priority, isHeld }: JobOrder, started: number): Job => ({
  jobId,
  user,
  started,
  status: isHeld === true ? 'HOLD' : 'READY',
  type,
  priority,
});

/** `key=value`, as parameters have it. */
export function pairOf(text: string): Pairs[number] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw badParameter('jobmetadata', 'Expected key=value, percent-encoded', text);
}
