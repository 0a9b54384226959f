import { expect } from 'vitest';
import type { CallKind, Stop } from './process.ts';

/** For all points of a plot: against a play that never ends, and not against a slow machine. */
export const patience = 1_800_000;

/** `npm run test:crash` stops at every point. Otherwise one of so many is taken, another one in each plot. */
const every = process.env['PORTICO_CRASH_POINTS'] === 'every';
const defaultValue = 72;

/** Behind each call that leaves something. To stop before the next one, or at a look in between, is the same. */
const pointsOf = (calls: readonly CallKind[]): readonly Stop[] =>
  calls.flatMap((kind, index) =>
    kind === 'read' || kind === 'look' ? [] : [{ call: index + 1, when: 'after' as const }],
  );

/**
 * Plays once for each point at which the process may stop. `plot`: the number of the plot. `stride`: for plots whose
 * plays are long.
 */
export async function stopAtPoints(
  plot: number,
  calls: readonly CallKind[],
  play: (stop: Stop) => Promise<{ readonly stopped: boolean }>,
  stride = defaultValue,
): Promise<void> {
  const all = pointsOf(calls);
  const step = Math.min(every ? 1 : stride, all.length);
  const points = all.filter((_, index) => index % step === plot % step);
  expect(points.length).toBeGreaterThan(0);
  for (const stop of points) {
    const { call, when } = stop;
    const where = `stopped ${when} call ${call} of ${calls.length}, a ${calls[call - 1]}`;
    try {
      expect((await play(stop)).stopped, where).toBe(true);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    }
  }
}
