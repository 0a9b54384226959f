import process from 'node:process';
import { describeError } from '../lib/log.ts';
import type { Running } from './serve.ts';

/**
 * Ends the process as a kill does, which loses no commit. `process.exit` would wait for threads, and a thread of the
 * database sees no interrupt before the operation that it is in has ended.
 */
const endNow = () => process.kill(process.pid, 'SIGKILL');

interface Told {
  /** Resolves when the process is to stop. */
  readonly ended: Promise<void>;
  /** Tells the process to stop, as a first signal does. */
  tell(by: string): void;
}

/** Waits for the first signal to stop. A second signal does not wait. `seconds`: limit of the stop. */
export function untilTold({ service: { log }, reload, flush }: Running, seconds: number): Told {
  // The state is unknown now: log the error and end, so that the supervisor starts a clean process.
  process.on('uncaughtException', (error) => {
    log.write('error', 'uncaught', describeError(error));
    process.exit(1);
  });
  process.on('SIGHUP', () => void reload());
  let end: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isTold = false;
  function tell(by: string): void {
    if (isTold) return;
    isTold = true;
    log.write('info', 'stopping', { signal: by });
    // Last resort: pieces that still run ignore the stop. The timer does not keep a process alive that ends by itself.
    setTimeout(() => {
      log.write('error', 'stopped-late', { seconds });
      flush();
      endNow();
    }, seconds * 1000).unref();
    end();
  }
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Same listener for both signals: on Deno, a listener added while handling a signal is called for that signal.
    process.on(signal, () => {
      if (++signals > 1) endNow();
      tell(signal);
    });
  }
  return { ended, tell };
}
