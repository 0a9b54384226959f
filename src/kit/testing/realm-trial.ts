import type { Account, Credentials, Host, LoginHost, Realm } from '../../spi/index.ts';
import { credentialsOf, type Knows } from './credentials.ts';
import { type Backend, ended, type TestHost, testHost } from './host.ts';
import { broken } from './result.ts';

export interface RealmUnderTest {
  /** Makes a new realm. Each promise gets one of its own, with a host whose network fails in its own way. */
  make(host: Host): Promise<Realm> | Realm;
  /** Credentials that the realm accepts. */
  readonly knows?: Knows | undefined;
  /** Normal answers of the backend to `host.fetch` and `host.call`. */
  readonly backend?: Backend | undefined;
  /** Users of the service's database with their passwords, for a realm that uses `users`. */
  readonly serviceUsers?: Readonly<Record<string, string>> | undefined;
  /** Faster hash than the one in JavaScript. */
  readonly scrypt?: Host['scrypt'] | undefined;
  /** Milliseconds of real time for an answer. Default: 5,000. */
  readonly patience?: number | undefined;
}

export type RealmOutcome =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'not-mine' }
  | { readonly kind: 'refused'; readonly reason: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'junk'; readonly answer: unknown };

export interface RealmTrial {
  readonly host: TestHost;
  readonly realm: Realm;
  /** Attempts a login like the service: not at all if the realm does not support the credentials. */
  attempt(who: Knows, options?: Attempted): Promise<RealmOutcome>;
}

interface Attempted {
  readonly signal?: AbortSignal;
  /** False: the clock stands still. */
  readonly moving?: boolean;
}

export async function realmTrial(subject: RealmUnderTest, backend = subject.backend): Promise<RealmTrial> {
  const host = testHost({ backend, scrypt: subject.scrypt, patience: subject.patience });
  const realm = await ended(Promise.resolve(subject.make(host)), host);
  const users = usersOf(subject.serviceUsers ?? {});
  return {
    host,
    realm,
    attempt: (who, { signal = new AbortController().signal, moving = true } = {}) =>
      ended(outcomeOf(realm, credentialsOf(who), { users, signal }), host, { moving }),
  };
}

async function outcomeOf(realm: Realm, credentials: Credentials, host: LoginHost): Promise<RealmOutcome> {
  try {
    if (!realm.supports(credentials)) return { kind: 'not-mine' };
    return readOutcome(await realm.authenticate(credentials, host));
  } catch (error) {
    return { kind: 'threw', error };
  }
}

/** Validates an answer at runtime: the realm may ignore the types. */
export function readOutcome(value: unknown): RealmOutcome {
  const answer = value as { answer?: unknown; account?: unknown; reason?: unknown } | null | undefined;
  switch (answer?.answer) {
    case 'account':
      return isAccount(answer.account) ? { kind: 'account', account: answer.account } : { kind: 'junk', answer };
    case 'not-mine':
      return { kind: 'not-mine' };
    case 'refused':
      return { kind: 'refused', reason: answer.reason };
    default:
      return { kind: 'junk', answer };
  }
}

const isAccount = (account: unknown): account is Account =>
  typeof (account as Account | null)?.name === 'string' && (account as Account).name !== '';

/** Breaks the promise if the realm accepted the credentials. */
export function keptOut(outcome: RealmOutcome, who: string): RealmOutcome {
  if (outcome.kind === 'account') broken(`nobody to be let in with ${who}`, `the account "${outcome.account.name}"`);
  return outcome;
}

const usersOf = (serviceUsers: Readonly<Record<string, string>>): LoginHost['users'] => {
  const passwords = new Map(Object.entries(serviceUsers));
  return {
    verifyPassword(user, password) {
      const right = passwords.get(user);
      if (right === undefined) return { verified: false, reason: 'unknown-user' };
      return right === password.reveal()
        ? { verified: true, name: user }
        : { verified: false, reason: 'wrong-password' };
    },
    verifyToken: () => ({ verified: false, reason: 'unknown-token' }),
  };
};
