import { type Shape, shapeParts } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { timeIn } from '../../../production/transcoding/public.ts';
import type { PictureArea } from '../../../spi/index.ts';
import type { Clip, Cuts } from '../exporting/clips.ts';
import { framesIn, framesOfDay, nearestRate, type Rate } from '../exporting/frames.ts';
import { maxParts, type RenderPlan } from './render-plan.ts';

/** Media of a shape, as the media check found it. */
export interface Footage {
  readonly item: string;
  readonly shape: string;
  /** Undefined: sound only. */
  readonly picture: Picture | undefined;
  readonly hasSound: boolean;
  readonly rate: Rate;
  /** Duration in pictures of the rate: 1 for a single picture. Undefined: unknown. */
  readonly count: number | undefined;
}

interface Picture {
  /** Size as it is stored and turned upright. Undefined: unknown. */
  readonly size: readonly [width: number, height: number] | undefined;
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number;
  readonly isStill: boolean;
}

/** Pictures a second of sound, and of media that tells no rate. */
const defaultRate = 25;

/** Media of a shape. Throws a refusal before a media check has found pictures or sound. */
export async function footageOf(reader: Reader, shape: Shape): Promise<Footage> {
  const elements = await shapeParts(reader, shape);
  const { containerComponent, videoComponent: [video] = [], audioComponent: [audio] = [] } = elements;
  const common = { item: shape.itemId, shape: shape.id, hasSound: audio !== undefined };
  if (!video && !audio) {
    const explanation = 'Expected a shape with pictures or sound: a media check found neither';
    throw new ServiceError('bad-value', { context: 'path', id: shape.id, explanation });
  }
  const { numerator = defaultRate, denominator = 1 } = video?.averageFrameRate ?? {};
  const rate = nearestRate(denominator > 0 ? numerator / denominator : defaultRate);
  if (video?.numberOfPackets === 1) return { ...common, picture: pictureOf(video, true), rate, count: 1 };
  const duration = containerComponent?.duration ?? video?.duration ?? audio?.duration;
  return {
    ...common,
    picture: video && pictureOf(video, false),
    rate,
    count: duration && framesIn(duration, rate),
  };
}

interface Video {
  readonly resolution?: { readonly width: number; readonly height: number } | undefined;
  readonly pixelAspectRatio?: { readonly horizontal: number; readonly vertical: number } | undefined;
  readonly mediaInfo?:
    | { readonly property?: readonly { readonly key: string; readonly value: string }[] | undefined }
    | undefined;
}

function pictureOf({ resolution, pixelAspectRatio, mediaInfo }: Video, isStill: boolean): Picture {
  const rotation = mediaInfo?.property?.find(({ key }) => key === 'Rotation')?.value;
  const isTurned = rotation !== undefined && Number(rotation) % 180 !== 0;
  const { horizontal = 1, vertical = 1 } = pixelAspectRatio ?? {};
  const aspect = horizontal > 0 && vertical > 0 ? horizontal / vertical : 1;
  const size = resolution && ([resolution.width, resolution.height] as const);
  return {
    size: size && isTurned ? [size[1], size[0]] : size,
    pixelAspect: isTurned ? 1 / aspect : aspect,
    isStill,
  };
}

/** Part of a shape, in pictures. */
interface Span {
  readonly from: number;
  readonly count: number;
}

/** The parts that the caller names, in that order. Throws a refusal. */
export function spansNamed(intervals: readonly string[], footage: Footage): readonly Span[] {
  if (footage.picture?.isStill) throw badParameter('interval', 'Expected a shape that has times: it is a picture');
  if (intervals.length > maxParts) {
    throw badParameter('interval', `Expected at most ${maxParts} parts`, String(intervals.length));
  }
  return intervals.map((text) => spanIn(text, footage));
}

/** The whole shape. Throws a refusal if its duration is unknown. */
export function wholeOf({ count }: Footage): readonly Span[] {
  if (count === undefined || count < 1) {
    throw badParameter('interval', 'Expected an interval such as 10-20.5: the duration of the shape is unknown');
  }
  return [{ from: 0, count }];
}

function spanIn(text: string, { rate, count = Number.POSITIVE_INFINITY }: Footage): Span {
  const [start = '', end = '', ...more] = text.split('-');
  const pictures = (time: string): number => {
    const samples = timeIn('interval', time.trim()).instant;
    return framesIn({ samples, timeBase: { numerator: 1, denominator: 1_000_000 } }, rate)!;
  };
  const refusal = (expected: string) => badParameter('interval', `Expected ${expected}`, text.slice(0, 80));
  if (more.length > 0 || start === '' || end === '') throw refusal('a start and an end, such as 10-20.5');
  const [from, to] = [pictures(start), Math.min(pictures(end), count)];
  if (from >= count) throw refusal('a start before the end of the shape');
  if (to <= from) throw refusal('an end behind the start, by a picture at least');
  if (to > framesOfDay(rate)) throw refusal('times within a day');
  return { from, count: to - from };
}

/** The part of the rectangle that a video can have: its size in even numbers. Throws a refusal. */
export function areaWithin({ picture }: Footage, { left, top, width, height }: PictureArea): PictureArea {
  if (!picture) throw badParameter('width', 'Expected a shape with pictures: it has sound only');
  const [max = Number.POSITIVE_INFINITY, highest = Number.POSITIVE_INFINITY] = picture.size ?? [];
  if (left + width > max) throw badParameter('width', `Expected a rectangle within ${max} pixels`, `${left + width}`);
  if (top + height > highest) {
    throw badParameter('height', `Expected a rectangle within ${highest} pixels`, `${top + height}`);
  }
  return { left, top, width: even(width), height: even(height) };
}

const even = (pixels: number): number => Math.floor(pixels / 2) * 2;

/** Plan of the rendering of these parts, one behind the other. */
export function planOfSpans({ item, picture, rate }: Footage, spans: readonly Span[], crop?: PictureArea): RenderPlan {
  const parts = spans.map((span) => ({ item, ...span }));
  if (!crop) return { rate, pictures: picture !== undefined, parts };
  const width = Math.max(2, even(crop.width * picture!.pixelAspect));
  return { rate, pictures: true, parts, crop, size: { width, height: crop.height } };
}

/** Spans as cuts of a sequence, on a track of pictures and one of sound. */
export function cutsOfSpans({ item, picture, hasSound, rate }: Footage, spans: readonly Span[]): Cuts {
  let start = 0;
  const clips = spans.map(({ from, count }): Clip => {
    const clip = { item, sourceTrack: 1, start, end: start + count, from, to: from + count };
    start += count;
    return clip;
  });
  return {
    rate,
    tracks: [...(picture ? [{ audio: false, clips }] : []), ...(hasSound ? [{ audio: true, clips }] : [])],
  };
}
