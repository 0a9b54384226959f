import { textToBase64 } from '../core/lib/bytes.ts';
import { Recent } from '../core/lib/cache.ts';
import type { Clock } from '../core/lib/clock.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { describeError, type Log } from '../core/lib/log.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import { hiding } from '../core/lib/secret.ts';
import type { Account, Credentials, LoginAnswer, LoginHost, Realm, RealmAnswer, UserWriter } from '../spi/index.ts';
import { quoted } from './ini/findings.ts';
import type { NamedListener, NamedRealm, RealmStrategy } from './ini/security-parts.ts';
import type { Entrance, RequestUsers } from './subject.ts';
import { Deadline } from './time-limit.ts';

interface Parts {
  readonly realms: readonly NamedRealm[];
  readonly strategy: RealmStrategy;
  readonly listeners: readonly NamedListener[];
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds for a realm, or a listener, in one login. */
  readonly timeLimit: number;
  /** Number of the configuration, new for each one. */
  readonly configuration: number;
  /** Milliseconds for caching a refusal by a realm with fixed users, if a later realm accepts the login. */
  readonly rememberFor: number;
  /** Digest under a key of this process: cache keys cannot be read out of a dump. */
  digest(text: string): string;
}

export type Login = (credentials: Credentials, users: RequestUsers) => Maybe<LoginAnswer>;

/**
 * Asks the realms in order and lets the strategy decide. A realm that throws, hangs or answers junk is logged, and never
 * lets anyone in. A login with one that throws or hangs is not decided, unless another one accepts it.
 */
export function createAuthenticator(parts: Parts): Login {
  const remembered: Remembered = { accounts: new Recent(maxRemembered), refusals: new Recent(maxRemembered) };
  const attempted = (credentials: Credentials, users: RequestUsers): Maybe<LoginAnswer> => {
    const attempt = new Attempt(parts, remembered, credentials, users);
    const asking = after(attempt.ask(0), (answer) => attempt.judge(answer));
    // Without listeners there is nothing to tell, and the answer may be there already.
    const answer = parts.listeners.length === 0 ? asking : tell(parts, credentials, users, attempt, asking);
    return answer instanceof Promise ? answer.then((settled) => attempt.settle(settled)) : attempt.settle(answer);
  };
  return (credentials, users) =>
    after(
      users.attempt(credentials, parts.configuration, () => attempted(credentials, users)),
      (answer) => {
        if (!answer.accepted && answer.reason === undecided) throw notDecided();
        return answer;
      },
    );
}

/** Not 401: programs take that for wrong credentials, and people for a wrong password. */
export const notDecided = () =>
  new ServiceError(
    'provider-unavailable',
    { explanation: 'A realm that may know these credentials does not answer: try again shortly' },
    { 'retry-after': '5' },
  );

/** Answer to an account that a login of a provider has accepted. Realms are not asked: listeners are told, and may refuse. */
export type Admit = (account: Account, by: Admission, users: RequestUsers) => Promise<LoginAnswer>;

interface Admission {
  /** Name of the login in security.ini. */
  readonly provider: string;
  readonly credentials: Credentials;
}

export const createAdmission =
  (parts: Parts): Admit =>
  async (account, { provider, credentials }, users) => {
    if (!isAccount(account)) throw new TypeError(wrongAnswer('account'));
    if (account.ends !== undefined && account.ends <= parts.clock.now())
      return { accepted: false, reason: 'login-ended' };
    const accepted = [{ realm: provider, account }];
    return tell(parts, credentials, users, { accepted }, { accepted: true, account });
  };

/** Recent answers of realms, by realm and credentials. */
interface Remembered {
  readonly accounts: Recent<string, Account>;
  /** Refusals by realms with fixed users, in logins that another realm accepted. */
  readonly refusals: Recent<string, string>;
}

const maxRemembered = 10_000;
const failed = 'realm-failed';
/** Reason of a login that a realm refused while another one could not be asked. No realm says it, because of its blank. */
const undecided = 'not decided';

class Attempt implements Entrance {
  readonly #parts: Parts;
  readonly #remembered: Remembered;
  readonly #credentials: Credentials;
  readonly #users: RequestUsers;
  readonly accepted: { readonly realm: string; readonly account: Account }[] = [];
  #refusedBy: readonly { readonly realm: string; readonly reason: string }[] | undefined;
  #reason = 'no-realm';
  #isUndecided = false;
  /** Whether a realm knows the user and refuses the password. */
  #isGuess = false;

  constructor(parts: Parts, remembered: Remembered, credentials: Credentials, users: RequestUsers) {
    this.#remembered = remembered;
    this.#parts = parts;
    this.#credentials = credentials;
    this.#users = users;
  }

  get kind(): Credentials['kind'] {
    return this.#credentials.kind;
  }

  get by(): readonly string[] {
    return this.accepted.map(({ realm }) => realm);
  }

  ask(from: number): Maybe<LoginAnswer> {
    const { realms, strategy } = this.#parts;
    for (let index = from; index < realms.length; index++) {
      const named = realms[index]!;
      const answer = this.#one(named);
      if (answer instanceof Promise) return answer.then((late) => this.#take(named, late) ?? this.ask(index + 1));
      const decided = this.#take(named, answer);
      if (decided) return decided;
    }
    if (strategy.kind === 'all' && this.accepted.length < realms.length) return this.#refused();
    return this.accepted.length > 0 ? { accepted: true, account: merged(this.accepted) } : this.#refused();
  }

  #one({ name, realm }: NamedRealm): Maybe<RealmAnswer> {
    const { clock, timeLimit } = this.#parts;
    try {
      if (!realm.supports(this.#credentials)) return { answer: 'not-mine' };
      const remembered = this.#knownAnswer(name, realm);
      if (remembered) return remembered;
      const turn = new LoginAttempt(this.#users, clock, timeLimit, `the realm ${name}`);
      this.#users.patience = turn;
      const answer = turn.hold(realm.authenticate(this.#credentials, turn));
      return answer instanceof Promise ? answer.catch((error) => this.#notAsked(name, error)) : answer;
    } catch (error) {
      return this.#notAsked(name, error);
    }
  }

  #knownAnswer(name: string, { rememberFor, hasFixedUsers }: Realm): RealmAnswer | undefined {
    const { accounts, refusals } = this.#remembered;
    if (!rememberFor && !(hasFixedUsers && refusals.size > 0)) return undefined;
    const now = this.#parts.clock.now();
    const account = rememberFor ? accounts.get(this.#key(name), now) : undefined;
    if (account) return { answer: 'account', account };
    const reason = hasFixedUsers && refusals.size > 0 ? refusals.get(this.#key(name), now) : undefined;
    return reason === undefined ? undefined : { answer: 'refused', reason };
  }

  /**
   * A realm that fails leaves the login open, unless another one accepts it. It counts as a failed one only if a realm has
   * refused the password: otherwise nobody could be slowed down who guesses while a realm is away.
   */
  judge(answer: LoginAnswer): LoginAnswer {
    if (answer.accepted || !this.#isUndecided) return answer;
    if (!this.#isGuess) throw notDecided();
    return { accepted: false, reason: undecided };
  }

  /** A login that a later realm accepts does not pay on each request for those that refused it. */
  settle(answer: LoginAnswer): LoginAnswer {
    if (answer.accepted) this.#users.entrance = this;
    if (!answer.accepted || !this.#refusedBy) return answer;
    const { clock, rememberFor } = this.#parts;
    for (const { realm, reason } of this.#refusedBy) {
      const key = this.#key(realm);
      // Not extended by use: each refusal is eventually verified again.
      if (this.#remembered.refusals.get(key, clock.now()) === undefined)
        this.#remembered.refusals.set(key, reason, clock.now() + rememberFor);
    }
    return answer;
  }

  /** An answer when this realm settles the login, undefined when the next one is to be asked. */
  #take({ name, realm }: NamedRealm, answer: RealmAnswer): LoginAnswer | undefined {
    const { kind } = this.#parts.strategy;
    // Optional, whatever the types say: a plugin may answer nothing at all.
    const word = answer?.answer;
    if (word === 'account' && isAccount(answer.account)) {
      const now = this.#parts.clock.now();
      const account = bounded(answer.account, realm, now);
      if (account.ends === undefined || account.ends > now) {
        this.accepted.push({ realm: name, account });
        if (realm.rememberFor) this.#remember(name, account, now, realm.rememberFor);
        return kind === 'first' ? { accepted: true, account } : undefined;
      }
      this.#reason = 'login-ended';
    } else if (word === 'refused') {
      this.#reason = reasonFrom(answer.reason);
      this.#isGuess ||= ![failed, 'unknown-user'].includes(this.#reason);
      // A realm that failed has not looked at the credentials.
      if (realm.hasFixedUsers && answer.reason !== failed)
        this.#refusedBy = [...(this.#refusedBy ?? []), { realm: name, reason: this.#reason }];
    } else if (word !== 'not-mine') this.#failed(name, new Error(wrongAnswer(word)));
    return kind === 'all' ? this.#refused() : undefined;
  }

  /** Not extended by use: a user whom the realm removed has access for that time. */
  #remember(realm: string, account: Account, now: number, rememberFor: number): void {
    const { accounts } = this.#remembered;
    const key = this.#key(realm);
    if (accounts.get(key, now) === undefined)
      accounts.set(key, account, Math.min(now + rememberFor, account.ends ?? Number.POSITIVE_INFINITY));
  }

  /** Cache key of these credentials at this realm. */
  #key(realm: string): string {
    const credentials = this.#credentials;
    const proof =
      credentials.kind === 'password'
        ? `${credentials.user.length}:${credentials.user}${credentials.password.reveal()}`
        : credentials.token.reveal();
    return this.#parts.digest(`${realm.length}:${realm}${credentials.kind}:${proof}`);
  }

  #notAsked(realm: string, error: unknown): RealmAnswer {
    throwBusy(error);
    this.#isUndecided = true;
    return this.#failed(realm, error);
  }

  #failed(realm: string, error: unknown): RealmAnswer {
    this.#parts.log.write('error', 'realm-failed', {
      realm,
      ...describeError(error, hiding(secretsOf(this.#credentials))),
    });
    this.#reason = failed;
    return { answer: 'refused', reason: failed };
  }

  #refused(): LoginAnswer {
    return { accepted: false, reason: this.#reason };
  }
}

/** Services for a realm during one login. */
class LoginAttempt extends Deadline implements LoginHost {
  readonly users: RequestUsers;

  constructor(users: RequestUsers, clock: Clock, timeLimit: number, of: string) {
    super(clock, timeLimit, of);
    this.users = users;
  }
}

/** Busy is no verdict on the credentials: the caller may come back, and must not be told 401. */
function throwBusy(error: unknown): void {
  if (error instanceof ServiceError && error.status === 503) throw error;
  if ((error as { kind?: unknown } | undefined)?.kind !== 'busy') return;
  const detail = { explanation: 'Too many passwords are being checked: try again shortly' };
  throw new ServiceError('busy', detail, { 'retry-after': '1' });
}

/** Credentials in all forms that may occur in exceptions of realms. */
function secretsOf(credentials: Credentials): readonly string[] {
  if (credentials.kind !== 'password') return [credentials.token.reveal()].filter((text) => text !== '');
  const password = credentials.password.reveal();
  const secrets = [textToBase64(`${credentials.user}:${password}`), encodeURIComponent(password), password];
  return secrets.filter((text) => text !== '');
}

const word = /^[a-z\d][\w.-]{0,63}$/i;

/** Reason of a refusal as a single word for logs and metrics: other texts may quote anything. */
export const reasonFrom = (text: unknown): string => (typeof text === 'string' && word.test(text) ? text : 'refused');

const wrongAnswer = (word: unknown): string =>
  word === 'account'
    ? 'Expected an account whose name is a text without control characters, and whose end is a number: the realm answered another'
    : 'Expected an answer that is "account", "not-mine" or "refused": the realm gave another';

/** Validates an account of a plugin. Its name is used in headers, lists and logs. */
export const isAccount = (account: unknown): account is Account =>
  typeof account === 'object' &&
  account !== null &&
  typeof (account as Account).name === 'string' &&
  /^[^\0-\x1f\x7f]+$/.test((account as Account).name) &&
  ((account as Account).ends === undefined || Number.isFinite((account as Account).ends));

/** Ends with the time that the realm vouches for, at the latest. A cached account has its end already. */
function bounded(account: Account, { loginFor, rememberFor }: Realm, now: number): Account {
  const max = loginFor ?? rememberFor;
  return max ? { ...account, ends: Math.min(account.ends ?? Number.POSITIVE_INFINITY, now + max) } : account;
}

/** The first one's name; what the others grant is added. */
function merged(accepted: readonly { readonly account: Account }[]): Account {
  const [first, ...others] = accepted;
  if (others.length === 0) return first!.account;
  const all = accepted.map(({ account }) => account);
  const ends = Math.min(...all.map((account) => account.ends ?? Number.POSITIVE_INFINITY));
  return {
    name: first!.account.name,
    ...(Number.isFinite(ends) ? { ends } : {}),
    attributes: Object.assign({}, ...all.toReversed().map((account) => account.attributes)),
    attributeSources: Object.assign({}, ...all.toReversed().map((account) => account.attributeSources)),
    roles: [...new Set(all.flatMap((account) => account.roles ?? []))],
    permissions: [...new Set(all.flatMap((account) => account.permissions ?? []))],
  };
}

/** Listeners hear of a login once, however many realms had a say. One that throws on success undoes the login. */
async function tell(
  { listeners, clock, timeLimit, log }: Parts,
  credentials: Credentials,
  users: RequestUsers,
  { accepted }: Pick<Attempt, 'accepted'>,
  settled: Maybe<LoginAnswer>,
): Promise<LoginAnswer> {
  const answer = await settled;
  if (!answer.accepted && answer.reason === undecided) return answer;
  /** Why the login has no user of its own: an everyday refusal, however a listener puts it. */
  let refusal: string | undefined;
  const login = { credentials, realms: accepted.map(({ realm }) => realm) };
  const writer: UserWriter = {
    async createOrUpdate(info, { enable }) {
      const name = answer.accepted ? answer.account.name : '';
      if (!(await isSameUser(users, name, info.userName))) {
        refusal = 'user-of-another';
        throw new Error(
          `Expected the user ${quoted(name)}, whose login it is, from the provider: ${quoted(String(info.userName))}`,
        );
      }
      const outcome = await users.writer.createOrUpdate(info, { enable, realm: login.realms.join(', ') });
      refusal ??= outcome === 'ready' ? undefined : refusals[outcome];
      return outcome;
    },
  };
  const heard = async ({ listener }: NamedListener, signal: AbortSignal) =>
    answer.accepted
      ? listener.onSuccess?.(answer.account, login, { users: writer, signal })
      : listener.onFailure?.(credentials, answer.reason);
  for (const named of listeners) {
    const { name, asks } = named;
    try {
      const others = asks.length === 0 ? '' : `, or of ${asks.join(' and ')}, which it asks,`;
      const deadline = new Deadline(clock, timeLimit, `the listener ${name}${others}`);
      await deadline.hold(heard(named, deadline.signal));
    } catch (error) {
      if (error instanceof ServiceError && error.status === 503) throw error;
      if (!answer.accepted || refusal !== refusals.disabled) {
        const said = describeError(error, hiding(secretsOf(credentials)));
        log.write('error', 'listener-failed', { listener: name, ...said });
      }
      if (answer.accepted) return { accepted: false, reason: refusal ?? 'listener-failed' };
    }
  }
  return answer;
}

const refusals = { disabled: 'user-disabled', taken: 'user-exists' } as const;

/** Whether the name of an account, and the one that a provider answers for it, are of one user. Names of plugins may be anything. */
async function isSameUser(users: RequestUsers, name: string, other: unknown): Promise<boolean> {
  if (name === other) return true;
  if (typeof other !== 'string') return false;
  const user = await users.find(name);
  return user !== undefined && (user.name === other || user.id === (await users.find(other))?.id);
}
