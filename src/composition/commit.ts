import { actorRequestOf } from '../http/actor-request.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { House, Offices } from '../room/house.ts';
import { systemActor } from '../store/contract.ts';
import type { Store } from '../store/store.ts';

interface Parts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly offices: Pick<Offices, 'depthOf' | 'requestKeys'>;
}

/** Commit of a request, in the name of its caller. */
export function createCommit({ store, metrics, offices }: Parts): House['commit'] {
  const commits = metrics.counter('portico_commits_total', 'Changes committed, by outcome', 'outcome');

  return async (work, call) => {
    try {
      const { user = systemActor.user, runAs, id } = call.trace;
      const actor = {
        user,
        ...(runAs === undefined ? {} : { runAs }),
        requestId: id,
        depth: offices.depthOf(call.request.headers),
        request: actorRequestOf(call),
      };
      const keyed = offices.requestKeys.keep(work, call);
      await store.commit(keyed ?? work, actor);
      if (keyed) call.trace.keyed = true;
      call.trace.audited = true;
      commits('done').add();
    } catch (error) {
      commits('refused').add();
      throw error;
    }
  };
}
