import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';

/** Maximum milliseconds that a search waits for inherited metadata. */
const within = 10_000;

/**
 * Runs one step of inheritance at a time, for the worker and for searches, which wait for a running step. `caughtUp`
 * resolves when all changes made before the call are processed.
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
      // A running step may have started before the change. Its errors are reported by its own caller.
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
