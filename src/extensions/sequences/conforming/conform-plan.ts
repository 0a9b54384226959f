import { mustHave } from '../../../assets/access/public-reading.ts';
import { itemName, itemNamed } from '../../../assets/items/contract/entities.ts';
import { loadShapes, type Shape, shapesToRead } from '../../../assets/shapes/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { sourceShape, type TranscodingParts } from '../../../production/transcoding/public.ts';
import type { Caller } from '../../../security/caller.ts';
import { frameOf, framesIn, framesOfDay, type Rate, rateOf } from '../exporting/frames.ts';
import type { ConformRequest } from './documents.ts';
import { type Footage, footageOf } from './highlight-cuts.ts';
import { maxParts, type PlannedPart, type RenderPlan } from './render-plan.ts';

type Conform = ConformRequest['conform'];
type Segment = NonNullable<Conform['timeline']['segment']>[number];
type Point = NonNullable<Segment['source']['interval']>['start'];

const root = '/ConformRequestDocument/conform';
const place = `${root}/timeline/segment`;

const notHere = (context: string, expected: string): ServiceError =>
  new ServiceError('not-implemented', {
    context,
    explanation: `Expected ${expected}. No transcoder of this service draws or changes speeds`,
  });

/** Plan of the parts that a caller names, by the media of their items. Throws a refusal of what cannot be rendered. */
export async function conformPlan(
  parts: TranscodingParts,
  caller: Caller,
  request: ConformRequest | undefined,
  sourceTags: readonly string[],
): Promise<RenderPlan> {
  const { timeBase, overlay = [], timeline: { segment: segments = [] } = {} } = request?.conform ?? {};
  if (segments.length === 0) throw badValue(place, 'a part of an item');
  if (segments.length > maxParts) throw badValue(place, `at most ${maxParts} segments`, String(segments.length));
  if (overlay.length > 0) throw notHere(`${root}/overlay`, 'no pictures over others');
  const names = [...new Set(segments.map(({ source }) => source.id))];
  const footage = await askEach(names, (name) => footageNamed(parts, caller, name, sourceTags));
  const footageByName = new Map(names.map((name, at) => [name, footage[at]!]));
  const rate = timeBase ? rateOf({ samples: 0, timeBase }) : footage[0]!.rate;
  if (!rate) throw badValue(`${root}/timeBase`, 'the duration of a picture at 24 to 60 pictures a second');

  const planned: PlannedPart[] = [];
  let at = 0;
  for (const segment of segments) {
    const part = partOf(segment, footageByName.get(segment.source.id)!, rate, timeBase);
    const { start, end } = segment.destination?.interval ?? {};
    const begins = start ? framesAt(start, rate, timeBase, `${place}/destination/interval/start`) : at;
    if (begins < at) throw badValue(`${place}/destination/interval/start`, 'segments one behind the other');
    if (begins > at) planned.push({ from: 0, count: begins - at });
    at = begins + part.count;
    const ends = end ? framesAt(end, rate, timeBase, `${place}/destination/interval/end`) : at;
    if (ends !== at) throw notHere(`${place}/destination/interval/end`, 'the duration of the part of the item');
    planned.push(part);
  }
  if (planned.length > maxParts)
    throw badValue(place, `at most ${maxParts} segments, and gaps between them`, String(planned.length));
  if (at > framesOfDay(rate)) throw badValue(place, 'a result of a day at most');
  return { rate, pictures: footage.some(({ picture }) => picture !== undefined), parts: planned };
}

/** Media of the shape that a rendering takes of an item. Throws a refusal if the caller may read none. */
async function footageNamed(
  { store }: TranscodingParts,
  caller: Caller,
  name: string,
  tags: readonly string[],
): Promise<Footage> {
  const item = await itemNamed(store, name);
  await mustHave(store, caller, itemName, item, 'READ', undefined, name);
  const shapes: readonly Shape[] = await shapesToRead(store, caller, await loadShapes(store, item.id));
  const shape = sourceShape(shapes, { tags });
  if (!shape) throw badValue(`${place}/source/id`, 'an item with media that the caller may read', name);
  return footageOf(store, shape);
}

function partOf({ source }: Segment, footage: Footage, rate: Rate, timeBase: Conform['timeBase']): PlannedPart {
  const { item, picture, count: own } = footage;
  // A still lasts as long as the caller says.
  const all =
    own === undefined || picture?.isStill
      ? undefined
      : framesIn({ samples: own, timeBase: frameOf(footage.rate) }, rate);
  const at = `${place}/source/interval`;
  const from = source.interval ? framesAt(source.interval.start, rate, timeBase, `${at}/start`) : 0;
  const end = source.interval?.end ? framesAt(source.interval.end, rate, timeBase, `${at}/end`) : all;
  if (end === undefined) throw badValue(`${at}/end`, 'an end of the part: the duration of the media is unknown');
  const to = Math.min(end, all ?? end);
  if (all !== undefined && from >= all) throw badValue(`${at}/start`, 'a start before the end of the media');
  if (to <= from) throw badValue(`${at}/end`, 'an end behind the start, by a picture at least');
  return { item, from: picture?.isStill ? 0 : from, count: to - from };
}

/** `timeBase`: that of points which name none. Default: the rate of the pictures. */
function framesAt(point: Point, rate: Rate, timeBase: Conform['timeBase'], at: string): number {
  const time = { samples: point.samples, timeBase: point.timeBase ?? timeBase ?? frameOf(rate) };
  const frames = framesIn(time, rate);
  if (frames !== undefined && frames <= framesOfDay(rate)) return frames;
  throw badValue(at, 'a time within a day', String(point.samples));
}
