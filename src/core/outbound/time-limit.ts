import { type Clock, noLongerAwaited } from '../lib/clock.ts';
import { OutboundError } from './error.ts';

/**
 * Gives the work a signal that aborts it after the time limit, or with the caller. Returns even if a wire ignores its
 * signal.
 */
export function withTimeLimit<T>(
  clock: Clock,
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const over = new AbortController();
  const leave = () => end(new OutboundError('aborted', 'Expected the caller to wait for the answer', outer?.reason));
  let reject: (error: OutboundError) => void;
  const end = (error: OutboundError) => {
    reject(error);
    stop.abort(error);
  };
  return new Promise<T>((resolve, rejected) => {
    reject = rejected;
    if (outer?.aborted) return leave();
    outer?.addEventListener('abort', leave);
    clock.sleep(milliseconds, over.signal).then(
      () => end(new OutboundError('timeout', `Expected an answer within ${milliseconds} ms`)),
      // The clock is let go of when the work is done.
      () => undefined,
    );
    work(stop.signal).then(resolve, reject);
  }).finally(() => {
    outer?.removeEventListener('abort', leave);
    over.abort(noLongerAwaited);
  });
}
