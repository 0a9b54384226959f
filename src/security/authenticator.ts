import { describeError, type Log } from '../lib/log.ts';
import type { Credentials, LoginAnswer, Realm, ServiceUsers } from '../spi/index.ts';

/**
 * Asks the realms in order; one that accepts is enough. A realm that throws counts as one that refused:
 * it is logged, and never lets anyone in.
 */
export function createAuthenticator(realms: readonly Realm[], log: Log) {
  return async function login(credentials: Credentials, users: ServiceUsers): Promise<LoginAnswer> {
    let reason = 'no-realm';
    for (const realm of realms) {
      if (!realm.supports(credentials)) continue;
      try {
        const answer = await realm.authenticate(credentials, { users });
        if (answer.answer === 'account') return { accepted: true, account: answer.account };
        if (answer.answer === 'refused') reason = answer.reason;
      } catch (error) {
        // Busy is not a verdict on the credentials: the caller may come back, and must not be told 401.
        if (isBusy(error)) throw error;
        reason = 'realm-failed';
        log.write('error', 'realm-failed', { realm: realm.name, ...describeError(error) });
      }
    }
    return { accepted: false, reason };
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error as { status: unknown }).status === 503;
