import { ServiceError } from '../../lib/errors.ts';
import { changing } from '../../store/commit-plan.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { type JobPriority, jobPriorities } from '../job-type.ts';
import { type Pool, type Pools, poolsName, removeConfiguration, writeConfiguration } from './store.ts';
import { type PriorityOfType, prioritiesName } from './usual-priority-sql.ts';

export interface PoolJob {
  /** Place of its priority in the order of priorities. */
  readonly priority: number;
  readonly runsQuery: boolean;
}

const immediate = 0;
const placeOf = (priority: JobPriority): number => jobPriorities.indexOf(priority);

/** The most urgent first. A job belongs to the first one whose threshold is not above its own priority. */
const sorted = ({ pool }: Pools): readonly Pool[] =>
  [...pool].sort((one, other) => placeOf(one.threshold) - placeOf(other.threshold));

const poolOf = (pools: readonly Pool[], priority: number): Pool | undefined =>
  pools.find(({ threshold }) => placeOf(threshold) >= priority);

interface PoolPlaces {
  /** Whether a job may begin. It takes the place then. */
  take(job: PoolJob): boolean;
  /** The priorities that have a free place. */
  open(): readonly number[];
  /** Places of all priorities together that are free. */
  readonly free: number;
}

/**
 * The free places of one instance. Jobs of the priority IMMEDIATE take none. Jobs that run queries leave one place of
 * their pool to others, if it has more than one.
 */
export function placesOf(pools: Pools, usual: number, running: Iterable<PoolJob>): PoolPlaces {
  const list = sorted(pools);
  const sum = list.reduce((all, { size }) => all + size, 0);
  const most = pools.concurrentJobs ?? (list.length === 0 ? usual : sum);
  const counts = new Map<Pool | undefined, number>();
  const queries = new Map<Pool | undefined, number>();
  let total = 0;
  const limitOf = (pool: Pool | undefined) => pool?.size ?? Math.max(0, most - sum);
  const used = (pool: Pool | undefined) => counts.get(pool) ?? 0;
  const isFree = (priority: number) => {
    if (priority === immediate) return true;
    const pool = poolOf(list, priority);
    return total < most && used(pool) < limitOf(pool);
  };
  const hasRoom = ({ priority, runsQuery }: PoolJob) => {
    if (priority === immediate || !runsQuery) return true;
    const pool = poolOf(list, priority);
    return (queries.get(pool) ?? 0) < Math.max(1, Math.min(limitOf(pool), most) - 1);
  };
  const count = ({ priority, runsQuery }: PoolJob) => {
    if (priority === immediate) return;
    const pool = poolOf(list, priority);
    counts.set(pool, used(pool) + 1);
    if (runsQuery) queries.set(pool, (queries.get(pool) ?? 0) + 1);
    total++;
  };
  for (const job of running) count(job);
  return {
    take(job) {
      if (!isFree(job.priority) || !hasRoom(job)) return false;
      count(job);
      return true;
    },
    open: () => jobPriorities.map((_, priority) => priority).filter(isFree),
    get free() {
      return Math.max(0, most - total);
    },
  };
}

const mostPlaces = 1_000;

/** Throws the refusal of pools that would keep jobs waiting for ever. */
export function checkPools(pools: Pools): Pools {
  const { concurrentJobs, pool } = pools;
  const bad = (context: string, explanation: string) =>
    new ServiceError('bad-value', { context: `/JobPoolListDocument/${context}`, explanation });
  if (concurrentJobs !== undefined && (concurrentJobs < 1 || concurrentJobs > mostPlaces)) {
    throw bad('concurrentJobs', `Expected a number from 1 to ${mostPlaces}: "${concurrentJobs}"`);
  }
  const names = new Set(pool.map(({ threshold }) => threshold));
  if (names.size < pool.length) throw bad('pool', 'Expected one pool for each priorityThreshold');
  const wrong = pool.find(({ size }) => size < 1 || size > mostPlaces);
  if (wrong) throw bad('pool/size', `Expected a number from 1 to ${mostPlaces}: "${wrong.size}"`);
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
