import type { Clock } from './clock.ts';

/** Wakes whoever waits. A ring that comes while nobody does is heard by the next one. */
export interface Bell {
  ring(): void;
  heard(): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async heard() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
      wake = undefined;
    },
  };
}

/** Waits for a ring, and no longer than that. */
export async function heardWithin(bell: Bell, clock: Clock, milliseconds: number): Promise<void> {
  const enough = new AbortController();
  const late = clock.sleep(milliseconds, enough.signal).catch(() => undefined);
  await Promise.race([bell.heard(), late]);
  enough.abort();
}
