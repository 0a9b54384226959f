import type { ShapeDocument } from 'portico/types';

/** Frames for each second, as a fraction: 25/1, 30000/1001. */
export interface Rate {
  readonly numerator: number;
  readonly denominator: number;
}

/** How the frames of a shape are counted, and at which one it begins. */
export interface Counting {
  readonly rate: Rate;
  /** Drop-frame: two or four numbers are left out each minute, except each tenth. */
  readonly drop: boolean;
  /** Frame number of the first frame. */
  readonly start: number;
}

const perSecond = ({ numerator, denominator }: Rate): number => numerator / denominator;

/** The frame that is seen at a time. A time that a browser has rounded down still counts for its frame. */
export const frameAt = (seconds: number, rate: Rate): number =>
  Math.max(0, Math.floor(seconds * perSecond(rate) + 0.001));

/** A time within a frame: its middle, so that no rounding shows a neighbour. */
export const timeOf = (frame: number, rate: Rate): number => (Math.max(0, frame) + 0.5) / perSecond(rate);

export const startOf = (frame: number, rate: Rate): number => frame / perSecond(rate);

/** Rate of shapes that tell none, such as sound. */
const defaultRate: Rate = { numerator: 25, denominator: 1 };

/** Counting of a shape: its rate, and the time code of the material. */
export function countingOf(shape: ShapeDocument | undefined): Counting {
  const container = shape?.containerComponent;
  const video = shape?.videoComponent?.[0];
  const videoRate = video?.averageFrameRate ?? video?.realBaseFrameRate;
  const base = container?.timeCodeTimeBase;
  const rate =
    sane(videoRate) ?? sane(base && { numerator: base.denominator, denominator: base.numerator }) ?? defaultRate;
  return { rate, drop: container?.dropFrame === true, start: container?.startTimecode ?? 0 };
}

const sane = (rate: Rate | undefined): Rate | undefined =>
  rate && rate.numerator > 0 && rate.denominator > 0 ? rate : undefined;

/** Seconds of a shape. Undefined: unknown. */
export function durationOf(shape: ShapeDocument | undefined): number | undefined {
  const duration =
    shape?.videoComponent?.[0]?.duration ?? shape?.containerComponent?.duration ?? shape?.audioComponent?.[0]?.duration;
  return duration && (duration.samples * duration.timeBase.numerator) / duration.timeBase.denominator;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `01:00:00:00` of a frame, and `01:00:00;00` with drop-frame. */
export function timecode(frame: number, { rate, drop, start }: Counting): string {
  const base = Math.round(perSecond(rate));
  const whole = withDropped(frame + start, base, drop);
  const seconds = Math.floor(whole / base);
  const [h, m, s] = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${two(h)}:${two(m)}:${two(s)}${drop ? ';' : ':'}${two(whole % base)}`;
}

/** Time codes of the first and the last frame of a part. `to`: the first one behind it. */
export const rangeText = (from: number, to: number, counting: Counting): string =>
  [...new Set([from, Math.max(from, to - 1)])].map((frame) => timecode(frame, counting)).join(' – ');

const droppedEach = (base: number): number => Math.round(base / 15);

function withDropped(frame: number, base: number, drop: boolean): number {
  if (!drop) return frame;
  const dropped = droppedEach(base);
  const inMinute = base * 60 - dropped;
  const inTen = base * 600 - dropped * 9;
  const [tens, rest] = [Math.floor(frame / inTen), frame % inTen];
  const minutes = rest < base * 60 ? 0 : 1 + Math.floor((rest - base * 60) / inMinute);
  return frame + dropped * (tens * 9 + minutes);
}

/** The frame of a time code that a person types: `10:00:01:05`, `1:05`, or a number of seconds. Undefined: none. */
export function frameOf(text: string, { rate, drop, start }: Counting): number | undefined {
  const trimmed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return frameAt(Number(trimmed), rate);
  if (!/^\d{1,2}(?:[:;.]\d{1,2}){1,3}$/.test(trimmed)) return undefined;
  const parts = trimmed.split(/[:;.]/).map(Number);
  const [f = 0, s = 0, m = 0, h = 0] = parts.toReversed();
  const base = Math.round(perSecond(rate));
  if (f >= base || s > 59 || m > 59) return undefined;
  const minutes = h * 60 + m;
  const number = (minutes * 60 + s) * base + f;
  const counted = drop ? number - droppedEach(base) * (minutes - Math.floor(minutes / 10)) : number;
  return counted < start ? (parts.length < 4 ? counted : undefined) : counted - start;
}

/** Seconds of a time code of the API: `50@25`, `900@30000:1001`, `10@PAL`, `3.5`. Infinite for `-INF` and `+INF`. */
export function secondsOf(code: string | undefined, otherwise: number): number {
  if (code === undefined || code === '') return otherwise;
  if (code === '-INF') return Number.NEGATIVE_INFINITY;
  if (code === '+INF') return Number.POSITIVE_INFINITY;
  const [count, base = '1'] = code.split('@');
  const [top, bottom = '1'] = (named[base] ?? base).split(':');
  return (Number(count) * Number(bottom)) / Number(top);
}

const named: Readonly<Record<string, string>> = { PAL: '25', NTSC: '30000:1001', NTSC30: '30' };

/** Time code of the API: exact, in frames. */
export const codeOf = (frame: number, { numerator, denominator }: Rate): string =>
  `${frame}@${numerator}${denominator === 1 ? '' : `:${denominator}`}`;
