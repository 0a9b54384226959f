import { inTime } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { requireKey, type Vault } from '../../core/lib/vault.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { endSession, findLogin, findLoginById, type LoginRow } from '../../identity/public.ts';
import type { RoomContext } from '../../room/context.ts';
import type { NamedLogin } from '../../security/ini/security-parts.ts';
import type { Account, LoginOutcome } from '../../spi/index.ts';
import { refusalOf } from './rules.ts';
import { findPerson } from './store.ts';

export type LoginContext = RoomContext<{ readonly realmTimeout: number }>;

export interface LoginParts extends LoginContext {
  readonly vault: Vault | undefined;
}

type Accepted = Extract<LoginOutcome, { answer: 'account' }>;

/** Session secrets belong to one provider: those of another one do not open. */
export const purposeOf = (provider: string): string => `login/${provider}`;

export const neededVault = ({ vault }: LoginParts): Vault => requireKey(vault, 'seal logins under');

export function providerNamed({ security }: LoginParts, name: string): NamedLogin {
  const named = security.logins().find((each) => each.name === name);
  if (named) return named;
  throw new ServiceError('no-such-entity', { type: 'Login', id: name.slice(0, 80) });
}

/** A component of a plugin may hang. */
export const within = <T>({ clock, settings }: LoginParts, work: () => Promise<T> | T): Promise<T> =>
  inTime(
    Promise.resolve().then(work),
    clock,
    settings.realmTimeout,
    () => new Error(`Expected an answer of the provider within ${settings.realmTimeout} ms`),
  );

/** The user whom an accepted account is, created or brought up to date by the listeners, or a word of refusal. */
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
): Promise<{ readonly user: LoginRow; readonly account: Account; readonly isNew: boolean } | string> {
  const { store, security, fingerprint } = parts;
  const row = await findPerson(store, { person: fingerprint(person) });
  const linked = row && (await findLoginById(store, { id: row.userId }));
  const named = linked ? undefined : await findLogin(store, { name: account.name });
  const refusal = refusalOf({ linked, named, joinsUsers: login.joinsUsers === true });
  if (refusal) return refusal;
  // The name that the user has here: the provider, or an administrator, may have changed it since.
  const answer = await security.admit(
    { ...account, ...(linked && { name: linked.name }) },
    { provider, proof, address, created: ({ id, name }) => (linkTo && name === account.name ? [linkTo(id)] : []) },
  );
  if (!answer.accepted) return answer.reason;
  const user = await findLogin(store, { name: answer.account.name });
  if (!user) return 'user-unknown';
  if (user.enabled !== 1) return 'user-disabled';
  // Somebody else became a user of that name meanwhile.
  const isTaken =
    !linked && !named && linkTo && (await findPerson(store, { person: fingerprint(person) }))?.userId !== user.id;
  if (isTaken && login.joinsUsers !== true) return 'user-exists';
  return { user, account: answer.account, isNew: linked === undefined };
}

export const endOf = ({ forget }: Pick<LoginParts, 'forget'>, id: string): CommitPlan =>
  changing(endSession({ id }), ...forget.login(id));
