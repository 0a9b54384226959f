import { expect, it } from 'vitest';
import { createWaker } from '../../../src/core/lib/clock.ts';
import { settle, testClock } from '../../support/clock.ts';

async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await settle();
  return done;
}

it('wakes all who wait, at once', async () => {
  const waker = createWaker(testClock());
  const all = [waker.wait(waker.turn, 1000), waker.wait(waker.turn, 1000)];
  expect(await settled(Promise.race(all))).toBe(false);
  waker.wake();
  expect(await settled(Promise.all(all))).toBe(true);
});

it('does not let anybody sleep through what happened while they looked', async () => {
  const waker = createWaker(testClock());
  const { turn } = waker;
  waker.wake();
  expect(await settled(waker.wait(turn, 1000))).toBe(true);
  expect(await settled(waker.wait(waker.turn, 1000))).toBe(false);
});

it('wakes when the time is over, and when somebody gives up', async () => {
  const clock = testClock();
  const waker = createWaker(clock);
  const late = waker.wait(waker.turn, 1000);
  await clock.advance(1000);
  expect(await settled(late)).toBe(true);
  const over = new AbortController();
  const given = waker.wait(waker.turn, 1000, over.signal);
  over.abort();
  expect(await settled(given)).toBe(true);
  expect(await settled(waker.wait(waker.turn, 1000, over.signal))).toBe(true);
  expect(clock.sleepers).toBe(0);
});
