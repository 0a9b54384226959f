import type { ShapeDocument } from 'portico/types';

/** Frames for each second, as a fraction: 25/1, 30000/1001. */
interface Rate {
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

/** Rate of shapes that tell none, such as sound. */
const usualRate: Rate = { numerator: 25, denominator: 1 };

/** Counting of a shape: its rate, and the time code of the material. */
export function countingOf(shape: ShapeDocument | undefined): Counting {
  const container = shape?.containerComponent;
  const video = shape?.videoComponent?.[0];
  const told = video?.averageFrameRate ?? video?.realBaseFrameRate;
  const base = container?.timeCodeTimeBase;
  const rate = sane(told) ?? sane(base && { numerator: base.denominator, denominator: base.numerator }) ?? usualRate;
  return { rate, drop: container?.dropFrame === true, start: container?.startTimecode ?? 0 };
}

const sane = (rate: Rate | undefined): Rate | undefined =>
  rate && rate.numerator > 0 && rate.denominator > 0 ? rate : undefined;

const two = (value: number): string => String(value).padStart(2, '0');

/** `01:00:00:00` of a frame, and `01:00:00;00` with drop-frame. */
export function timecode(frame: number, { rate, drop, start }: Counting): string {
  const base = Math.round(perSecond(rate));
  const whole = withDropped(frame + start, base, drop);
  const seconds = Math.floor(whole / base);
  const [h, m, s] = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${two(h)}:${two(m)}:${two(s)}${drop ? ';' : ':'}${two(whole % base)}`;
}

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
