import type { TestHost } from './host.ts';
import { broken } from './result.ts';

const realPause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits for the work while the time of the host moves on, much faster than real time. So code that waits for its own
 * timeout, or for a slow answer, reaches it. The clock stands still at first, and while the host computes.
 */
export async function ended<T>(work: Promise<T>, host: TestHost, { moving = true } = {}): Promise<T> {
  let done = false;
  const settled = () => {
    done = true;
  };
  work.then(settled, settled);
  const start = Date.now();
  // Immediate results arrive in these ticks, most of them without a timer.
  for (let turn = 0; turn < 20 && !done; turn++) await undefined;
  for (let turn = 0; turn < 5 && !done; turn++) await realPause(0);
  for (let turns = 0; !done; turns++) {
    const waited = Date.now() - start;
    // Turns count as well: on a busy machine time passes without a chance to answer.
    if (waited > host.patience && turns > host.patience / 10) broken('an end', `none within ${host.patience} ms`);
    await realPause(3);
    if (moving && waited > 10 && host.busy === 0 && host.clock.sleepers > 0) await host.clock.advance(500);
  }
  return work;
}
