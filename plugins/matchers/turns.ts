import type { Host } from '../../src/spi/index.ts';

const width = 2;
const depth = 64;

/**
 * At most two slow comparisons at once and a bounded number that wait: a burst of logins must neither pile up nor
 * take the event loop from the requests. Waits by its own clock: an edge forbids waiting for another request's promise.
 */
export function createTurns(host: Pick<Host, 'sleep'>) {
  let running = 0;
  let waiting = 0;
  return async function inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (running >= width) {
      if (waiting >= depth) throw new Error('Too many passwords are being compared: expected fewer logins at once');
      waiting++;
      try {
        while (running >= width) await host.sleep(5);
      } finally {
        waiting--;
      }
    }
    running++;
    try {
      return await task();
    } finally {
      running--;
    }
  };
}
