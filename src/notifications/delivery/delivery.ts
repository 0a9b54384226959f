import { describeError } from '../../lib/log.ts';
import { createWaker } from '../../lib/waker.ts';
import { type TickParts, tick } from './tick.ts';

export interface DeliveryParts extends TickParts {
  /** A piece of what else goes on beside requests. Gives the milliseconds until the next one is due. */
  housekeep(): Promise<number>;
  /** Milliseconds that calls have to end by themselves when the service stops. */
  readonly grace: number;
}

export function createDelivery(parts: DeliveryParts) {
  const { clock, poll, grace } = parts;
  const stopping = new AbortController();
  const stopped = new AbortController();
  const waker = createWaker(clock);
  const active = new Set<Promise<unknown>>();
  const signals = { stopping: stopping.signal, stopped: stopped.signal };

  function following<T>(work: Promise<T>): Promise<T> {
    active.add(work);
    return work.finally(() => active.delete(work));
  }

  async function keepHouse(): Promise<number> {
    try {
      return await parts.housekeep();
    } catch (error) {
      parts.log.write('warn', 'housekeeping-halted', describeError(error));
      return poll;
    }
  }

  async function keepHouseFor(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pause = await keepHouse();
      // What it put into the outbox is no event of a commit.
      waker.wake();
      await waker.wait(waker.turn, Math.min(pause, poll), signal);
    }
  }

  async function run(): Promise<void> {
    const house = keepHouseFor(stopping.signal);
    while (!stopping.signal.aborted) {
      const { turn } = waker;
      const next = await tick(parts, { ...signals, end: Number.POSITIVE_INFINITY, waker });
      const now = clock.now();
      await waker.wait(turn, Math.min(next ?? now + poll, now + poll) - now, stopping.signal);
    }
    await house;
  }

  function stop(): void {
    stopping.abort();
    waker.wake();
  }

  return {
    /** Does what is due for so many milliseconds, and says when to come back: for whoever has no loop. */
    async tick(budget = Number.POSITIVE_INFINITY): Promise<number | undefined> {
      const end = clock.now() + budget;
      await following(keepHouse());
      return following(tick(parts, { ...signals, end, waker: createWaker(clock) }));
    },

    /** Delivers until the service stops. */
    run: (): Promise<void> => following(run()),

    /** There may be something new. */
    wake: (): void => waker.wake(),

    /** Claims nothing more and begins no call. */
    stop,

    /** The same; lets the calls end that are made, and gives every lane back. */
    async close(): Promise<void> {
      stop();
      const enough = new AbortController();
      const late = clock.sleep(grace, enough.signal).then(
        () => stopped.abort(new Error('The service stops')),
        () => undefined,
      );
      await Promise.allSettled(active);
      enough.abort();
      await late;
    },
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
