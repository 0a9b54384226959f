import { blockOf, networkOf } from '../../core/lib/address.ts';
import { Recent } from '../../core/lib/cache.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Line } from '../../core/lib/fair-queue.ts';
import type { Log } from '../../core/lib/log.ts';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import type { LoginAnswer } from '../../spi/index.ts';
import { type Failures, FailureTable, firstDelay, memory, type PaceLimits, pauseAfter } from './failures.ts';
import type { FamiliarNetworks } from './familiar.ts';
import type { SharedFailures } from './shared-failures.ts';
import { Tickets } from './tickets.ts';

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly familiar: FamiliarNetworks;
  /** Failures that other instances count. Undefined: this one is alone. */
  readonly shared?: SharedFailures;
  readonly settings: { readonly loginFreeFailures: number; readonly loginDelayMost: number };
}

export interface LoginAttempt {
  readonly account: string;
  readonly from: { readonly address?: string | undefined };
  /** Stands for the credentials, which cannot be read out of it. */
  proof(): string;
}

/** Delay for one kind of key: after some failures, from one second on, doubling up to a limit. */
interface Pace extends PaceLimits {
  readonly scope: 'pair' | 'account' | 'network';
  readonly failures: FailureTable;
}

const notedFor = 60_000;
const maxRemembered = 20_000;
/** Keys of one scope, those that are slowed down and those that are not each. */
const maxCounted = 10_000;
/** Within the time of `memory`. Without a limit, an attacker in the network of a user could guess at full speed. */
const maxCompared = 1_000;

/**
 * Slows down guessing, and shuts out no account for good: every pause ends. An account that logged in from a network
 * lately is not held up there by failures elsewhere, nor by any pause with the same credentials. A new network that is
 * refused because of failures elsewhere gets a ticket. Failures count for all instances on the database; tickets and
 * familiar credentials belong to one of them.
 */
export class Throttle {
  readonly #parts: Parts;
  readonly #paces: readonly Pace[];
  readonly #tickets = new Tickets();
  readonly #noted = new Recent<string, true>(maxRemembered);
  /** Number of different credentials from the network during a pause. */
  readonly #compared = new Recent<string, { count: number }>(maxRemembered);
  /** Attempts in progress. Otherwise a burst would pass before its first failure counts. */
  readonly #underway = new Map<string, Set<string>>();
  readonly #throttled;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    const { loginFreeFailures: free, loginDelayMost } = parts.settings;
    const max = loginDelayMost * 1000;
    this.#parts = parts;
    this.#paces = [
      { scope: 'pair', free, max, failures: new FailureTable(free, maxCounted) },
      // Many networks at one account, or one network at many accounts: slowed down, but never locked out.
      {
        scope: 'network',
        free: free * 50,
        max: Math.min(2_000, max),
        failures: new FailureTable(free * 50, maxCounted),
      },
      {
        scope: 'account',
        free: free * 10,
        max: Math.min(5_000, max),
        failures: new FailureTable(free * 10, maxCounted),
      },
    ];
    this.#throttled = parts.metrics.counter('portico_logins_throttled_total', 'Logins not looked at', 'scope');
    parts.metrics.gauge('portico_login_failures', 'Accounts and networks whose failed logins are counted', () =>
      this.#paces.reduce((sum, { failures }) => sum + failures.size, 0),
    );
  }

  /** Makes the attempt, or refuses it for now. */
  attempt(attempt: LoginAttempt, make: () => Maybe<LoginAnswer>): Maybe<LoginAnswer> {
    const wait = this.#wait(attempt);
    if (wait > 0 && !this.#hasGoodProof(attempt)) throw tooManyAttempts(wait);
    const answer = make();
    if (answer instanceof Promise) return this.#watch(attempt, answer, wait > 0);
    if (answer.accepted) this.#remembered(attempt);
    else return after(this.#failed(attempt, wait > 0), () => answer);
    return answer;
  }

  #wait(attempt: LoginAttempt): number {
    if (this.#underway.size === 0 && this.#pausedUntil === Number.NEGATIVE_INFINITY) return 0;
    if (this.#parts.clock.now() >= this.#pausedUntil && this.#underway.size === 0) return 0;
    return this.#maxPause(attempt, true);
  }

  /** `counted`: attempts in progress count as failures. */
  #maxPause(attempt: LoginAttempt, counted: boolean): number {
    const now = this.#parts.clock.now();
    const isFamiliar = this.isFamiliar(attempt);
    let longest = 0;
    for (const { scope, free, max, failures } of this.#paces) {
      if (isFamiliar && scope !== 'pair') continue;
      const key = keyOf(scope, attempt);
      const { count, until } = failures.get(key, now) ?? { count: 0, until: now };
      const others = counted ? this.#othersUnderway(key, attempt) : 0;
      let wait = Math.max(until - now, others > 0 && count + others >= free ? Math.min(firstDelay, max) : 0);
      if (wait > 0 && scope === 'account') wait = this.#withTicket(attempt, wait, longest === 0);
      if (wait > 0) this.#throttled(scope).add();
      longest = Math.max(longest, wait);
    }
    return longest;
  }

  /** Remaining pause of an account for a network that may have a ticket. */
  #withTicket(attempt: LoginAttempt, wait: number, redeem: boolean): number {
    const now = this.#parts.clock.now();
    const [pair, account] = [keyOf('pair', attempt), keyOf('account', attempt)];
    const block = blockOf(networkOf(attempt.from.address));
    const failures = this.#paces[0]!.failures.get(pair, now)?.count ?? 0;
    return this.#tickets.wait({ pair, account, block, failures, wait, now, redeem });
  }

  /** Whether the account logged in from the network recently. */
  isFamiliar(attempt: LoginAttempt): boolean {
    return this.#parts.familiar.has(keyOf('pair', attempt));
  }

  /**
   * Queue of a password check. Known networks, unfailing networks and others take turns; then blocks, networks and
   * accounts.
   */
  lineOf(attempt: LoginAttempt): Line {
    const now = this.#parts.clock.now();
    const network = networkOf(attempt.from.address);
    const rest = [blockOf(network), network, folded(attempt.account)];
    if (this.isFamiliar(attempt)) return ['known', ...rest];
    const failed = this.#paces.some(
      ({ scope, failures }) => scope !== 'account' && failures.get(keyOf(scope, attempt), now) !== undefined,
    );
    return [failed ? 'again' : 'first', ...rest];
  }

  #othersUnderway(key: string, attempt: LoginAttempt): number {
    const underway = this.#underway.get(key);
    if (!underway) return 0;
    return underway.size - (underway.has(attempt.proof()) ? 1 : 0);
  }

  /** Whether these credentials are looked at in spite of a pause. */
  #hasGoodProof(attempt: LoginAttempt): boolean {
    const now = this.#parts.clock.now();
    const pair = keyOf('pair', attempt);
    const familiar = this.#parts.familiar.proofOf(pair);
    if (familiar === undefined) return false;
    const compared = this.#compared.get(pair, now);
    if (compared && compared.count >= maxCompared) return false;
    if (familiar === attempt.proof()) return true;
    if (compared) compared.count++;
    else this.#compared.set(pair, { count: 1 }, now + memory);
    return false;
  }

  async #watch(attempt: LoginAttempt, answer: Promise<LoginAnswer>, paused: boolean): Promise<LoginAnswer> {
    const keys = this.#paces.map(({ scope }) => keyOf(scope, attempt));
    const pair = keys[0]!;
    const proof = attempt.proof();
    for (const key of keys) this.#underway.set(key, (this.#underway.get(key) ?? new Set()).add(proof));
    // A burst with the same credentials is one attempt: only the first of it to end finds itself here.
    const end = (): boolean => keys.map((key) => this.#ended(key, proof)).includes(true);
    try {
      const settled = await answer;
      const first = end();
      const free = paused || this.#tickets.isSpent(pair, this.#parts.clock.now());
      if (settled.accepted) await this.#succeeded(attempt, paused, free);
      else if (first) await this.#failed(attempt, free);
      this.#tickets.settle(pair, this.#parts.clock.now(), false);
      return settled;
    } catch (error) {
      // An attempt that was not looked at is no failure.
      end();
      this.#tickets.settle(pair, this.#parts.clock.now(), true);
      throw error;
    }
  }

  #ended(key: string, proof: string): boolean {
    const underway = this.#underway.get(key);
    const wasUnderway = underway?.delete(proof) ?? false;
    if (underway?.size === 0) this.#underway.delete(key);
    return wasUnderway;
  }

  async #succeeded(attempt: LoginAttempt, paused: boolean, free: boolean): Promise<void> {
    const pair = keyOf('pair', attempt);
    const { shared, familiar, clock } = this.#parts;
    const { failures } = this.#paces[0]!;
    if (shared) {
      if (!free && familiar.proofOf(pair) !== attempt.proof()) {
        this.#learn(attempt, await shared.read(this.#paces.map(({ scope }) => keyOf(scope, attempt))));
        this.#refuseDuringPause(attempt);
      }
      if (!paused && failures.get(pair, clock.now())) await shared.forget(pair);
    }
    this.#came(attempt);
    // During a pause it is not this caller who failed.
    if (!paused) failures.delete(pair);
  }

  /** Most requests are like this one: what they cost is one look. */
  #remembered(attempt: LoginAttempt): void {
    const now = this.#parts.clock.now();
    const key = `${attempt.from.address} ${attempt.account}`;
    if (this.#noted.get(key, now)) return;
    this.#noted.set(key, true, now + notedFor);
    this.#came(attempt);
  }

  #came(attempt: LoginAttempt): void {
    this.#parts.familiar.came(keyOf('pair', attempt), keyOf('account', attempt), attempt.proof());
  }

  /**
   * Counts the failure here, and for all instances. Where others have used up what is free, the caller is refused like
   * in any pause: the answer does not tell whether the credentials were wrong. `free`: it was let through a pause.
   */
  #failed(attempt: LoginAttempt, free: boolean): Maybe<void> {
    const now = this.#parts.clock.now();
    for (const pace of this.#paces) {
      const count = (pace.failures.get(keyOf(pace.scope, attempt), now)?.count ?? 0) + 1;
      this.#count(pace, attempt, { count, until: now + pauseAfter(count, pace) });
    }
    return this.#parts.shared && this.#share(this.#parts.shared, attempt, free);
  }

  async #share(shared: SharedFailures, attempt: LoginAttempt, free: boolean): Promise<void> {
    const isFamiliar = this.isFamiliar(attempt);
    const paces = this.#paces.map(({ scope, free, max }) => ({ scope, key: keyOf(scope, attempt), free, max }));
    const refusing = paces.filter(({ scope }) => !free && (!isFamiliar || scope === 'pair')).map(({ key }) => key);
    const { counted, failures } = await shared.count(paces, refusing);
    this.#learn(attempt, failures);
    if (!counted) this.#refuseDuringPause(attempt);
  }

  #refuseDuringPause(attempt: LoginAttempt): void {
    const wait = this.#pausedUntil > this.#parts.clock.now() ? this.#maxPause(attempt, false) : 0;
    if (wait > 0) throw tooManyAttempts(wait);
  }

  #learn(attempt: LoginAttempt, failuresByKey: ReadonlyMap<string, Failures>): void {
    const now = this.#parts.clock.now();
    for (const pace of this.#paces) {
      const key = keyOf(pace.scope, attempt);
      const [here, shared] = [pace.failures.get(key, now), failuresByKey.get(key)];
      if (shared && (!here || shared.count > here.count)) this.#count(pace, attempt, shared);
    }
  }

  #count({ scope, free, failures }: Pace, attempt: LoginAttempt, { count, until }: Failures): void {
    const { clock, log } = this.#parts;
    const now = clock.now();
    const key = keyOf(scope, attempt);
    const before = failures.get(key, now)?.count ?? 0;
    failures.set(key, { count, until }, Math.max(now + memory, until));
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    if (before < free && count >= free && until > now) {
      const account = scope === 'network' ? undefined : attempt.account.slice(0, 255);
      const from = scope === 'account' ? undefined : attempt.from.address;
      log.write('warn', 'login-slowed', { scope, account, from, failures: count });
    }
  }
}

function keyOf(scope: Pace['scope'], { account, from }: LoginAttempt): string {
  if (scope === 'network') return `n:${networkOf(from.address)}`;
  const name = folded(account);
  return scope === 'account' ? accountKeyOf(account) : `p:${networkOf(from.address)}:${name}`;
}

/** Key of an account for familiar networks. */
export const accountKeyOf = (account: string): string => `a:${folded(account)}`;

/** A spelling that some realm may take for the same account counts as the same. */
const folded = (name: string): string => name.toWellFormed().normalize('NFKC').toLowerCase().trim().slice(0, 200);

function tooManyAttempts(wait: number): ServiceError {
  const explanation = 'Too many logins were refused for this account or from this network: try again later';
  return new ServiceError('too-many-attempts', { explanation }, { 'retry-after': String(Math.ceil(wait / 1000)) });
}
