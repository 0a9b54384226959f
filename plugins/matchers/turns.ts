import type { Host } from '../../src/spi/index.ts';

const width = 2;
const depth = 64;
/** Milliseconds that a comparison may wait, less than the realm's time limit. */
const maxLength = 4_000;

/**
 * Runs at most two slow comparisons at once, and lets a bounded number wait. A burst of logins must neither pile up nor
 * take the event loop from the requests. Waits by its own clock: an edge forbids waiting for another request's promise.
 */
export function createTurns(host: Pick<Host, 'sleep' | 'now'>) {
  let running = 0;
  let waiting = 0;
  return async function inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (running >= width) {
      if (waiting >= depth) throw busy();
      const end = host.now() + maxLength;
      waiting++;
      try {
        while (running >= width) {
          if (host.now() >= end) throw busy();
          await host.sleep(5);
        }
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

/** The service answers 503: a wait in a queue is no verdict on a password. */
function busy(): Error {
  const error = new Error('Too many passwords are being compared: expected fewer logins at once');
  return Object.assign(error, { kind: 'busy' });
}
