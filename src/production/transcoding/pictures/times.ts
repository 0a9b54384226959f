import { instantOf } from '../../../core/lib/time-code.ts';
import { badParameter } from '../../../http/parameters/index.ts';

/** A time of a picture, as it is written and in microseconds from the start. */
export interface PictureTime {
  readonly text: string;
  readonly instant: number;
}

const million = 1_000_000n;

/** `0`, `250@PAL`, `7@30000:1001`. Undefined: it is no time at or behind the start. */
export function pictureTime(text: string): PictureTime | undefined {
  const fraction = text.length > 60 ? undefined : instantOf(text)?.fraction;
  if (fraction === undefined || fraction.numerator < 0n) return undefined;
  const instant = (fraction.numerator * million) / fraction.denominator;
  return instant > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : { text, instant: Number(instant) };
}

export function timeIn(name: string, text: string): PictureTime {
  const time = pictureTime(text);
  if (time) return time;
  throw badParameter(name, 'Expected a time code such as 10.5, 250@PAL or 300@30000:1001', text.slice(0, 60));
}

/** Stills of one job. A shorter period gives as many at longer distances. */
export const maxStills = 500;

/** Default period in microseconds. A short film would have one picture, which is no strip along its time. */
const defaultPeriod = (length: number): number => (length < 20_000_000 ? 2_000_000 : 10_000_000);

/** Equidistant times from the start to the end. Without a length only the start. */
export function regularTimes(seconds: number | undefined, period: PictureTime | undefined): readonly PictureTime[] {
  const length = Math.round((seconds ?? 0) * 1_000_000);
  const wanted = Math.max(period?.instant ?? defaultPeriod(length), 1_000);
  const step = Math.max(wanted, Math.ceil(length / maxStills));
  const count = Math.max(1, Math.ceil(length / step));
  return Array.from({ length: count }, (_, at) => {
    const milliseconds = Math.floor((at * step) / 1_000);
    return { text: `${milliseconds}@1000`, instant: milliseconds * 1_000 };
  });
}

/** The times that a caller named, in order and each once. */
export function namedTimes(times: readonly string[]): readonly PictureTime[] {
  const byInstant = new Map<number, PictureTime>();
  for (const text of times) {
    const time = pictureTime(text);
    if (time) byInstant.set(time.instant, time);
  }
  return [...byInstant.values()].toSorted((a, b) => a.instant - b.instant);
}
