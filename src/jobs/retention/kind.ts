import type { Clock } from '../../lib/clock.ts';
import type { Services } from '../../room/context.ts';
import { systemActor } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import type { WorkKind } from '../../work/kind.ts';
import { steps } from '../../work/steps.ts';
import { deleteJobs } from '../changing/rules.ts';
import { endedBefore, oldJobsDue } from './store.ts';

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
    hosts: ['loop', 'edge'],
    priority: 90,
    clock,
    rest: pause,
    due: () => oldJobsDue(services.retentionDays.jobDays, day),
    step,
  });
}
