import { describe, expect, it } from 'vitest';
import { scrypt } from '../../src/entry/crypto.ts';
import type { World } from '../support/matrix.ts';
import { byToken, type How } from '../support/ways.ts';
import { kinds, open } from './timing-failures.ts';

/** The least of many, taken in turn: what the machine does besides can only make one slower, so this cannot flake. */
async function leastTimes(world: World, hows: readonly How[], rounds: number): Promise<number[]> {
  const least = hows.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [index, how] of hows.entries()) {
      const started = performance.now();
      await world.send({ ...how, request: 'GET /API/whoami' });
      least[index] = Math.min(least[index]!, performance.now() - started);
    }
  }
  return least;
}

describe('timing', () => {
  it.each(kinds.slice(1))('of %s: no failure is told from another by the clock', async (_kind, failures) => {
    const world = await open();
    const least = await leastTimes(world, Object.values(await failures(world)), 200);
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(4);
  });

  it('is a net that would catch a missing hash', async () => {
    const world = await open({ realScrypt: scrypt, settings: { loginFreeFailures: 1000 } });
    const [withHash, without] = await leastTimes(world, [{ as: ['ghost', 'guess'] }, byToken('A'.repeat(43))], 3);
    expect(withHash! / without!).toBeGreaterThan(10);
  });
});
