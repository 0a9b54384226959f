import type { Properties } from '../../configuration/properties/known.ts';
import type { Clock } from '../../lib/clock.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { Recent } from '../../lib/recent.ts';
import type { Store } from '../../store/store.ts';
import { wantsRefresh } from './rules.ts';
import { refreshToken, type TokenLogin } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly properties: Properties;
  /** True where nothing goes on after an answer: on an edge. */
  readonly waits: boolean;
}

const mostUnderway = 10_000;

/** Moves the expiry on beside the request that used the token: an answer does not wait for the disk. */
export function createTokenRefresh({
  store,
  clock,
  log,
  properties,
  waits,
}: Parts): (token: TokenLogin) => Maybe<void> {
  const underway = new Recent<string, true>(mostUnderway);

  async function refresh({ digest }: TokenLogin, now: number, pause: number): Promise<void> {
    try {
      await store.commit({ changes: [refreshToken({ digest, now, pause })], events: [] }, { user: 'system' });
    } catch (error) {
      // The request is good all the same: the token is valid until its old expiry.
      log.write('warn', 'token-not-refreshed', describeError(error));
    }
  }

  async function considered(token: TokenLogin): Promise<void> {
    const now = clock.now();
    const pause = (await properties('userTokenRefreshInterval')) * 1000;
    if (!wantsRefresh(token, now, pause) || underway.get(token.digest, now)) return;
    // What one request has begun others need not do again.
    underway.set(token.digest, true, now + Math.max(pause, 1));
    const done = refresh(token, now, pause);
    if (waits) await done;
  }

  return (token) => (token.autoRefresh === 1 ? considered(token) : undefined);
}
