import { inTime } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { requireKey, type Vault } from '../../core/lib/vault.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import {
  endSession,
  findLogin,
  findLoginById,
  type LoginRow,
  provisionedHook,
  usersAlike,
} from '../../identity/public.ts';
import type { RoomContext } from '../../room/context.ts';
import type { NamedLogin } from '../../security/ini/security-parts.ts';
import type { Account, LoginOutcome } from '../../spi/index.ts';
import { mayJoin } from './rules.ts';
import { findPerson, nobodyElse, personOfUser } from './store.ts';

export type LoginContext = RoomContext<{ readonly realmTimeout: number }>;

export interface LoginParts extends LoginContext {
  readonly vault: Vault | undefined;
}

type Accepted = Extract<LoginOutcome, { answer: 'account' }>;

/** Why an account that the provider accepts has no session here, for the log. */
interface Unwelcome {
  readonly reason: string;
  readonly user: string;
}

/** Session secrets belong to one provider: those of another one do not open. */
export const purposeOf = (provider: string): string => `login/${provider}`;

export const neededVault = ({ vault }: LoginParts): Vault => requireKey(vault, 'seal logins under');

export function providerNamed({ security }: LoginParts, name: string): NamedLogin {
  const named = security.logins().find((each) => each.name === name);
  if (named) return named;
  throw new ServiceError('no-such-entity', { type: 'Login', id: name.slice(0, 80) });
}

/** A component of a plugin may hang. */
export function within<T>({ clock, settings }: LoginParts, provider: string, work: () => Promise<T> | T): Promise<T> {
  const { realmTimeout } = settings;
  const late = () =>
    new Error(`Expected an answer of the provider ${provider} within ${realmTimeout} ms (setting realmTimeout)`);
  return inTime(Promise.resolve().then(work), clock, realmTimeout, late);
}

/** The user whom an accepted account is, created or brought up to date by the listeners, or why there is none. */
export async function userOf(
  parts: LoginParts,
  { name: provider, login }: NamedLogin,
  {
    account,
    person,
    proof,
    address,
    linkTo,
  }: Pick<Accepted, 'account' | 'person'> & {
    readonly proof: string;
    readonly address: string | undefined;
    /** Statement that keeps the person beside the user, in the commit that creates the user. */
    readonly linkTo?: (userId: string) => Statement;
  },
): Promise<
  | {
      readonly user: LoginRow;
      readonly account: Account;
      readonly isNew: boolean;
      readonly guards: readonly Statement[];
    }
  | Unwelcome
> {
  const { store, security, fingerprint, hooks } = parts;
  const { joinsUsers } = login;
  const digest = fingerprint(person);
  const refuse = (reason: string): Unwelcome => ({ reason, user: account.name });
  const row = await findPerson(store, { person: digest });
  const linked = row && (await findLoginById(store, { id: row.userId }));
  const alike = linked ? [] : await usersAlike(store, account.name);
  const [named] = alike;
  if (named) {
    const isProvisioned = (await hooks.find(provisionedHook)?.(named.id)) ?? false;
    const isTaken = (await personOfUser(store, { userId: named.id })) !== undefined;
    if (alike.length > 1 || !mayJoin({ joinsUsers, isProvisioned, isTaken })) return refuse('user-exists');
  }
  // The name that the user has here: the provider, or an administrator, may have changed it since.
  const name = (linked ?? named)?.name ?? account.name;
  const answer = await security.admit(
    { ...account, name },
    { provider, proof, address, created: (user) => (linkTo && user.name === name ? [linkTo(user.id)] : []) },
  );
  if (!answer.accepted) return refuse(answer.reason);
  const user = await findLogin(store, { name: answer.account.name });
  if (!user) return refuse('user-unknown');
  if (user.enabled !== 1) return refuse('user-disabled');
  // Somebody else became a user of that name meanwhile.
  const isTaken = !linked && !named && linkTo && (await findPerson(store, { person: digest }))?.userId !== user.id;
  if (isTaken && joinsUsers !== true) return refuse('user-exists');
  const guards =
    linked || joinsUsers === true
      ? []
      : [nobodyElse({ userId: user.id, person: digest }, changedMeanwhile('User', name))];
  return { user, account: answer.account, isNew: linked === undefined, guards };
}

export const endOf = ({ forget }: Pick<LoginParts, 'forget'>, id: string): CommitPlan =>
  changing(endSession({ id }), ...forget.login(id, 'logout'));
