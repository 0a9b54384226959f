import { type Clock, noLongerAwaited } from './clock.ts';

/** Result of the work, or the error of `late` after the time limit: a hanging plugin blocks nothing. */
export function inTime<T>(
  work: Promise<T>,
  clock: Pick<Clock, 'sleep'>,
  milliseconds: number,
  late: () => Error,
): Promise<T> {
  const over = new AbortController();
  return new Promise<T>((resolve, reject) => {
    clock.sleep(milliseconds, over.signal).then(
      () => reject(late()),
      // The clock is let go of when the work is done.
      () => undefined,
    );
    work.then(resolve, reject);
  }).finally(() => over.abort(noLongerAwaited));
}
