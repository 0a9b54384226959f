import type { Call } from '../http/call.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Depth } from '../notifications/depth.ts';
import { requestOf } from '../operations/audit/participant.ts';
import { systemActor, type Work } from '../store/contract.ts';
import type { Store } from '../store/store.ts';

interface Parts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly depth: Pick<Depth, 'of'>;
  readonly deliveries: { wake(): void };
}

/** How a request changes something: in its caller's name. */
export function createCommit({ store, metrics, depth, deliveries }: Parts) {
  const commits = metrics.counter('portico_commits_total', 'Changes committed, by outcome', 'outcome');

  return async (work: Work, call: Call): Promise<void> => {
    try {
      const { user = systemActor.user, runAs, id } = call.trace;
      const actor = {
        user,
        ...(runAs === undefined ? {} : { runAs }),
        requestId: id,
        depth: depth.of(call.request.headers),
        request: requestOf(call),
      };
      await store.commit(work, actor);
      call.trace.audited = true;
      // A pause may have ended, which is no event.
      deliveries.wake();
      commits('done').add();
    } catch (error) {
      commits('refused').add();
      throw error;
    }
  };
}
