import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import { sweepAttempts } from '../attempts/store.ts';
import { forgetEvents, oldestEvents } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly settings: { readonly eventDays: number; readonly deliveryDays: number };
}

const day = 24 * 60 * 60_000;
/** Of each kind, in one commit. */
const batch = 500;
const pause = 10 * 60_000;

/** Takes away what is older than the settings say, in bounded pieces. */
export function createSweeper({ store, clock, actor, settings }: Parts) {
  let due = Number.NEGATIVE_INFINITY;

  /** One piece, if it is time. Gives the milliseconds until the next one is due. */
  async function work(): Promise<number> {
    const now = clock.now();
    if (now < due) return due - now;
    const [events, attempts] = [await sweepEvents(now), await sweepLog(now)];
    if (events === batch || attempts === batch) return 0;
    due = now + pause;
    return pause;
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
    const change = { ...sweepAttempts({ before, most: batch }), returns: true } as const;
    const [rows = []] = await store.commit({ changes: [change], events: [] }, actor);
    return rows.length;
  }

  return { work };
}
