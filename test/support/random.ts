import { onTestFailed } from 'vitest';
import type { Random } from '../../src/core/lib/random.ts';

/** Seed of this run: given to repeat one, made up otherwise. */
export const seedOfRun = Number(process.env['PORTICO_TEST_SEED'] ?? Date.now() % 0x7fffffff);

/** A whole number from 0 up to, not including, `below`. */
export type Dice = (below: number) => number;

/** mulberry32: the same numbers for the same seed on every machine. */
export function dice(seed: number): Dice {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function testRandom(seed = seedOfRun): Random {
  const roll = dice(seed);
  return { bytes: (length) => Uint8Array.from({ length }, () => roll(256)) };
}

/** For use inside a test: a failure says how to repeat it. */
export function tellSeed(seed = seedOfRun): void {
  onTestFailed(() => {
    process.stderr.write(`Repeat with PORTICO_TEST_SEED=${seed}\n`);
  });
}
