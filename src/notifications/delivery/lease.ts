import type { Clock } from '../../lib/clock.ts';
import { systemActor } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import { type Claim, renewLane, stillMine } from '../outbox/store.ts';
import { laneLost } from './record.ts';

/** A lane that this instance holds, until when, and how its work is ended. */
export interface Leased {
  readonly claim: Claim;
  readonly stop: AbortController;
  until: number;
  /** When the call began that is made just now. */
  since: number;
}

export interface LeaseParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly lease: number;
}

/**
 * Moves the end of the leases on while their lanes are worked on, so that a lease can be short and a call long. Work on
 * a lane that was lost is ended at once, also where nobody can tell: somebody else may have begun with it.
 */
export async function keepLeases(
  held: ReadonlyMap<string, Leased>,
  { store, clock, lease }: LeaseParts,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      await clock.sleep(lease / 3, over);
    } catch {
      return;
    }
    await Promise.all(
      [...held.values()].map(async (leased) => {
        const { claim, stop } = leased;
        const until = clock.now() + lease;
        try {
          await store.commit(
            { changes: [stillMine(claim, laneLost), renewLane({ ...claim, until })], events: [] },
            systemActor,
          );
          leased.until = until;
        } catch (error) {
          // The next turn would come too late to see its end.
          if (error === laneLost || clock.now() + lease / 3 >= leased.until) stop.abort(laneLost);
        }
      }),
    );
  }
}
