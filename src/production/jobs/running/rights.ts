import { mustHave, mustHaveSome } from '../../../assets/access/public-reading.ts';
import { collectionName, itemName } from '../../../assets/items/contract/entities.ts';
import { findCollection, findItem } from '../../../assets/items/contract/store.ts';
import { findLibrary, libraryName } from '../../../assets/items/public.ts';
import { askUserOfJob } from '../../../assets/search/public.ts';
import { mustHaveBytes } from '../../../assets/shapes/public.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { lacksRight } from '../../../core/lib/errors.ts';
import type { Store } from '../../../core/store/store.ts';
import type { Services } from '../../../room/context.ts';
import type { JobNeed, LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';

interface RightsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly services: Services;
}

const kinds = {
  item: { name: itemName, find: findItem },
  collection: { name: collectionName, find: findCollection },
  library: { name: libraryName, find: findLibrary },
} as const;

/** Asks whether the user of a job still has the rights that its type needs. Throws the refusal. */
export async function askAgain(parts: RightsParts, job: LeasedJob, needs: readonly JobNeed[]): Promise<void> {
  if (needs.length === 0) return;
  await askUserOfJob(parts, job, async (call) => {
    for (const need of needs) await mustStillHave(parts, call, need);
  });
}

async function mustStillHave({ store }: RightsParts, call: Caller, need: JobNeed): Promise<void> {
  if (need.on === 'bytes') return mustHaveBytes(store, call, need.id);
  const { name, find } = kinds[need.on];
  try {
    if (need.part === undefined) await mustHave(store, call, name, need, need.level);
    else await mustHaveSome(store, call, name, need, need.level, need.part);
  } catch (error) {
    // The step itself says that an entity is gone, and nobody has a right on it then.
    if (!lacksRight(error) || (await find(store, need))) throw error;
  }
}
