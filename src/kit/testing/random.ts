import type { Random } from '../../core/lib/random.ts';

/** Deterministic bytes for a seed, equal on every runtime (splitmix32). Never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;

  function next(): number {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  }

  return {
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
  };
}
