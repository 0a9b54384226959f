import { CaptionError } from './cue.ts';

/** Time parameters of a TTML document. */
export interface TtmlClock {
  /** Frames per second, as counted and in reality. */
  readonly counted: number;
  readonly passing: number;
  readonly ticks: number;
  readonly subFrames: number;
  /** True: times are SMPTE time codes, where 29.97 real frames count as 30. */
  readonly isSmpte: boolean;
}

const positive = (text: string | undefined, usual: number): number => {
  const value = Number(text ?? usual);
  return Number.isFinite(value) && value > 0 && value <= 1e9 ? value : usual;
};

/** Reads the parameters from attributes of the root. */
export function clockOf(given: ReadonlyMap<string, string>): TtmlClock {
  const timeBase = given.get('timeBase') ?? 'media';
  if (timeBase !== 'media' && timeBase !== 'smpte') {
    throw new CaptionError(`Expected TTML with the time base media or smpte: found "${timeBase.slice(0, 40)}"`);
  }
  const counted = positive(given.get('frameRate'), 30);
  const [numerator, denominator] = (given.get('frameRateMultiplier') ?? '1 1').trim().split(/[\s:]+/);
  const passing = (counted * positive(numerator, 1)) / positive(denominator, 1);
  const subFrames = positive(given.get('subFrameRate'), 1);
  const usualTicks = given.has('frameRate') ? passing * subFrames : 1;
  const ticks = positive(given.get('tickRate'), usualTicks);
  return { counted, passing, ticks, subFrames, isSmpte: timeBase === 'smpte' };
}

const clockTime = /^(\d{2,4}):(\d{2}):(\d{2})(?:(\.\d{1,9})|[:;](\d{2,4})(?:\.(\d{1,4}))?)?$/;
const offsetTime = /^(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|f|t)$/;

/** Parses a time as seconds. Throws a CaptionError if it is invalid. */
export function ttmlSeconds(text: string, clock: TtmlClock): number {
  const trimmed = text.trim();
  const { counted, passing, ticks, subFrames, isSmpte } = clock;
  const [, hours, minutes, seconds, fraction = '0', frames = '0', parts = '0'] = clockTime.exec(trimmed) ?? [];
  if (hours !== undefined) {
    const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    const count = Number(frames) + Number(parts) / subFrames;
    return isSmpte
      ? (whole * counted + count) / passing + Number(fraction)
      : whole + Number(fraction) + count / passing;
  }
  const [, number, unit] = offsetTime.exec(trimmed) ?? [];
  const length: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / passing, t: 1 / ticks };
  if (number !== undefined) return Number(number) * length[unit!]!;
  throw new CaptionError(`Expected times of TTML such as 00:00:01.500 or 12.5s: found "${trimmed.slice(0, 40)}"`);
}
