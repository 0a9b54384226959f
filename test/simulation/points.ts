import { expect } from 'vitest';
import { type Fail, failuresOf } from './failures.ts';
import { type CallKind, isFail, type Point, type Stop } from './process.ts';

/** For all points of a plot: against a play that never ends, and not against a slow machine. */
export const patience = 1_800_000;

/** `npm run test:crash` stops at every point. Otherwise one of so many is taken, another one in each plot. */
const every = process.env['PORTICO_CRASH_POINTS'] === 'every';
const defaultValue = 72;
/** There are ten times as many failures. */
const defaultFails = 701;

const leavesNothing: readonly CallKind[] = ['read', 'look', 'bytes'];

/** Behind each call that leaves something. To stop before the next one, or at a look in between, is the same. */
const pointsOf = (calls: readonly CallKind[]): readonly Stop[] =>
  calls.flatMap((kind, index) => (leavesNothing.includes(kind) ? [] : [{ call: index + 1, when: 'after' as const }]));

/** Each failure of each call. */
const failsOf = (calls: readonly CallKind[]): readonly Fail[] =>
  calls.flatMap((kind, index) => failuresOf[kind].map((how) => ({ call: index + 1, how })));

interface Reached {
  readonly stopped: boolean;
  readonly failed: boolean;
}

type Play = (point: Point) => Promise<Reached>;

/**
 * Plays once for each point at which the process may stop. `plot`: the number of the plot. `stride`: for plots whose
 * plays are long.
 */
export const stopAtPoints = (
  plot: number,
  calls: readonly CallKind[],
  play: (stop: Stop) => Promise<Reached>,
  stride = defaultValue,
): Promise<void> => playAt(plot, calls, pointsOf(calls), play as Play, stride);

/** Plays once for each failure that each call may meet. The process goes on. */
export const failAtPoints = (
  plot: number,
  calls: readonly CallKind[],
  play: Play,
  stride = defaultFails,
): Promise<void> => playAt(plot, calls, failsOf(calls), play, stride);

async function playAt(
  plot: number,
  calls: readonly CallKind[],
  all: readonly Point[],
  play: Play,
  stride: number,
): Promise<void> {
  const step = Math.min(every ? 1 : stride, all.length);
  const points = all.filter((_, index) => index % step === plot % step);
  expect(points.length).toBeGreaterThan(0);
  for (const point of points) {
    const what = isFail(point) ? point.how : `stopped ${point.when}`;
    const where = `${what} at call ${point.call} of ${calls.length}, a ${calls[point.call - 1]}`;
    try {
      const { stopped, failed } = await play(point);
      expect(stopped || failed, where).toBe(true);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    }
  }
}
