import { Recent } from '../../core/lib/cache.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { describeError, type Log } from '../../core/lib/log.ts';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { Properties } from '../api-settings/public-reading.ts';
import type { IdentityProperty } from '../settings.ts';
import { wantsRefresh } from './rules.ts';
import { noteUse, sweepTokens, type TokenLogin } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly properties: Properties<IdentityProperty>;
  /** True where nothing goes on after an answer: on an edge. */
  readonly waits: boolean;
}

const maxUnderway = 10_000;
/** Most milliseconds between a use of a session and the one that moves its expiry again. */
const sessionPause = 60_000;
/** Most milliseconds between two uses of which the second is noted, where it moves no expiry. */
const notePause = 5 * 60_000;
/** After one that failed. The database that it failed at is not asked again with each request. */
const retryPause = 1_000;

/** Notes the use of a token, and moves its expiry on, beside the request: an answer does not wait for the disk. */
export function createUseNotes({ store, clock, log, properties, waits }: Parts): (token: TokenLogin) => Maybe<void> {
  const underway = new Recent<string, true>(maxUnderway);

  async function note({ digest }: TokenLogin, now: number, pause: number): Promise<void> {
    // Keeps concurrent requests from noting the same use.
    underway.set(digest, true, now + Math.max(pause, 1));
    try {
      await store.commit(changing(noteUse({ digest, now, pause }), sweepTokens({ now })), systemActor);
    } catch (error) {
      // The request still succeeds: the token is valid until its old expiry.
      underway.set(digest, true, clock.now() + retryPause);
      log.write('warn', 'token-not-refreshed', describeError(error));
    }
  }

  const pauseOf = (token: TokenLogin): Maybe<number> =>
    token.kind === 'token'
      ? after(properties('userTokenRefreshInterval'), (seconds) => seconds * 1000)
      : Math.min(sessionPause, token.lifetime / 2);

  return (token) => {
    const now = clock.now();
    const isLongAgo = now - token.usedAt >= notePause;
    if ((token.autoRefresh !== 1 && !isLongAgo) || underway.get(token.digest, now)) return undefined;
    return after(pauseOf(token), (pause) => {
      if (!isLongAgo && !wantsRefresh(token, now, pause)) return undefined;
      const done = note(token, now, Math.min(pause, notePause));
      return waits ? done : undefined;
    });
  };
}
