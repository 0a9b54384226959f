import { type Clock, noLongerAwaited } from '../lib/clock.ts';
import { OutboundError } from './wire.ts';

/** Watches one exchange from its start to its end. Each step sets the time until the next one. */
export interface CallProgress {
  /** Aborts when the exchange fails; its reason is the `OutboundError`. */
  readonly signal: AbortSignal;
  /** Sets the time limit for the next event of the exchange. */
  within(milliseconds: number, expected: string): void;
  /** Waits for the work or for the failure of the exchange: a wire that ignores its signal holds no caller. */
  race<T>(work: Promise<T>): Promise<T>;
  fail(error: OutboundError): void;
  /** The exchange is over and has not failed. */
  end(): void;
}

export function watchProgress(
  clock: Clock,
  outer: AbortSignal | undefined,
  ended: (error: OutboundError | undefined) => void,
): CallProgress {
  const stop = new AbortController();
  let over = false;
  let nap = new AbortController();
  let [deadline, wakesAt, expected] = [0, Number.POSITIVE_INFINITY, ''];
  let milliseconds = 0;

  const leave = () => fail(new OutboundError('aborted', 'Expected the caller to wait for the answer', outer?.reason));

  function close(error: OutboundError | undefined): void {
    over = true;
    nap.abort(noLongerAwaited);
    outer?.removeEventListener('abort', leave);
    ended(error);
  }

  function fail(error: OutboundError): void {
    if (over) return;
    close(error);
    stop.abort(error);
  }

  /** Uses one timer for many steps: extending the deadline wakes no sleeper. */
  function watch(): void {
    wakesAt = deadline;
    clock.sleep(deadline - clock.now(), nap.signal).then(
      () => {
        if (over) return;
        if (clock.now() < deadline) watch();
        else fail(new OutboundError('timeout', `Expected ${expected} within ${milliseconds} ms`));
      },
      () => undefined,
    );
  }

  if (outer?.aborted) leave();
  else outer?.addEventListener('abort', leave);

  return {
    signal: stop.signal,
    within(time, what) {
      if (over) return;
      [milliseconds, expected, deadline] = [time, what, clock.now() + time];
      if (deadline >= wakesAt) return;
      nap.abort(noLongerAwaited);
      nap = new AbortController();
      watch();
    },
    race: (work) =>
      new Promise((resolve, reject) => {
        const failed = () => reject(stop.signal.reason);
        if (stop.signal.aborted) failed();
        stop.signal.addEventListener('abort', failed, { once: true });
        work.then(resolve, reject).finally(() => stop.signal.removeEventListener('abort', failed));
      }),
    fail,
    end() {
      if (!over) close(undefined);
    },
  };
}
