import { parseAddress } from '../src/kit/index.ts';
import type { Component, Filter, FilterRequest, Property, PropertyTable } from '../src/spi/index.ts';
import { enabledProperty, pass, refuse, switched } from './answers.ts';
import { decodeBasic } from './basic.ts';

interface Window {
  count: number;
  until: number;
}

/** Number of the oldest entries that are candidates for eviction. */
const candidates = 8;

/**
 * Counts by key, in windows that begin with a key's first request. Memory is bounded. Of the entries without recent use
 * the one with the smallest count goes, so a flood of other names does not remove a busy key.
 */
export class Counters {
  readonly #windows = new Map<string, Window>();
  readonly #limit: number;
  readonly #length: number;
  readonly #max: number;

  constructor(limit: number, length: number, max: number) {
    this.#limit = limit;
    this.#length = length;
    this.#max = max;
  }

  /** Counts one request. Gives the milliseconds to wait if it is one too many, else 0. */
  take(key: string, now: number): number {
    const openWindow = this.#windows.get(key);
    this.#windows.delete(key);
    const window = openWindow && this.#isOpen(openWindow, now) ? openWindow : { count: 0, until: now + this.#length };
    const isOver = window.count >= this.#limit;
    if (!isOver) window.count++;
    if (this.#windows.size >= this.#max) this.#dropOne(now);
    this.#windows.set(key, window);
    return isOver ? window.until - now : 0;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** If the clock was set back, callers still wait at most one window. */
  #isOpen(window: Window, now: number): boolean {
    return now < window.until && window.until - now <= this.#length;
  }

  #dropOne(now: number): void {
    let least: { key: string; count: number } | undefined;
    let looked = 0;
    for (const [key, window] of this.#windows) {
      const count = this.#isOpen(window, now) ? window.count : 0;
      if (!least || count < least.count) least = { key, count };
      if (++looked === candidates || count === 0) break;
    }
    if (least) this.#windows.delete(least.key);
  }
}

interface RateLimitProperties {
  readonly requests?: number | undefined;
  readonly window?: number | undefined;
  readonly by?: 'address' | 'account' | 'both' | undefined;
  readonly remembered?: number | undefined;
  readonly enabled?: boolean | undefined;
}

const atLeastOne = (value: number) => (value >= 1 ? undefined : 'Expected at least 1');
const positive = (type: Property['type'], fallback: number, says: string): Property => ({
  type,
  fallback,
  says,
  check: atLeastOne,
});

const properties: PropertyTable = {
  requests: positive('integer', 600, 'How many requests each may make in a window.'),
  window: positive('duration', 60_000, 'How long a window is. It begins with the first request.'),
  by: {
    type: { choice: ['address', 'account', 'both'] },
    fallback: 'both',
    says: "What is counted: the caller's address (IPv6: its /64 network), the user named in a basic header, or both.",
  },
  remembered: positive('integer', 10_000, 'How many addresses, and how many accounts, are counted at a time.'),
  enabled: enabledProperty,
};

/**
 * Stands before the filters that log in, and counts attempts whatever comes of them. Counted per instance.
 * Looks at no header but the one that logs in: what a trusted proxy tells is the address by now.
 */
export const rateLimit: Component<Filter> = {
  says: 'Refuses requests with 429 that come too often from one address or for one account.',
  properties,
  create({ requests = 600, window = 60_000, by = 'both', remembered = 10_000, enabled }: RateLimitProperties, host) {
    const addresses = by === 'account' ? undefined : new Counters(requests, window, remembered);
    const accounts = by === 'address' ? undefined : new Counters(requests, window, remembered);
    const tooMany = (reason: string, wait: number) =>
      refuse(reason, 429, { 'retry-after': String(Math.ceil(wait / 1000)) });
    const filter: Filter = {
      check(request) {
        const now = host.now();
        // First: who is over the limit for an address does not use up what an account has left.
        const forAddress = addresses?.take(addressKey(request.address), now);
        if (forAddress) return tooMany('rate-limit-address', forAddress);
        const account = accounts && accountKey(request);
        const forAccount = account === undefined ? 0 : accounts?.take(account, now);
        return forAccount ? tooMany('rate-limit-account', forAccount) : pass;
      },
    };
    return switched(filter, enabled, host);
  },
};

/** Key of an address. For IPv6 the network of 64 bits, since one household has all its addresses. */
function addressKey(text: string | undefined): string {
  const address = parseAddress(text ?? '');
  // Callers without a known address share one count: closed, not open.
  return address ? address.slice(0, 8).join('.') : 'unknown';
}

/** Cut last: padding that a directory overlooks must not push the name out. */
const maxNameLength = 200;

/**
 * Account key for any scheme, since its name is configurable: credentials with a user name are an attempt at that user.
 */
function accountKey({ headers }: Pick<FilterRequest, 'headers'>): string | undefined {
  const header = headers.get('authorization');
  const blank = header?.indexOf(' ') ?? -1;
  const pair = header === null || blank < 0 ? undefined : decodeBasic(header.slice(blank + 1));
  return pair && foldName(pair.user);
}

/** Some directories take `Admin`, `ａｄｍｉｎ` and ` admin ` for admin, so for the count all of them are one. */
function foldName(name: string): string {
  return name
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxNameLength);
}
