import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Milliseconds that a search waits for what items inherit. */
const within = 10_000;

/**
 * Runs one step of inheritance at a time, for the worker and for searches. Others wait for the running step.
 * `caughtUp` ends when nothing is left of what had changed when it was called.
 */
export function createCatchUp({ clock, step }: { readonly clock: Pick<Clock, 'now'>; step(): Promise<boolean> }) {
  let running: Promise<boolean> | undefined;

  function next(): Promise<boolean> {
    running ??= step().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    step: next,
    async caughtUp(): Promise<void> {
      const end = clock.now() + within;
      // A step that runs already may have looked before the change. What it fails with is its caller's to tell.
      await running?.catch(() => undefined);
      while (await next()) if (clock.now() >= end) throw tooLate();
    },
  };
}
export type CatchUp = ReturnType<typeof createCatchUp>;

const tooLate = () =>
  new ServiceError(
    'query-too-long',
    { context: 'fresh', explanation: `Expected inherited values to be in the index within ${within / 1000} seconds` },
    { 'Retry-After': '5' },
  );
