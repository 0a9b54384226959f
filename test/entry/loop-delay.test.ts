import { expect, it, onTestFinished } from 'vitest';
import { watchLoop } from '../../src/entry/start-server.ts';

/** A clock of the test: the real timer never fires, because the test does not give the loop back. */
function watched() {
  let time = 0;
  const watch = watchLoop(() => time);
  onTestFinished(() => watch.stop());
  return {
    watch,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

it('tells the longest turn since the last read, also one that has just ended', () => {
  const { watch, pass } = watched();
  pass(210);
  expect(watch.longest()).toBeCloseTo(0.2);
  pass(5);
  expect(watch.longest()).toBe(0);
});

it('sees a turn that kept the loop busy', async () => {
  const watch = watchLoop();
  onTestFinished(() => watch.stop());
  watch.longest();
  const end = performance.now() + 80;
  while (performance.now() < end);
  await new Promise((resolve) => setImmediate(resolve));
  expect(watch.longest()).toBeGreaterThan(0.06);
});
