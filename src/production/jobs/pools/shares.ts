import { immediate, type PoolJob } from './rules.ts';

/** Places of a pool that pass its lower bands before one of them gets the next. */
const mostPassed = 3;

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
  most: number,
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
  while (taken.length < most) {
    const [first, ...others] = candidates();
    if (!first) break;
    const pool = places.poolOf(first[0].priority);
    const isImmediate = first[0].priority === immediate;
    const lower = isImmediate ? [] : others.filter(([{ priority }]) => places.poolOf(priority) === pool);
    const count = passed.get(pool) ?? 0;
    const isShare = lower.length > 0 && count >= mostPassed;
    const [job, list] = isShare ? lower.reduce((one, other) => (other[0].serial < one[0].serial ? other : one)) : first;
    places.take(job);
    list.shift();
    taken.push(job);
    if (!isImmediate) passed.set(pool, isShare || lower.length === 0 ? 0 : count + 1);
  }
  return taken;
}
