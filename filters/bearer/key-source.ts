import type { Maybe } from '../../src/kit/index.ts';
import type { Host } from '../../src/spi/index.ts';
import type { VerificationKey } from './verification-key.ts';

/** The keys that count until there are others. Another set is another object: what the old one verified is verified again. */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
  /** Issuer that the discovery document names. */
  readonly issuer?: string | undefined;
}

export interface KeySource {
  keys(): Maybe<KeySet>;
  /** Newer keys for a token that none of these has signed. Undefined: there are none. */
  othersThan(set: KeySet): Promise<KeySet | undefined> | undefined;
}

export function fixedKeys(keys: readonly VerificationKey[]): KeySource {
  const set = { keys };
  return { keys: () => set, othersThan: () => undefined };
}

interface Download {
  readonly host: Host;
  /** Milliseconds between downloads. */
  readonly interval: number;
  fetchKeys(): Promise<KeySet>;
}

/** Minimal milliseconds between downloads, even for tokens with unknown keys. */
const coolDown = 30_000;

/**
 * Keys that the filter downloads when a token needs them, and again when they are older than the interval. Requests go
 * on with the last good set meanwhile. Only the first waits, and a request after two intervals without a look.
 */
export function downloadedKeys({ host, interval, fetchKeys }: Download): KeySource {
  const pause = Math.min(coolDown, interval);
  let set: KeySet = { keys: [] };
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let flight: Promise<void> | undefined;
  let turn = 0;
  let landed = 0;

  async function download(mine: number): Promise<void> {
    try {
      const downloaded = await fetchKeys();
      // Drops keys of a slower, earlier request: a later one has replaced them.
      if (mine < landed) return;
      landed = mine;
      fetchedAt = host.now();
      if (textOf(downloaded) !== textOf(set)) set = downloaded;
    } catch (error) {
      failedAt = host.now();
      host.log('warn', 'keys-not-downloaded', { problem: (error as Error).message, kept: set.keys.length });
    }
  }

  function load(): Promise<void> {
    if (flight) return flight;
    triedAt = host.now();
    const own = download(++turn).finally(() => {
      if (flight === own) flight = undefined;
    });
    if (host.sharesWork) flight = own;
    return own;
  }

  function keys(): Maybe<KeySet> {
    const now = host.now();
    if (set.keys.length === 0) return now - failedAt < pause ? set : load().then(() => set);
    if (now - fetchedAt < interval || now - triedAt < pause) return set;
    const unattended = now - triedAt >= 2 * interval;
    const loading = load();
    return unattended || !host.sharesWork ? loading.then(() => set) : set;
  }

  function othersThan(tried: KeySet): Promise<KeySet | undefined> | undefined {
    if (set === tried && !flight && host.now() - triedAt < coolDown) return undefined;
    const ready = set === tried ? load() : Promise.resolve();
    return ready.then(() => (set === tried ? undefined : set));
  }

  return { keys, othersThan };
}

const textOf = ({ keys, issuer }: KeySet): string =>
  JSON.stringify([issuer, keys.map(({ text, validity }) => [text, validity])]);
