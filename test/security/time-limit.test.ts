import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/security/time-limit.ts';
import { settle, testClock } from '../support/clock.ts';

const hangs = () => new Promise<never>(() => undefined);

describe('the time limit of a realm', () => {
  it('ends work that hangs, tells its signal, and lets go of the clock', async () => {
    const clock = testClock();
    const deadline = new Deadline(clock, 1_000, 'the realm people');
    const { signal } = deadline;
    const failed = expect(deadline.hold(hangs())).rejects.toThrow(
      'Expected an answer of the realm people within 1000 ms (setting realmTimeout)',
    );
    await clock.advance(1_000);
    await failed;
    expect([signal.aborted, clock.sleepers]).toEqual([true, 0]);
    expect(await new Deadline(clock, 1_000, 'the realm people').hold(Promise.resolve('in time'))).toBe('in time');
    expect(clock.sleepers).toBe(0);
  });

  it.each([
    ['one pause', [[200, 5_000]], 6_000],
    [
      'two pauses',
      [
        [200, 700],
        [100, 2_000],
      ],
      3_700,
    ],
    ['a pause that goes on when the time is up', [[900, 1_500]], 2_500],
  ] as const)('does not run during %s', async (_what, pauses, end) => {
    const clock = testClock();
    const deadline = new Deadline(clock, 1_000, 'the realm people');
    const begun = clock.now();
    let ended = 0;
    void (deadline.hold(hangs()) as Promise<never>).catch(() => (ended = clock.now() - begun));
    for (const [before, long] of pauses) {
      await clock.advance(before);
      deadline.pause();
      deadline.pause();
      await clock.advance(long);
      deadline.resume();
      deadline.resume();
      await settle();
    }
    await clock.advance(10_000);
    expect(ended).toBe(end);
  });
});
