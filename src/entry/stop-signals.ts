import process from 'node:process';
import { describeError } from '../core/lib/log.ts';
import type { Running } from './start-server.ts';

/**
 * Ends the process as a kill does, which loses no commit. `process.exit` would wait for threads, and a thread of the
 * database sees no interrupt before the operation that it is in has ended.
 */
const endNow = () => process.kill(process.pid, 'SIGKILL');

/** Milliseconds within which signals count as one: a terminal and npm may both pass on what a person pressed once. */
const together = 500;
/** Milliseconds between two looks at the parent. */
const looksAtParent = 250;

interface Told {
  /** Resolves when the process is to stop. */
  readonly ended: Promise<void>;
  /** Tells the process to stop, as a first signal does. */
  tell(by: string): void;
}

/** Calls `gone` once when the process that started this one has ended. The timer keeps no process alive. */
function watchParent(gone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, looksAtParent);
  timer.unref();
}

/** Waits for the first signal to stop. A later signal does not wait. `seconds`: limit of the stop. */
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
  // npm passes a signal to its shell, and many shells end without a word to the server.
  if (process.env['npm_lifecycle_event'] === 'start') watchParent(() => tell('end of npm'));
  let firstAt: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Same listener for both signals: on Deno, a listener added while handling a signal is called for that signal.
    process.on(signal, () => {
      const now = performance.now();
      firstAt ??= now;
      if (now - firstAt > together) endNow();
      tell(signal);
    });
  }
  return { ended, tell };
}
