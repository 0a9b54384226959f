import { brokenBy, type Measured, type Promised } from './promises.ts';

export interface Judged {
  readonly measured: readonly Measured[];
  /** Broken promises, each with what the last time showed. */
  readonly broken: readonly { readonly promise: Promised; readonly shows: string }[];
}

const maxTimes = 3;

/**
 * Neighbours share the cores, and take time away from a server that keeps its promises. So a promise about time is
 * broken when it is broken each time. Every other promise is broken when it is broken once.
 */
export async function judge(measureOnce: () => Promise<Measured>): Promise<Judged> {
  const measured: Measured[] = [];
  let late: readonly Promised[] = [];
  for (let time = 0; time < maxTimes; time++) {
    const now = await measureOnce();
    measured.push(now);
    const broken = brokenBy(now);
    const lasting = broken.filter(({ aboutTime }) => !aboutTime);
    late = broken.filter((promise) => promise.aboutTime && (time === 0 || late.includes(promise)));
    if (lasting.length > 0 || late.length === 0) {
      return { measured, broken: [...lasting, ...late].map((promise) => ({ promise, shows: promise.shows(now) })) };
    }
  }
  const last = measured.at(-1)!;
  return { measured, broken: late.map((promise) => ({ promise, shows: promise.shows(last) })) };
}
