import { ServiceError } from '../core/lib/errors.ts';
import type { Store } from '../core/store/store.ts';
import { outlastsActing } from '../http/acting.ts';
import { hasBasicLogin } from '../http/call.ts';
import { loginTooOld } from '../http/login.ts';
import { type Access, type AccessCheck, access, type Params, roleMissing, segment } from '../http/route.ts';
import { type Caller, subjectOf } from '../security/caller.ts';
import { administrator, type Proof } from '../security/subject.ts';
import type { IdentitySettings } from './settings.ts';
import { findUser } from './users/store.ts';

/** The user that the path names, by name or by alias, or a caller with the role. */
export const roleOrOwn = (role: string, store: Store): Access =>
  access({ role, orSelf: { param: 'name' } }, async (call, params) => {
    const subject = subjectOf(call);
    if (subject.name === params['name'] || (await subject.has(role))) return;
    if (!(await isOwn(store, call, params))) throw roleMissing(role);
  });

/** A caller that only acts for a user changes the account of that user, and no other account. */
export const onlyOwnAccount =
  (store: Store): AccessCheck =>
  async (call, params) => {
    if (!(await isOwn(store, call, params)))
      throw outlastsActing('the path names another account than that of the user');
  };

export async function isOwn(store: Store, call: Caller, params: Params): Promise<boolean> {
  const { user } = subjectOf(call);
  if (!user) return false;
  return user.name === params['name'] || (await findUser(store, { name: segment(params, 'name') }))?.id === user.id;
}

/**
 * Refuses credentials that end, or can be taken back: a token, an access key, a bearer token. People of a provider have no
 * password here: a session proves as much for `stepUpSeconds` after their login there.
 */
export const withPassword = (
  inner: Access,
  what: string,
  { stepUpSeconds }: Pick<IdentitySettings, 'stepUpSeconds'>,
): Access =>
  proven(
    inner,
    what,
    'a password, a recent login by a provider',
    ({ kind, isStrong, provider, loginAt = 0 }, isBasic, came) => {
      if (provider === undefined) return isStrong === true || (isBasic && kind !== 'key');
      if (came - loginAt >= stepUpSeconds * 1000) throw loginTooOld();
      return true;
    },
  );

/** Refuses also the password of another realm. A remembered password counts, and a login link for `stepUpSeconds`. */
export const withOwnPassword = (
  ordinary: Access,
  what: string,
  { stepUpSeconds }: Pick<IdentitySettings, 'stepUpSeconds'>,
): Access =>
  proven(
    ordinary,
    what,
    'the password of the account, a recent login by link',
    ({ kind, isStrong, byLink, loginAt = 0 }, _isBasic, came) => {
      if (isStrong || !byLink) return isStrong === true || kind === 'password';
      if (came - loginAt >= stepUpSeconds * 1000) throw loginTooOld();
      return true;
    },
  );

/** `isProof`: whether credentials are proof. A session with a second factor is; its routes are dangerous. */
function proven(
  ordinary: Access,
  what: string,
  expected: string,
  isProof: (proof: Partial<Proof>, isBasic: boolean, came: number) => boolean,
): Access {
  return access({ ...ordinary.needs, besides: `${expected}, or the role ${administrator}` }, async (call, params) => {
    await ordinary(call, params);
    if ((await isAdministrator(call)) || isProof(subjectOf(call).proof ?? {}, hasBasicLogin(call), call.came)) return;
    const explanation = `Expected ${expected}, or the role ${administrator}: ${what} outlives what it was made with`;
    throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
  });
}

/** The user, or the administrator who acts for the user. */
async function isAdministrator(caller: Caller): Promise<boolean> {
  const subject = subjectOf(caller);
  return (await subject.has(administrator)) || (await subject.actor?.has(administrator)) === true;
}
