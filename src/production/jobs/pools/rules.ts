import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import { type PriorityOfType, prioritiesName } from '../../../room/jobs/store.ts';
import { type Pool, type Pools, poolsName, removeConfiguration, writeConfiguration } from './store.ts';

export interface PoolJob {
  /** Place of its priority in the order of priorities. */
  readonly priority: number;
  /** User who started the job. NULL: the service. */
  readonly user: string | null;
  readonly takesLong: boolean;
}

/** Limits of an instance that its settings say. */
interface DefaultLimits {
  /** Concurrent jobs where there are no pools. */
  readonly jobs: number;
  /** Concurrent jobs of one user in a pool. 0: all places but one, and all for `unbounded`. */
  readonly ofUser: number;
  readonly unbounded?: ReadonlySet<string> | undefined;
}

const immediate = 0;
const placeOf = (priority: JobPriority): number => jobPriorities.indexOf(priority);

/** The most urgent first. A job belongs to the first one whose threshold is not above its own priority. */
const sorted = ({ pool }: Pools): readonly Pool[] =>
  [...pool].sort((one, other) => placeOf(one.threshold) - placeOf(other.threshold));

const poolOf = (pools: readonly Pool[], priority: number): Pool | undefined =>
  pools.find(({ threshold }) => placeOf(threshold) >= priority);

export interface PoolPlaces {
  /** Whether a job may begin. */
  hasRoom(job: PoolJob): boolean;
  /** Takes a place, if the job may begin. */
  take(job: PoolJob): boolean;
  /** The priorities that have a free place. */
  open(): readonly number[];
  /** Users without a further place for jobs of the priority. */
  fullFor(priority: number): readonly string[];
  /** Name of the pool that has the places of the priority. */
  poolOf(priority: number): string;
  /** Places of all priorities together that are free. */
  readonly free: number;
}

/** Jobs that leave places of their pool to others: those of one user, and those that take long. */
const longJobs = 'long';
const userGroup = 'user ';
const groupsOf = ({ user, takesLong }: PoolJob): readonly string[] => [
  ...(takesLong ? [longJobs] : []),
  ...(user === null ? [] : [userGroup + user]),
];

/**
 * The free places of one instance. Jobs of the priority IMMEDIATE take none. Jobs of one user, and those that take
 * long, leave one place of their pool to others, if it has more than one. Unbounded users leave none.
 */
export function placesOf(pools: Pools, limits: DefaultLimits, running: Iterable<PoolJob>): PoolPlaces {
  const list = sorted(pools);
  const sum = list.reduce((all, { size }) => all + size, 0);
  const max = pools.concurrentJobs ?? (list.length === 0 ? limits.jobs : sum);
  const counts = new Map<Pool | undefined, number>();
  const groups = new Map<Pool | undefined, Map<string, number>>();
  let total = 0;
  const limitOf = (pool: Pool | undefined) => pool?.size ?? Math.max(0, max - sum);
  const used = (pool: Pool | undefined) => counts.get(pool) ?? 0;
  const isFree = (priority: number) => {
    if (priority === immediate) return true;
    const pool = poolOf(list, priority);
    return total < max && used(pool) < limitOf(pool);
  };
  const unbounded = new Set(limits.ofUser === 0 ? Array.from(limits.unbounded ?? [], (user) => userGroup + user) : []);
  const isFull = (pool: Pool | undefined, group: string) => {
    if (unbounded.has(group)) return false;
    const places = Math.min(limitOf(pool), max);
    const allButOne = Math.max(1, places - 1);
    const bound = group === longJobs || limits.ofUser === 0 ? allButOne : limits.ofUser;
    return (groups.get(pool)?.get(group) ?? 0) >= bound;
  };
  const hasRoom = (job: PoolJob) => {
    if (job.priority === immediate) return true;
    const pool = poolOf(list, job.priority);
    return isFree(job.priority) && !groupsOf(job).some((group) => isFull(pool, group));
  };
  const count = (job: PoolJob) => {
    if (job.priority === immediate) return;
    const pool = poolOf(list, job.priority);
    counts.set(pool, used(pool) + 1);
    const inPool = groups.get(pool) ?? new Map<string, number>();
    groups.set(pool, inPool);
    for (const group of groupsOf(job)) inPool.set(group, (inPool.get(group) ?? 0) + 1);
    total++;
  };
  for (const job of running) count(job);
  return {
    hasRoom,
    take(job) {
      if (!hasRoom(job)) return false;
      count(job);
      return true;
    },
    open: () => jobPriorities.map((_, priority) => priority).filter(isFree),
    fullFor(priority) {
      const pool = priority === immediate ? undefined : poolOf(list, priority);
      const inPool = priority === immediate ? [] : [...(groups.get(pool)?.keys() ?? [])];
      return inPool
        .filter((group) => group.startsWith(userGroup) && isFull(pool, group))
        .map((group) => group.slice(userGroup.length));
    },
    poolOf: (priority) => poolOf(list, priority)?.threshold ?? '',
    get free() {
      return Math.max(0, max - total);
    },
  };
}

/** Users with waiting jobs of one priority: the first and the last by name, and whether the service has some. */
export interface Waiting {
  readonly first: string | null;
  readonly last: string | null;
  readonly nobody: number;
}

/** Whether all jobs that wait are of the user. */
export const waitsAlone = (user: string, waiting: readonly Waiting[]): boolean =>
  waiting.every(({ first, last, nobody }) => nobody === 0 && (first ?? user) === user && (last ?? user) === user);

const maxPlaces = 1_000;

/** Throws the refusal of pools that would keep jobs waiting for ever. */
export function checkPools(pools: Pools): Pools {
  const { concurrentJobs, pool } = pools;
  const bad = (context: string, explanation: string) =>
    new ServiceError('bad-value', { context: `/JobPoolListDocument/${context}`, explanation });
  if (concurrentJobs !== undefined && (concurrentJobs < 1 || concurrentJobs > maxPlaces)) {
    throw bad('concurrentJobs', `Expected a number from 1 to ${maxPlaces}: "${concurrentJobs}"`);
  }
  const names = new Set(pool.map(({ threshold }) => threshold));
  if (names.size < pool.length) throw bad('pool', 'Expected one pool for each priorityThreshold');
  const wrong = pool.find(({ size }) => size < 1 || size > maxPlaces);
  if (wrong) throw bad('pool/size', `Expected a number from 1 to ${maxPlaces}: "${wrong.size}"`);
  const sum = pool.reduce((all, { size }) => all + size, 0);
  const leavesNone = pool.length > 0 && !names.has('LOWEST') && sum >= (concurrentJobs ?? sum);
  if (!leavesNone) return pools;
  throw bad('pool', 'Expected a pool with the threshold LOWEST, or more concurrentJobs than all pools have');
}

/** Marks the due time of all jobs as changed, so that waiting workers check again. */
const touched: CommitPlan = { changes: [], events: [], touches: [{ kind: 'job', id: '', aspect: 'due' }] };

/** Sets the pools. Undefined deletes all of them. */
export const setPools = (pools: Pools | undefined): CommitPlan => ({
  ...touched,
  changes: [
    pools === undefined
      ? removeConfiguration({ name: poolsName })
      : writeConfiguration({ name: poolsName, document: JSON.stringify(pools) }),
  ],
});

export function withoutPool(pools: Pools, threshold: JobPriority): Pools {
  const pool = pools.pool.filter((each) => each.threshold !== threshold);
  if (pool.length < pools.pool.length) return checkPools({ ...pools, pool });
  throw new ServiceError('no-such-entity', { type: 'JobPool', id: threshold });
}

export const setPriorities = (rows: readonly PriorityOfType[]): CommitPlan =>
  changing(
    rows.length === 0
      ? removeConfiguration({ name: prioritiesName })
      : writeConfiguration({ name: prioritiesName, document: JSON.stringify(rows) }),
  );

/** Places of a pool that pass its lower bands before one of them gets the next. */
const maxPassed = 3;

/** By pool: places given since a lower band got one, while jobs of such a band waited. */
export type PassedPlaces = Map<string, number>;

type WaitingJob = PoolJob & { readonly serial: number };

/** Places for which all limits of an instance count. */
interface FreePlaces<Job> {
  hasRoom(job: Job): boolean;
  take(job: Job): boolean;
  poolOf(priority: number): string;
}

/**
 * Takes places for jobs of each band in the given order, the most urgent band first. Every fourth place of a pool goes
 * to the oldest job of its lower bands, so that urgent jobs starve no others.
 */
export function takeInShares<Job extends WaitingJob>(
  bands: readonly (readonly Job[])[],
  places: FreePlaces<Job>,
  passed: PassedPlaces,
  max: number,
): readonly Job[] {
  const lists = bands.map((band) => [...band]);
  const taken: Job[] = [];
  /** The next job of each band that finds a place. */
  function candidates(): readonly (readonly [job: Job, list: Job[]])[] {
    return lists.flatMap((list) => {
      while (list.length > 0 && !places.hasRoom(list[0]!)) list.shift();
      return list.length > 0 ? [[list[0]!, list] as const] : [];
    });
  }
  while (taken.length < max) {
    const [first, ...others] = candidates();
    if (!first) break;
    const pool = places.poolOf(first[0].priority);
    const isImmediate = first[0].priority === immediate;
    const lower = isImmediate ? [] : others.filter(([{ priority }]) => places.poolOf(priority) === pool);
    const count = passed.get(pool) ?? 0;
    const isShare = lower.length > 0 && count >= maxPassed;
    const [job, list] = isShare ? lower.reduce((one, other) => (other[0].serial < one[0].serial ? other : one)) : first;
    places.take(job);
    list.shift();
    taken.push(job);
    if (!isImmediate) passed.set(pool, isShare || lower.length === 0 ? 0 : count + 1);
  }
  return taken;
}
