import { actorRequestOf } from '../http/actor-request.ts';
import type { Call, Commits } from '../http/call.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Services } from '../room/context.ts';
import { type Actor, systemActor } from '../store/contract.ts';
import type { Store } from '../store/store.ts';

interface Parts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly services: Pick<Services, 'depthOf'>;
}

export function createCommits({ store, metrics, services }: Parts): Commits {
  const commits = metrics.counter('portico_commits_total', 'Changes committed, by outcome', 'outcome');

  function actorOf({ trace: { user = systemActor.user, runAs, id }, request }: Call): Actor {
    return { user, ...(runAs === undefined ? {} : { runAs }), requestId: id, depth: services.depthOf(request.headers) };
  }

  return {
    actorOf,
    async commit(work, call) {
      try {
        await store.commit(work, { ...actorOf(call), request: actorRequestOf(call) });
        call.trace.audited = true;
        commits('done').add();
      } catch (error) {
        commits('refused').add();
        throw error;
      }
    },
  };
}
