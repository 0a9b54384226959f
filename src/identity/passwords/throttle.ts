import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { Recent } from '../../lib/recent.ts';

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: { readonly loginFreeFailures: number; readonly loginDelayMost: number };
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
const mostRemembered = 20_000;

/**
 * Slows down guessing, and never shuts anybody out: every delay ends, those that strangers can cause are short, and
 * whoever is in already does not wait. Counted per instance; behind a proxy all callers come from one network.
 */
export class Throttle {
  readonly #parts: Parts;
  readonly #paces: readonly Pace[];
  readonly #failures = new Recent<string, Failures>(mostRemembered);
  readonly #throttled;

  constructor(parts: Parts) {
    const { loginFreeFailures: free, loginDelayMost } = parts.settings;
    this.#parts = parts;
    this.#paces = [
      { scope: 'pair', free, most: loginDelayMost * 1000 },
      // Many networks at one account, or one network at many accounts: slowed down, and nobody kept out by it.
      { scope: 'account', free: free * 10, most: Math.min(5_000, loginDelayMost * 1000) },
      { scope: 'network', free: free * 50, most: Math.min(2_000, loginDelayMost * 1000) },
    ];
    this.#throttled = parts.metrics.counter('portico_logins_throttled_total', 'Logins not looked at', 'scope');
    parts.metrics.gauge(
      'portico_login_failures',
      'Accounts and networks with failed logins',
      () => this.#failures.size,
    );
  }

  /** Milliseconds until an attempt at that account from that address is looked at; 0 is at once. */
  wait(account: string, address: string | undefined): number {
    if (this.#failures.size === 0) return 0;
    const now = this.#parts.clock.now();
    let longest = 0;
    for (const { scope } of this.#paces) {
      const wait = (this.#failures.get(keyOf(scope, account, address), now)?.until ?? 0) - now;
      if (wait > 0) this.#throttled(scope).add();
      longest = Math.max(longest, wait);
    }
    return longest;
  }

  settled(account: string, address: string | undefined, accepted: boolean): void {
    if (accepted) {
      if (this.#failures.size > 0) this.#failures.delete(keyOf('pair', account, address));
      return;
    }
    const now = this.#parts.clock.now();
    for (const { scope, free, most } of this.#paces) {
      const key = keyOf(scope, account, address);
      const count = (this.#failures.get(key, now)?.count ?? 0) + 1;
      const delay = count < free ? 0 : Math.min(most, firstDelay * 2 ** Math.min(count - free, 20));
      this.#failures.set(key, { count, until: now + delay }, now + Math.max(memory, delay));
      if (count === free)
        this.#parts.log.write('warn', 'login-slowed', { scope, account, from: address, failures: count });
    }
  }
}

function keyOf(scope: Pace['scope'], account: string, address: string | undefined): string {
  if (scope === 'network') return `n:${networkOf(address)}`;
  const name = folded(account);
  return scope === 'account' ? `a:${name}` : `p:${networkOf(address)}:${name}`;
}

/** A spelling that some realm may take for the same account counts as the same. */
const folded = (name: string): string => name.toWellFormed().normalize('NFKC').toLowerCase().trim().slice(0, 200);

/** Of version 6 the first 64 bits: whoever has one address of such a network has all of them. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::', 2);
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? front : [...front, ...Array(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
