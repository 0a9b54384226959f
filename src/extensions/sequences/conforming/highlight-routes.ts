import { askerOf } from '../../../assets/definitions/public-reading.ts';
import {
  readShapes as read,
  type Shape,
  shapePath,
  shapesAt,
  writeShapes as write,
} from '../../../assets/shapes/public.ts';
import { fileNameFrom } from '../../../core/lib/file-name.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, list, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { type Reply, typed } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { type TranscodingParts, tagsGiven } from '../../../production/transcoding/public.ts';
import { beginJob, commitJob } from '../../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import type { PictureArea } from '../../../spi/index.ts';
import { downloadHeaders } from '../../../storage/public.ts';
import { edl } from '../exporting/edl.ts';
import { clipSources } from '../exporting/sources.ts';
import {
  areaWithin,
  cutsOfSpans,
  type Footage,
  footageOf,
  planOfSpans,
  spansNamed,
  wholeOf,
} from './highlight-cuts.ts';
import { destinationNamed, renderOrder, renderParameters, tagsToRender } from './render-order.ts';

const max = 8192;
const expected = 'Expected a start and an end, such as 10-20.5: nothing here finds highlights';
const interval = list(text('Parts of the shape, in this order: 10-20.5 or 250@PAL-500@PAL'));
const highlightQuery = { interval };
const cropQuery = {
  left: whole('Left edge of the rectangle, in pixels of the picture', { max, defaultValue: 0 }),
  top: whole('Top edge of the rectangle', { max, defaultValue: 0 }),
  width: whole('Width of the rectangle, rounded down to an even number', { least: 2, max, required: true }),
  height: whole('Height of the rectangle, rounded down to an even number', { least: 2, max, required: true }),
  interval: list(text('Parts of the shape, in this order: 10-20.5 or 250@PAL-500@PAL. Default: all of it')),
};
type HighlightQuery = QueryOf<typeof highlightQuery>;
type CropQuery = QueryOf<typeof cropQuery>;

/** Parts of a shape that a caller names, and the rectangle that is kept of each picture. */
interface Selection {
  readonly spans: ReturnType<typeof wholeOf>;
  readonly crop?: PictureArea;
}

/** Routes that render parts of a shape, or a rectangle of its pictures. */
export function highlightRoutes(parts: TranscodingParts): readonly Route[] {
  const { store } = parts;

  function highlightsIn({ interval: intervals = [] }: HighlightQuery, footage: Footage): Selection {
    if (intervals.length === 0) throw badParameter('interval', expected);
    return { spans: spansNamed(intervals, footage) };
  }

  function cropIn({ left, top, width, height, interval: intervals = [] }: CropQuery, footage: Footage): Selection {
    const spans = intervals.length === 0 ? wholeOf(footage) : spansNamed(intervals, footage);
    return { spans, crop: areaWithin(footage, { left, top, width, height }) };
  }

  async function start<Q extends HighlightQuery>(
    call: Call<Q & QueryOf<typeof renderParameters>>,
    shape: Shape,
    select: (query: Q, footage: Footage) => Selection,
  ): Promise<Job> {
    const footage = await footageOf(store, shape);
    const { spans, crop } = select(call.query, footage);
    const { original, destinationItem } = call.query;
    const tags = await tagsToRender(parts, call.query);
    const plan = planOfSpans(footage, spans, crop);
    const more = { shapeId: shape.id, from: `${crop ? 'crop' : 'highlights'} of ${shape.id}` };
    return commitJob(call, async () => {
      const destination = await destinationNamed(
        parts,
        call,
        destinationItem ?? shape.itemId,
        tagsGiven(tags, original),
      );
      return beginJob(parts, call, ...(await renderOrder(parts, call, destination, { tags, plan, original, ...more })));
    });
  }

  async function answerEdl<Q extends HighlightQuery>(
    call: Call<Q>,
    shape: Shape,
    select: (query: Q, footage: Footage) => Selection,
  ): Promise<Reply> {
    const footage = await footageOf(store, shape);
    const { spans, crop } = select(call.query, footage);
    const sourceByItem = await clipSources(store, [footage.item], new Map(), await askerOf(call));
    const source = sourceByItem.get(footage.item)!;
    const comment = crop && `CROP: ${crop.left} ${crop.top} ${crop.width} ${crop.height}`;
    const sources = new Map([[footage.item, { ...source, ...(comment && { comment }) }]]);
    const id = footage.shape;
    const reply = typed(edl.type, edl.write([{ id, name: source.name, cuts: cutsOfSpans(footage, spans), sources }]));
    return {
      ...reply,
      headers: downloadHeaders(fileNameFrom(source.name === footage.item ? '' : source.name, edl.ending)),
    };
  }

  const entities = shapesAt(store).shape('READ');
  const rendering = { method: 'POST', entities, answers: jobDocument, access: write, acting: 'allowed' } as const;
  const listing = { method: 'GET', entities, answers: raw('text'), access: read } as const;
  return [
    route({
      ...rendering,
      path: `${shapePath}/highlight-render`,
      says: 'Renders the parts of a shape that the caller names, one behind the other, as a TIMELINE job. Nothing here finds highlights.',
      query: { ...renderParameters, ...highlightQuery },
      handle: (call, { shape }) => start(call, shape, highlightsIn),
    }),
    route({
      ...listing,
      path: `${shapePath}/highlighter-edl`,
      says: 'The parts of a shape that the caller names, as an EDL.',
      query: highlightQuery,
      handle: (call, { shape }) => answerEdl(call, shape, highlightsIn),
    }),
    route({
      ...rendering,
      path: `${shapePath}/smartcrop-render`,
      says: 'Renders the rectangle of the pictures that the caller names, as a TIMELINE job. Nothing here finds a subject.',
      query: { ...renderParameters, ...cropQuery },
      handle: (call, { shape }) => start(call, shape, cropIn),
    }),
    route({
      ...listing,
      path: `${shapePath}/smartcrop-edl`,
      says: 'The parts of a shape as an EDL. A comment at each has the rectangle that the caller names.',
      query: cropQuery,
      handle: (call, { shape }) => answerEdl(call, shape, cropIn),
    }),
  ];
}
