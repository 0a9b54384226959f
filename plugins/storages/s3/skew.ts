import type { Host } from '../../../src/spi/index.ts';

/** Milliseconds that stores let clocks differ are 15 minutes. From here on a refusal may be for that. */
const tolerated = 5 * 60_000;
/** Limit of the clock correction: a signature for another day could be kept for misuse. */
const most = 24 * 3_600_000;

/** The time of the store, once a refusal has told that it is another one than here. */
export function createClock({ now }: Pick<Host, 'now'>) {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    /** True: the clock has been set, and the refusal of a request from that moment may have been for it. */
    setBy(date: string | null, signedAt: number): boolean {
      const told = Date.parse(date ?? '');
      const off = told - now();
      if (!(Math.abs(told - signedAt) > tolerated && Math.abs(off) < most)) return false;
      ahead = off;
      return true;
    },
  };
}
