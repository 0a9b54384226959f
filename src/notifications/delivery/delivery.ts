import { createBell, heardWithin } from '../../lib/bell.ts';
import { type TickParts, tick } from './tick.ts';

export interface DeliveryParts extends TickParts {
  /** Milliseconds that calls have to end by themselves when the service stops. */
  readonly grace: number;
}

export function createDelivery(parts: DeliveryParts) {
  const { clock, poll, grace } = parts;
  const stopping = new AbortController();
  const stopped = new AbortController();
  const bell = createBell();
  const active = new Set<Promise<unknown>>();
  const signals = { stopping: stopping.signal, stopped: stopped.signal };

  function following<T>(work: Promise<T>): Promise<T> {
    active.add(work);
    return work.finally(() => active.delete(work));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await tick(parts, { ...signals, end: Number.POSITIVE_INFINITY, bell });
      const now = clock.now();
      if (!stopping.signal.aborted) await heardWithin(bell, clock, Math.min(next ?? now + poll, now + poll) - now);
    }
  }

  return {
    /** Delivers what is due for so many milliseconds, and says when to come back: for whoever has no loop. */
    tick: (budget = Number.POSITIVE_INFINITY): Promise<number | undefined> =>
      following(tick(parts, { ...signals, end: clock.now() + budget })),

    /** Delivers until the service stops. */
    run: (): Promise<void> => following(run()),

    /** There may be something new. */
    wake: (): void => bell.ring(),

    /** Claims nothing more, lets the calls end that are made, and gives every lane back. */
    async close(): Promise<void> {
      stopping.abort();
      bell.ring();
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
