import type { Reader } from '../../../core/store/statement.ts';
import {
  type StoredTaskGroup,
  storedTaskGroups,
  taskGroupsRevision,
} from '../../../identity/api-settings/public-reading.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import { runningFacts } from './store.ts';

/** Facts of a job that the criteria of task groups compare. */
interface JobFacts {
  readonly type: string;
  readonly priority: number;
  readonly user: string | null;
  /** Pairs of the job data, as JSON. */
  readonly data: string;
}

/** Jobs that match may run so many at a time. */
interface GroupLimit {
  readonly name: string;
  readonly criteria: NonNullable<StoredTaskGroup['job']>;
  readonly max: number;
}

const defaultValue = jobPriorities.indexOf('MEDIUM');
const placeOf = (priority: string | undefined): number => {
  const place = (jobPriorities as readonly string[]).indexOf(priority?.toUpperCase() ?? '');
  return place < 0 ? defaultValue : place;
};

/** Limits of the groups that have one: a job belongs to the first that matches, by priority and then by name. */
export const limitsFrom = (groups: readonly StoredTaskGroup[]): readonly GroupLimit[] =>
  groups
    .filter(({ maxConcurrency }) => maxConcurrency !== undefined)
    .toSorted((one, other) => placeOf(one.priority) - placeOf(other.priority) || (one.name < other.name ? -1 : 1))
    .map(({ name, job = [], maxConcurrency }) => ({ name, criteria: job, max: maxConcurrency! }));

/** All criteria must match; of one, any selection. */
const matches = ({ criteria }: GroupLimit, job: JobFacts): boolean =>
  criteria.every(({ type = [], priority = [], user = [], data = [] }) => {
    const pairs = data.length > 0 ? (JSON.parse(job.data) as readonly (readonly [string, string])[]) : [];
    return (
      type.some((each) => each.toUpperCase() === job.type.toUpperCase()) ||
      priority.some((each) => each.toUpperCase() === jobPriorities[job.priority]) ||
      user.some((each) => each === job.user) ||
      data.some((each) => pairs.some(([key, value]) => key === each.key && (each.value ?? value) === value))
    );
  });

/** Types whose jobs all belong to the group, whatever else they are. */
const typesOf = ({ criteria }: GroupLimit): readonly string[] => {
  const [only, ...others] = criteria;
  const isByType =
    others.length === 0 && Object.entries(only ?? {}).every(([key, list]) => key === 'type' || list?.length === 0);
  return isByType ? (only?.type ?? []).map((each) => each.toUpperCase()) : [];
};

/** Places that the limits leave, with the jobs that run on all instances. */
export function groupPlaces(limits: readonly GroupLimit[], running: readonly JobFacts[]) {
  const counts = new Map<GroupLimit, number>();
  const groupOf = (job: JobFacts) => limits.find((limit) => matches(limit, job));
  const used = (limit: GroupLimit) => counts.get(limit) ?? 0;
  /** Takes a place of the group of the job. */
  const count = (job: JobFacts): true => {
    const limit = groupOf(job);
    if (limit) counts.set(limit, used(limit) + 1);
    return true;
  };
  for (const job of running) count(job);
  return {
    hasPlace(job: JobFacts): boolean {
      const limit = groupOf(job);
      return limit === undefined || used(limit) < limit.max;
    },
    count,
    /** Types whose jobs have no place, so that no claim reads them. */
    closedTypes(): ReadonlySet<string> {
      const [closed, before] = [new Set<string>(), new Set<string>()];
      for (const limit of limits) {
        const types = typesOf(limit);
        // A job that other criteria match first may have a place.
        if (types.length === 0) break;
        if (used(limit) >= limit.max) for (const type of types) if (!before.has(type)) closed.add(type);
        for (const type of types) before.add(type);
      }
      return closed;
    },
  };
}

/** Reads the places that task groups leave. The stored groups are read again when they change. */
export function createGroupPlaces(reader: Reader) {
  let cached: { readonly revision: number; readonly limits: readonly GroupLimit[] } = { revision: 0, limits: [] };
  return async (now: number): Promise<ReturnType<typeof groupPlaces>> => {
    const revision = await taskGroupsRevision(reader);
    if (revision !== cached.revision) {
      const { groups } = await storedTaskGroups(reader);
      cached = { revision, limits: limitsFrom(groups) };
    }
    const { limits } = cached;
    return groupPlaces(limits, limits.length === 0 ? [] : await runningFacts(reader, { now }));
  };
}
