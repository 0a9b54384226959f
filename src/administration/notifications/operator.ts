import type { Clock } from '../../core/lib/clock.ts';
import type { Actor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { listAttempts } from './attempts/store.ts';
import { listHealth } from './health/store.ts';
import { findAnywhere } from './registration/store.ts';
import { beginning, type ReplayRequest } from './replay/begin.ts';
import type { Replays } from './replay/replays.ts';
import { findReplay } from './replay/store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly replays: Pick<Replays, 'work'>;
}

const newest = { started: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** Operations for an operator with access to the database, without the API. */
export function createOperator({ store, clock, actor, replays }: Parts) {
  return {
    /** Id of a notification, found by its id or an external id. */
    find: async (name: string): Promise<string | undefined> => (await findAnywhere(store, { name }))[0]?.id,

    /** State of the notifications: first those that do not deliver, then those with most parked events. */
    overview: (limit: number) => listHealth(store, { limit }),

    /** Recent attempts of one notification, the newest first. */
    attempts: (notificationId: string, limit: number) =>
      listAttempts(store, { notificationId, since: 0, before: newest, state: undefined, entity: undefined, limit }),

    /** Sends events again, or counts them. Not done: so much waits that the servers have to deliver some of it first. */
    async replay(
      request: Omit<ReplayRequest, 'user' | 'now'>,
    ): Promise<{ readonly found: number; readonly done: boolean }> {
      await store.commit(await beginning(store, { ...request, user: actor.user, now: clock.now() }), actor);
      for (;;) {
        const pause = await replays.work();
        const [row] = await findReplay(store, { id: request.id });
        const done = row?.state === 'done';
        if (done || pause !== 0) return { found: row?.found ?? 0, done };
      }
    },
  };
}
