import { expect, it } from 'vitest';
import { createCatchUp } from '../../../src/assets/search/index/inheritance-work.ts';

it('a fresh search looks again where the step that ran had begun before it', async () => {
  let resolve!: (more: boolean) => void;
  const promise = new Promise<boolean>((then) => {
    resolve = then;
  });
  const answers = [promise, Promise.resolve(true), Promise.resolve(false)];
  let steps = 0;
  const { step, caughtUp } = createCatchUp({ clock: { now: () => 0 }, step: () => answers[steps++]! });
  const worker = step();
  const search = caughtUp();
  expect(steps).toBe(1);
  resolve(false);
  await Promise.all([worker, search]);
  expect(steps).toBe(3);
});

it('a fresh search is refused after 10 seconds of changes without an end', async () => {
  let now = 0;
  const step = async () => {
    now += 1_000;
    return true;
  };
  const { caughtUp } = createCatchUp({ clock: { now: () => now }, step });
  await expect(caughtUp()).rejects.toMatchObject({ code: 'query-too-long', headers: { 'Retry-After': '5' } });
  expect(now).toBe(10_000);
});

it('a step that fails for the worker does not fail the search that waits for it', async () => {
  const answers = [Promise.reject(new Error('gone')), Promise.resolve(false)];
  const { step, caughtUp } = createCatchUp({ clock: { now: () => 0 }, step: () => answers.shift()! });
  const worker = step();
  await Promise.all([expect(worker).rejects.toThrow('gone'), caughtUp()]);
});
