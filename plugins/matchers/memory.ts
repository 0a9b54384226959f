import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Host } from '../../src/spi/index.ts';
import { joined, utf8 } from './same.ts';

const entries = 1000;

/**
 * Remembers a match for a short time, under a key that only this object has. Every request carries a password, and a
 * slow comparison for each would stop the service. A changed stored text is another entry.
 */
export function createMemory(host: Pick<Host, 'now' | 'randomBytes'>, milliseconds: number) {
  const key = host.randomBytes(32);
  const until = new Map<string, number>();

  return {
    entryOf: (...parts: readonly string[]): string => bytesToHex(sha256(joined(key, utf8(JSON.stringify(parts))))),

    has: (entry: string): boolean => (until.get(entry) ?? 0) > host.now(),

    keep(entry: string): void {
      if (milliseconds <= 0) return;
      until.delete(entry);
      // The oldest goes first: a map keeps the order in which entries came.
      if (until.size >= entries) until.delete(until.keys().next().value!);
      until.set(entry, host.now() + milliseconds);
    },
  };
}
