import type { Clock } from '../../core/lib/clock.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { WorkKind } from '../../core/work/work-kind.ts';
import { steps } from '../../core/work/work-kind.ts';
import type { RoomContext, Services } from '../../room/context.ts';
import { deleteJobs } from './changing/rules.ts';
import { endedBefore, keysDue, oldJobsDue, removeOldKeys } from './store.ts';

/** Milliseconds: clients try again for less than a day. */
const retentionTime = 86_400_000;
const rest = 600_000;
const max = 1_000;

/** Deletes expired keys of requests. */
export function keyedRequestsKind({ store, clock }: Pick<RoomContext, 'store' | 'clock'>): WorkKind {
  return steps({
    name: 'request-keys',
    says: 'Deletes answers of requests with an Idempotency-Key after a day',
    priority: 90,
    clock,
    rest,
    due: () => keysDue(retentionTime),
    async step() {
      const before = clock.now() - retentionTime;
      const old = removeOldKeys({ before, limit: max });
      const [removed = []] = await store.commit(changing(old), systemActor);
      return removed.length === max;
    },
  });
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly services: Pick<Services, 'retention' | 'retentionDays'>;
}

const day = 24 * 60 * 60_000;
const pause = 60_000;
/** In one commit. */
const batch = 200;

/** Deletes jobs that ended long ago, where an administrator sets an age. It touches no file and no item. */
export function jobRetentionKind({ store, clock, services }: Parts): WorkKind {
  async function step(): Promise<boolean> {
    const { jobDays } = await services.retention();
    if (jobDays === undefined) return false;
    const rows = await endedBefore(store, { before: clock.now() - jobDays * day, limit: batch });
    if (rows.length > 0) await store.commit(deleteJobs(rows), systemActor);
    return rows.length === batch;
  }

  return steps({
    name: 'job-retention',
    says: 'Deletes jobs after their retention time',
    priority: 90,
    clock,
    rest: pause,
    due: () => oldJobsDue(services.retentionDays.jobDays, day),
    step,
  });
}
