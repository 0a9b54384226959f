import type { RoomContext } from '../../room/context.ts';
import { systemActor } from '../../store/contract.ts';
import type { WorkKind } from '../../work/kind.ts';
import { steps } from '../../work/steps.ts';
import { keysDue, removeOldKeys } from './store.ts';

/** Milliseconds: clients try again for less than a day. */
const kept = 86_400_000;
const rest = 600_000;
const most = 1_000;

/** Deletes expired keys of requests. */
export function keyedRequestsKind({ store, clock }: Pick<RoomContext, 'store' | 'clock'>): WorkKind {
  return steps({
    name: 'request-keys',
    says: 'Deletes answers of requests with an Idempotency-Key after a day',
    hosts: ['loop', 'edge'],
    priority: 90,
    clock,
    rest,
    due: () => keysDue(kept),
    async step() {
      const before = clock.now() - kept;
      const old = removeOldKeys({ before, limit: most });
      const [removed = []] = await store.commit({ changes: [old], events: [] }, systemActor);
      return removed.length === most;
    },
  });
}
