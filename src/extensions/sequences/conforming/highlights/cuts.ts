import { badParameter } from '../../../../http/parameters/index.ts';
import { timeIn } from '../../../../production/transcoding/public.ts';
import type { PictureArea } from '../../../../spi/index.ts';
import type { Clip, Cuts } from '../../exporting/clips.ts';
import { framesIn, framesOfDay } from '../../exporting/frames.ts';
import { mostParts, type RenderPlan } from '../rendering/plan.ts';
import type { Footage } from './footage.ts';

/** Part of a shape, in pictures. */
interface Span {
  readonly from: number;
  readonly count: number;
}

/** The parts that the caller names, in that order. Throws a refusal. */
export function spansNamed(intervals: readonly string[], footage: Footage): readonly Span[] {
  if (footage.picture?.isStill) throw badParameter('interval', 'Expected a shape that has times: it is a picture');
  if (intervals.length > mostParts) {
    throw badParameter('interval', `Expected at most ${mostParts} parts`, String(intervals.length));
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
  const [most = Number.POSITIVE_INFINITY, highest = Number.POSITIVE_INFINITY] = picture.size ?? [];
  if (left + width > most) throw badParameter('width', `Expected a rectangle within ${most} pixels`, `${left + width}`);
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
