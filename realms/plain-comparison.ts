import { sha256 } from '@noble/hashes/sha2.js';
import type { CredentialsMatcher } from '../src/spi/index.ts';

const encoder = new TextEncoder();

/** Plain stored passwords. Through digests, so that the time tells neither where a difference is nor how long the text. */
export const plainComparison: CredentialsMatcher = {
  matches(given, stored) {
    const [a, b] = [given.reveal(), stored.reveal()].map((text) => sha256(encoder.encode(text))) as [
      Uint8Array,
      Uint8Array,
    ];
    let difference = 0;
    for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
    return difference === 0;
  },
};
