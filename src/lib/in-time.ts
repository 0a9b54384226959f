import { type Clock, nobodyWaits } from './clock.ts';

/** What becomes of the work, or that error when it takes longer: a plugin that hangs holds nothing up. */
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
  }).finally(() => over.abort(nobodyWaits));
}
