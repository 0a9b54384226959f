import type { Host } from '../spi/index.ts';

/**
 * Gives the work a signal that ends with the caller's signal, or when the time is up. It waits no longer: work that
 * ignores its signal must not hold a login.
 */
export async function withinTime<T>(
  host: Pick<Host, 'sleep'>,
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const [inner, done] = [new AbortController(), new AbortController()];
  const stop = (error: unknown) => inner.abort(error);
  const cancel = () => stop(outer.reason);
  outer.addEventListener('abort', cancel, { once: true });
  const late = host
    .sleep(milliseconds, done.signal)
    .then(() => stop(new Error(`Expected an answer within ${milliseconds} ms`)));
  // Aborted when the work is done. Its rejection is expected and ignored.
  late.catch(() => undefined);
  const stopped = new Promise<never>((_resolve, reject) =>
    inner.signal.addEventListener('abort', () => reject(inner.signal.reason), { once: true }),
  );
  const running = work(inner.signal);
  running.catch(() => undefined);
  try {
    return await Promise.race([running, stopped]);
  } finally {
    stopped.catch(() => undefined);
    done.abort();
    outer.removeEventListener('abort', cancel);
  }
}
