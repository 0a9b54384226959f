import type { Sequence } from '../../../assets/items/public.ts';

type Segment = NonNullable<NonNullable<Sequence['track']>[number]['segment']>[number];
export type Time = NonNullable<Segment['in']>;

/** Frame rate, as editing programs count. */
export interface Rate {
  /** Frames counted per second of time code: 30 for 29.97. */
  readonly frames: number;
  /** True: frames last longer by a factor of 1.001. */
  readonly ntsc: boolean;
}

const rates: readonly Rate[] = [24, 25, 30, 48, 50, 60].flatMap((frames) =>
  frames % 25 === 0
    ? [{ frames, ntsc: false }]
    : [
        { frames, ntsc: false },
        { frames, ntsc: true },
      ],
);

/** Duration of a frame in seconds. */
const lengthOf = ({ frames, ntsc }: Rate): readonly [numerator: bigint, denominator: bigint] =>
  ntsc ? [1001n, BigInt(frames) * 1000n] : [1n, BigInt(frames)];

export function secondsOfFrames(count: number, rate: Rate): number {
  const { numerator, denominator } = frameOf(rate);
  return (count * numerator) / denominator;
}

/** Duration of a frame in seconds, as a fraction. */
export function frameOf(rate: Rate): { readonly numerator: number; readonly denominator: number } {
  const [numerator, denominator] = lengthOf(rate);
  return { numerator: Number(numerator), denominator: Number(denominator) };
}

/** Frame rate of a time base. Undefined: not a standard rate. */
export function rateOf({ timeBase: { numerator, denominator } }: Time): Rate | undefined {
  if (denominator === 0) return undefined;
  return rates.find((rate) => {
    const [a, b] = lengthOf(rate);
    return BigInt(numerator) * b === BigInt(denominator) * a;
  });
}

/** The standard rate that is nearest to this number of pictures a second. */
export const nearestRate = (pictures: number): Rate =>
  rates.reduce((best, rate) => (distance(rate, pictures) < distance(best, pictures) ? rate : best));

const distance = (rate: Rate, pictures: number): number => Math.abs(1 / secondsOfFrames(1, rate) - pictures);

/** Nearest frame. Undefined: negative time, or invalid time base. */
export const framesIn = (time: Time, rate: Rate): number | undefined => frameFrom(time, rate, 2n);

/**
 * The frame that is seen at a time, as the player of the web page counts: a time that was rounded down by less than a
 * thousandth of a frame counts for the frame behind. Undefined: negative time, or invalid time base.
 */
export const frameSeenAt = (time: Time, rate: Rate): number | undefined => frameFrom(time, rate, 1_000n);

/** `parts`: a frame begins one of so many parts of it early. */
function frameFrom(time: Time, rate: Rate, parts: bigint): number | undefined {
  const { numerator, denominator } = time.timeBase;
  const [a, b] = lengthOf(rate);
  const over = BigInt(time.samples) * BigInt(numerator) * b;
  const under = BigInt(denominator) * a;
  if (under <= 0n || over < 0n) return undefined;
  return Number((over * parts + under) / (under * parts));
}

const two = (number: number): string => String(number).padStart(2, '0');

/** Non-drop time code. */
export function timeCodeText(at: number, { frames }: Rate): string {
  const seconds = Math.floor(at / frames);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, at % frames];
  return parts.map(two).join(':');
}

/** Frames until the time code wraps. */
export const framesOfDay = ({ frames }: Rate): number => frames * 24 * 3600;
