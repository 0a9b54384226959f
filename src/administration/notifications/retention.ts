import type { Clock } from '../../core/lib/clock.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Actor } from '../../core/store/contract.ts';
import { earliestDue } from '../../core/store/due.ts';
import type { Store } from '../../core/store/store.ts';
import { steps, type WorkKind } from '../../core/work/work-kind.ts';
import { oldAttemptsDue, sweepAttempts } from './attempts/store.ts';
import { forgetEvents, oldEventsDue, oldestEvents } from './feed/store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly settings: { readonly eventDays: number; readonly deliveryDays: number };
}

const day = 24 * 60 * 60_000;
/** Rows of each kind in one commit. */
const batch = 500;
const pause = 10 * 60_000;

/** Deletes rows beyond the retention time of the settings, in bounded batches. */
export function retentionKind({ store, clock, actor, settings }: Parts): WorkKind {
  async function step(): Promise<boolean> {
    const now = clock.now();
    const [events, attempts] = [await sweepEvents(now), await sweepLog(now)];
    return events === batch || attempts === batch;
  }

  async function sweepEvents(now: number): Promise<number> {
    const rows = await oldestEvents(store, { limit: batch });
    const young = rows.findIndex(({ at }) => at >= now - settings.eventDays * day);
    const old = young < 0 ? rows : rows.slice(0, young);
    const last = old.at(-1)?.sequence;
    if (last !== undefined) await store.commit({ changes: forgetEvents({ last }), events: [] }, actor);
    return old.length;
  }

  async function sweepLog(now: number): Promise<number> {
    const before = now - settings.deliveryDays * day;
    const [rows = []] = await store.commit(changing(sweepAttempts({ before, max: batch })), actor);
    return rows.length;
  }

  return steps({
    name: 'retention',
    says: 'Removes events and attempts that are too old',
    hosts: ['loop', 'edge'],
    priority: 80,
    clock,
    rest: pause,
    due: () => earliestDue(oldEventsDue(settings.eventDays * day), oldAttemptsDue(settings.deliveryDays * day)),
    step,
  });
}
