import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { StoredAccount, Subject } from '../../security/subject.ts';
import { identityEvent } from '../events.ts';
import type { token } from '../tables.ts';
import { countRevocation, type UserRow } from '../users/store.ts';
import {
  insertToken,
  keyActive,
  loginsGoOn,
  revokeToken,
  revokeTokensOf,
  sweepTokens,
  type TokenLogin,
  tokenThere,
  userEnabled,
} from './store.ts';

interface TokenLifetimes {
  /** Milliseconds, as the configuration properties say. */
  readonly defaultValue: number;
  readonly max: number;
}

export type TokenKind = TokenLogin['kind'];

/** Reason why a token is invalid. Its user is checked by the caller, as for any credentials. */
export function judgeToken(
  kind: TokenKind,
  token: TokenLogin | undefined,
  now: number,
): 'unknown-token' | 'expired-token' | undefined {
  // The text of a session counts in its cookie alone, and that of another token never there.
  if (!token || token.kind !== kind) return 'unknown-token';
  if (token.expiresAt <= now) return 'expired-token';
  // A new password, or the end of the access key that it was asked for with, ends it.
  const ended = token.issuedFor !== token.passwordVersion || (token.key !== null && token.keyActive !== 1);
  return ended ? 'unknown-token' : undefined;
}

/**
 * When what the caller's login begins has to end. Undefined: never by itself, since an account of this service vouches.
 * `realmLogin`: milliseconds for logins that another realm accepted without an end.
 */
export function endOfLogin({ actor, ends, proof }: Subject, now: number, realmLogin: number): number | undefined {
  const stated = [ends, actor?.ends, proof?.ends].filter((end) => end !== undefined);
  if (stated.length === 0) return proof ? undefined : now + realmLogin;
  const end = Math.min(...stated);
  if (end > now) return end;
  const explanation = 'Expected a login that has not ended: tokens and sessions end with it';
  throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
}

/** Ten years, in seconds: beyond that an access key is what is wanted. */
const maxLength = 315_360_000;

/** Milliseconds. More than the limit is for administrators. */
export function lifetimeOf(seconds: number | undefined, lifetimes: TokenLifetimes, byAdministrator: boolean): number {
  if (seconds === undefined) return lifetimes.defaultValue;
  if (seconds > maxLength) {
    const explanation = `Expected at most ${maxLength}`;
    throw new ServiceError('bad-parameter', {
      context: 'parameter',
      id: 'seconds',
      explanation,
      value: String(seconds),
    });
  }
  const wanted = seconds * 1000;
  if (wanted <= lifetimes.max || byAdministrator) return wanted;
  const explanation = `Expected at most ${lifetimes.max / 1000}, the property userTokenMaxInterval, or the role _administrator`;
  throw new ServiceError('not-allowed', { context: 'parameter', id: 'seconds', explanation });
}

interface NewToken
  extends Omit<typeof token.$inferSelect, 'createdAt' | 'usedAt' | 'expiresAt' | 'autoRefresh' | 'second'> {
  readonly autoRefresh: boolean;
  readonly second: boolean;
}

/**
 * Account whose token or session asks for a token of another user, which ends with the logins of that account. Undefined:
 * a password or an access key vouches for it.
 */
export function makerOf({ actor, user, proof }: Subject, holder: string): StoredAccount | undefined {
  if (proof?.kind === 'password' || proof?.kind === 'key') return undefined;
  const account = (actor ?? { user }).user;
  if (!account || account.id === holder) return proof?.maker;
  if (proof?.maker === undefined) return { id: account.id, revocations: account.revocations };
  // A token keeps one maker, and would outlive the other one.
  const explanation = 'Expected a password, an access key, or a token that no other user asked for';
  throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
}

/** When the token expires if it is used now. */
export const expiryOf = ({ lifetime, endsAt }: Pick<NewToken, 'lifetime' | 'endsAt'>, now: number): number =>
  Math.min(now + lifetime, endsAt ?? Number.POSITIVE_INFINITY);

/**
 * Inserts a token. No event is sent, since only its holder may know it. Guards against a concurrent end of the user or
 * key.
 */
export const giveToken = (newToken: NewToken, user: string, now: number, maker?: StoredAccount): CommitPlan =>
  changing(
    ...(maker === undefined ? [] : [loginsGoOn({ ...maker }, new ServiceError('not-authenticated'))]),
    userEnabled({ userId: newToken.userId }, disabledUser(user)),
    ...(newToken.keyId === null ? [] : [keyActive({ keyId: newToken.keyId }, new ServiceError('not-authenticated'))]),
    insertToken({
      ...newToken,
      autoRefresh: newToken.autoRefresh ? 1 : 0,
      second: newToken.second ? 1 : 0,
      createdAt: now,
      usedAt: now,
      expiresAt: expiryOf(newToken, now),
    }),
    sweepTokens({ now }),
  );

export function disabledUser(name: string): ServiceError {
  const explanation = 'Expected a user who is enabled';
  return new ServiceError('user-disabled', { type: 'User', id: name, explanation });
}

/**
 * The holders of these tokens are logged out at once, and scheduled requests of the user end. `kept`: id of a token
 * that goes on.
 */
export const revokeAll = (user: UserRow, kept = ''): CommitPlan => ({
  changes: [revokeTokensOf({ userId: user.id, kept }), countRevocation({ id: user.id })],
  events: [ended(user)],
});

/** `forgotten`: what rooms keep of the token. */
export const revokeOne = (user: UserRow, id: string, forgotten: readonly Statement[]): CommitPlan => ({
  changes: [tokenThere({ userId: user.id, id }, noSuchToken(id)), revokeToken({ userId: user.id, id }), ...forgotten],
  events: [ended(user)],
});

const ended = (user: UserRow) => identityEvent('user/modify', user.name, { user: user.name, changed: ['token'] });

const noSuchToken = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Token', id: id.slice(0, 80) });

/** Whether a use moves the expiry on: only so often, because it is a write. */
export const wantsRefresh = (token: TokenLogin, now: number, pause: number): boolean =>
  token.autoRefresh === 1 && now - token.usedAt >= pause && expiryOf(token, now) > token.expiresAt;
