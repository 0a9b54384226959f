import type { Account, Credentials, Host, LoginHost, Realm } from '../../spi/index.ts';
import { credentialsOf, type Knows } from '../credentials.ts';
import { type Backend, type TestHost, testHost } from '../host.ts';
import { ended } from '../patience.ts';
import { broken } from '../result.ts';

export interface RealmUnderTest {
  /** Makes a new realm. Each promise gets one of its own, with a host whose network fails in its own way. */
  make(host: Host): Promise<Realm> | Realm;
  /** Somebody whom the realm lets in. */
  readonly knows?: Knows | undefined;
  /** What the realm asks over `host.fetch` or `host.call`, as it answers when all is well. */
  readonly backend?: Backend | undefined;
  /** Users in the database of the service with their passwords, for a realm that asks `users`. */
  readonly serviceUsers?: Readonly<Record<string, string>> | undefined;
  /** A faster hash than that in JavaScript. */
  readonly scrypt?: Host['scrypt'] | undefined;
  /** Milliseconds of real time that an answer may take: 5,000 unless told. */
  readonly patience?: number | undefined;
}

export type Outcome =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'not-mine' }
  | { readonly kind: 'refused'; readonly reason: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'junk'; readonly answer: unknown };

export interface Trial {
  readonly host: TestHost;
  readonly realm: Realm;
  /** As the service asks: not at all when the realm does not support the credentials. */
  attempt(who: Knows, options?: Attempted): Promise<Outcome>;
}

export interface Attempted {
  readonly signal?: AbortSignal;
  /** False: the clock stands still. */
  readonly moving?: boolean;
}

export async function trialOf(subject: RealmUnderTest, backend = subject.backend): Promise<Trial> {
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

export async function outcomeOf(realm: Realm, credentials: Credentials, host: LoginHost): Promise<Outcome> {
  try {
    if (!realm.supports(credentials)) return { kind: 'not-mine' };
    return read(await realm.authenticate(credentials, host));
  } catch (error) {
    return { kind: 'threw', error };
  }
}

/** Whatever the types say: the realm is somebody else's code. */
export function read(given: unknown): Outcome {
  const answer = given as { answer?: unknown; account?: unknown; reason?: unknown } | null | undefined;
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

/** Breaks the promise if the realm let somebody in. */
export function keptOut(outcome: Outcome, who: string): Outcome {
  if (outcome.kind === 'account') broken(`nobody to be let in with ${who}`, `the account "${outcome.account.name}"`);
  return outcome;
}

const usersOf = (known: Readonly<Record<string, string>>): LoginHost['users'] => {
  const passwords = new Map(Object.entries(known));
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
