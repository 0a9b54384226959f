import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Maybe } from '../../lib/maybe.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { Recent } from '../../lib/recent.ts';
import type { LoginAnswer } from '../../spi/index.ts';
import { networkOf } from './network.ts';

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: { readonly loginFreeFailures: number; readonly loginDelayMost: number };
}

export interface Attempt {
  readonly account: string;
  readonly from: { readonly address?: string | undefined };
  /** Stands for the credentials, which cannot be read out of it. */
  proof(): string;
}

interface Failures {
  readonly count: number;
  /** No attempt is looked at before. */
  readonly until: number;
}

/** How one kind of key is slowed down: after so many failures, from one second on, doubling, up to a limit. */
interface Pace {
  readonly scope: 'pair' | 'account' | 'network';
  readonly free: number;
  readonly most: number;
}

/** Failures are forgotten once nothing has failed for that long. */
const memory = 15 * 60_000;
const firstDelay = 1_000;
const familiarFor = 24 * 60 * 60_000;
const notedFor = 60_000;
const mostRemembered = 20_000;
/** Within the time of `memory`. Without a limit, whoever shares a network with somebody could guess as fast as it goes. */
const mostCompared = 1_000;

/**
 * Slows down guessing, and shuts nobody out for good: every pause ends. Whoever came in from a network lately is not
 * held up by failures elsewhere, nor by any with the same credentials. Counted per instance.
 */
export class Throttle {
  readonly #parts: Parts;
  readonly #paces: readonly Pace[];
  readonly #failures = new Recent<string, Failures>(mostRemembered);
  /** The credentials that were good last, by account and network. */
  readonly #familiar = new Recent<string, string>(mostRemembered);
  readonly #noted = new Recent<string, true>(mostRemembered);
  /** Other credentials that came from there during a pause. */
  readonly #compared = new Recent<string, { count: number }>(mostRemembered);
  /** What is being looked at: else a burst would be over before its first failure counts. */
  readonly #underway = new Map<string, Set<string>>();
  readonly #throttled;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    const { loginFreeFailures: free, loginDelayMost } = parts.settings;
    const most = loginDelayMost * 1000;
    this.#parts = parts;
    this.#paces = [
      { scope: 'pair', free, most },
      // Many networks at one account, or one network at many accounts: slowed down, and nobody kept out by it.
      { scope: 'account', free: free * 10, most: Math.min(5_000, most) },
      { scope: 'network', free: free * 50, most: Math.min(2_000, most) },
    ];
    this.#throttled = parts.metrics.counter('portico_logins_throttled_total', 'Logins not looked at', 'scope');
    parts.metrics.gauge(
      'portico_login_failures',
      'Accounts and networks whose failed logins are counted',
      () => this.#failures.size,
    );
  }

  /** Makes the attempt, or refuses it for now. */
  attempt(attempt: Attempt, make: () => Maybe<LoginAnswer>): Maybe<LoginAnswer> {
    const wait = this.#wait(attempt);
    if (wait > 0 && !this.#isFamiliar(attempt)) throw tooManyAttempts(wait);
    const answer = make();
    if (answer instanceof Promise) return this.#watch(attempt, answer, wait > 0);
    if (answer.accepted) this.#remembered(attempt);
    else this.#failed(attempt);
    return answer;
  }

  #wait(attempt: Attempt): number {
    const now = this.#parts.clock.now();
    if (now >= this.#pausedUntil && this.#underway.size === 0) return 0;
    const known = this.#familiar.get(keyOf('pair', attempt), now) !== undefined;
    let longest = 0;
    for (const { scope, free, most } of this.#paces) {
      if (known && scope !== 'pair') continue;
      const key = keyOf(scope, attempt);
      const { count, until } = this.#failures.get(key, now) ?? { count: 0, until: now };
      const others = this.#othersUnderway(key, attempt);
      const wait = Math.max(until - now, others > 0 && count + others >= free ? Math.min(firstDelay, most) : 0);
      if (wait > 0) this.#throttled(scope).add();
      longest = Math.max(longest, wait);
    }
    return longest;
  }

  #othersUnderway(key: string, attempt: Attempt): number {
    const underway = this.#underway.get(key);
    if (!underway) return 0;
    return underway.size - (underway.has(attempt.proof()) ? 1 : 0);
  }

  /** Whether these credentials are looked at in spite of a pause. */
  #isFamiliar(attempt: Attempt): boolean {
    const now = this.#parts.clock.now();
    const pair = keyOf('pair', attempt);
    const familiar = this.#familiar.get(pair, now);
    if (familiar === undefined) return false;
    const compared = this.#compared.get(pair, now);
    if (compared && compared.count >= mostCompared) return false;
    if (familiar === attempt.proof()) return true;
    if (compared) compared.count++;
    else this.#compared.set(pair, { count: 1 }, now + memory);
    return false;
  }

  async #watch(attempt: Attempt, answer: Promise<LoginAnswer>, paused: boolean): Promise<LoginAnswer> {
    const keys = this.#paces.map(({ scope }) => keyOf(scope, attempt));
    const proof = attempt.proof();
    for (const key of keys) this.#underway.set(key, (this.#underway.get(key) ?? new Set()).add(proof));
    // A burst with the same credentials is one attempt: only the first of it to end finds itself here.
    const end = (): boolean => keys.map((key) => this.#ended(key, proof)).includes(true);
    try {
      const settled = await answer;
      const first = end();
      if (settled.accepted) this.#succeeded(attempt, paused);
      else if (first) this.#failed(attempt);
      return settled;
    } catch (error) {
      // Else a full queue would tell wrong passwords, which it refuses, from one that is remembered, which needs no queue.
      if (end() && error instanceof ServiceError && error.code === 'busy') this.#failed(attempt);
      throw error;
    }
  }

  #ended(key: string, proof: string): boolean {
    const underway = this.#underway.get(key);
    const there = underway?.delete(proof) ?? false;
    if (underway?.size === 0) this.#underway.delete(key);
    return there;
  }

  #succeeded(attempt: Attempt, paused: boolean): void {
    const pair = keyOf('pair', attempt);
    this.#familiar.set(pair, attempt.proof(), this.#parts.clock.now() + familiarFor);
    // During a pause it is not this caller who failed.
    if (!paused) this.#failures.delete(pair);
  }

  /** Most requests are like this one: what they cost is one look. */
  #remembered(attempt: Attempt): void {
    const now = this.#parts.clock.now();
    const key = `${attempt.from.address} ${attempt.account}`;
    if (this.#noted.get(key, now)) return;
    this.#noted.set(key, true, now + notedFor);
    this.#familiar.set(keyOf('pair', attempt), attempt.proof(), now + familiarFor);
  }

  #failed(attempt: Attempt): void {
    const { clock, log } = this.#parts;
    const now = clock.now();
    for (const { scope, free, most } of this.#paces) {
      const key = keyOf(scope, attempt);
      const count = (this.#failures.get(key, now)?.count ?? 0) + 1;
      const delay = count < free ? 0 : Math.min(most, firstDelay * 2 ** Math.min(count - free, 20));
      this.#failures.set(key, { count, until: now + delay }, now + Math.max(memory, delay));
      this.#pausedUntil = Math.max(this.#pausedUntil, now + delay);
      if (count === free && delay > 0) {
        const account = scope === 'network' ? undefined : attempt.account.slice(0, 255);
        const from = scope === 'account' ? undefined : attempt.from.address;
        log.write('warn', 'login-slowed', { scope, account, from, failures: count });
      }
    }
  }
}

function keyOf(scope: Pace['scope'], { account, from }: Attempt): string {
  if (scope === 'network') return `n:${networkOf(from.address)}`;
  const name = folded(account);
  return scope === 'account' ? `a:${name}` : `p:${networkOf(from.address)}:${name}`;
}

/** A spelling that some realm may take for the same account counts as the same. */
const folded = (name: string): string => name.toWellFormed().normalize('NFKC').toLowerCase().trim().slice(0, 200);

function tooManyAttempts(wait: number): ServiceError {
  const explanation = 'Too many logins were refused for this account or from this network: try again later';
  return new ServiceError('too-many-attempts', { explanation }, { 'retry-after': String(Math.ceil(wait / 1000)) });
}
