import type { MediaTimes } from './exporting/clips.ts';

/** Seconds of time codes. */
export interface TimeCodes {
  /** Undefined: the program does not know where the media begin. */
  readonly start: number | undefined;
  /** From the first used picture on, and up to the end of the last one. */
  readonly from: number;
  readonly to: number;
}

/** Seconds of half a picture. */
const tolerance = 0.02;

const secondsOf = (time: MediaTimes['start']): number | undefined =>
  time && (time.samples * time.timeBase.numerator) / time.timeBase.denominator;

/** Whether the used part of media that begin at a time lies in an item. */
const isWithin = ({ from, to }: TimeCodes, start: number, length: number | undefined): boolean =>
  from >= start - tolerance && (length === undefined || to <= start + length + tolerance);

export type Fit = 'confirmed' | 'open' | 'not';

/** Whether time codes of a program can be those of an item. Only a start other than 0 confirms anything. */
export function fitOfTimes(timeCodes: TimeCodes | undefined, times: MediaTimes): Fit {
  if (!timeCodes) return 'open';
  const [own, length] = [secondsOf(times.start) ?? 0, secondsOf(times.length)];
  const { start } = timeCodes;
  if (own > 0 && start !== 0 && isWithin(timeCodes, own, length)) return 'confirmed';
  return isWithin(timeCodes, start ?? 0, length) && !(own > 0 && start) ? 'open' : 'not';
}

/** Seconds from the time codes of a program to the times of an item. */
export function offsetOf(timeCodes: TimeCodes | undefined, times: MediaTimes = {}): number {
  if (!timeCodes) return 0;
  return fitOfTimes(timeCodes, times) === 'confirmed' ? secondsOf(times.start)! : (timeCodes.start ?? 0);
}
