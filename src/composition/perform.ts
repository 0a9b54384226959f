import type { Clock } from '../core/lib/clock.ts';
import type { Store } from '../core/store/store.ts';
import type { Traffic } from '../http/traffic.ts';
import type { RoomContext } from '../room/context.ts';
import { accountOf } from '../security/caller.ts';

interface Parts {
  readonly store: Store;
  readonly traffic: Traffic;
  readonly clock: Clock;
}

/**
 * Runs large reads of a request. Crossing to a thread and back takes as long as a short read, so a lone request is read
 * on the main thread. Under load it would delay other requests.
 */
export function createPerform({ store, traffic, clock }: Parts): RoomContext['perform'] {
  let performed = 0;

  return async (call, reading, input) => {
    const hasOthers = traffic.hasOthers(clock.now(), call.came);
    const place = hasOthers || performed > 0 ? 'off-thread' : 'here';
    performed++;
    try {
      return await store.perform(accountOf(call), reading, input, place);
    } finally {
      performed--;
    }
  };
}
