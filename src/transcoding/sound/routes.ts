import { itemMustExist } from '../../assets/items/store.ts';
import { itemFor, itemGone, read, shapeFor } from '../../assets/shapes/places.ts';
import { baseOf } from '../../http/address.ts';
import { type Call, optionalDocument } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { list, text } from '../../http/parameters/index.ts';
import { plain, typed } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { type OrderParts, orderDocument, orderOf } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import type { Memo } from '../../jobs/job-type.ts';
import { type JobQuery, jobParameters } from '../../jobs/parameters.ts';
import { changing, together } from '../../store/work.ts';
import type { TranscodingParts } from '../parts.ts';
import { analyzeJobDocument, loudnessDocument, waveformDataDocument } from './documents.ts';
import { drawWaveform } from './draw.ts';
import { channelsFor, soundFor } from './find.ts';
import { drawingOf, imageParameters, spanOf, valueParameters } from './parameters.ts';
import { waveformValues } from './values.ts';

/** What is heard in the media of items: waveforms, loudness, and the job that measures them. */
export function soundRoutes(parts: TranscodingParts): readonly Route[] {
  const { render } = parts;
  const path = '/item/:item';
  return [
    ...['', '/shape/:shape'].map((below) => analyzeRoute(parts, `${path}${below}`)),
    route({
      method: 'GET',
      path: `${path}/waveform/values`,
      says: 'The amplitudes of the sound of a shape, after it was analyzed.',
      query: valueParameters,
      answers: waveformDataDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { query } = call;
        const found = await soundFor(parts, call, params['item']!, query, 'waveform');
        const shown = { ...spanOf(query, found.row.seconds), width: query.width, inDecibels: query.dB };
        const channels = await channelsFor(parts, found, query);
        const value = channels.map((each) => ({
          data: waveformValues(each, shown),
          stream: each.stream,
          channel: each.channel,
          itemTrack: `A${each.stream + 1}`,
          fileId: [found.row.fileId],
        }));
        return render(type, waveformDataDocument, { value });
      },
    }),
    route({
      method: 'GET',
      path: `${path}/waveform/image`,
      says: 'The amplitudes of the sound of a shape as a picture: the largest of the channels that are named.',
      query: imageParameters,
      answers: 'bytes',
      access: read,
      produces: ['image/png'],
      async handle(call, type, params) {
        const { query } = call;
        const found = await soundFor(parts, call, params['item']!, query, 'waveform');
        const span = spanOf(query, found.row.seconds);
        const drawing = drawingOf(query, span);
        const shown = { ...span, width: query.width, inDecibels: query.dB };
        const channels = await channelsFor(parts, found, query);
        const all = channels.map((each) => waveformValues(each, shown));
        const largest = all[0]!.map((_value, at) => Math.max(...all.map((values) => values[at]!)));
        return typed(type, await drawWaveform(largest, drawing));
      },
    }),
    route({
      method: 'GET',
      path: `${path}/waveform/imageURI`,
      says: 'The address of that picture. It needs the credentials of the caller.',
      query: imageParameters,
      answers: 'text',
      access: read,
      produces: textOnly,
      async handle(call, _type, params) {
        const { itemId } = await soundFor(parts, call, params['item']!, call.query, 'waveform');
        const { search } = new URL(call.request.url, 'http://host');
        return plain(`${baseOf(call)}/item/${itemId}/waveform/image${search}`);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/loudness`,
      says: 'The loudness of a shape by EBU R 128, after it was analyzed.',
      query: {
        shape: valueParameters.shape,
        tag: valueParameters.tag,
      },
      answers: loudnessDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { itemId, shape, row } = await soundFor(parts, call, params['item']!, call.query, 'loudness');
        const mix = JSON.parse(row.mix) as readonly Mixed[];
        return render(type, loudnessDocument, {
          id: itemId,
          shape: shape.id,
          ...(shape.tags[0] !== undefined && { shapeTag: shape.tags[0] }),
          mix: mix.map(({ stream, channel, weight }) => ({
            weightdB: Math.round(1000 * Math.log10(weight)) / 100,
            sourceItemTrack: `A${stream + 1}`,
            sourceStream: stream,
            sourceChannel: channel,
          })),
          start: '0',
          end: String(Math.round(row.seconds * 1000) / 1000),
          ...(row.loudness !== null && { loudnessLU: hundredth(row.loudness) }),
          ...(row.loudnessRange !== null && { loudnessRangeLU: hundredth(row.loudnessRange) }),
        });
      },
    }),
  ];
}

interface Mixed {
  readonly stream: number;
  readonly channel: number;
  readonly weight: number;
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;

const analyzeParameters = {
  tag: list(text('The shape with the first of these tags. Without it: the original')),
  resourceId: text('The transcoder, kept in the data of the job'),
  storageId: text('Read for older clients: nothing is written to a storage'),
  ...jobParameters,
};

function analyzeRoute(parts: TranscodingParts, path: string): Route {
  const { store, clock, offices, render, limits } = parts;
  const ordering: OrderParts = {
    store,
    clock,
    jobNotification: (query: JobQuery) => offices.jobNotification(query),
    depthOf: (headers: Headers) => offices.depthOf(headers),
  };
  return route({
    method: 'POST',
    path: `${path}/analyze`,
    says: 'Measures the waveform and the loudness of the sound, as a job. Where a codec needs one, a transcoder helps.',
    query: analyzeParameters,
    reads: analyzeJobDocument,
    answers: jobDocument,
    access: role('_job_write'),
    acting: 'allowed',
    produces: documentTypes,
    async handle(call, type, params) {
      const started = clock.now();
      const item = await itemFor(store, call as Call, params['item']!, 'WRITE');
      const shapeId = params['shape'] === undefined ? undefined : (await shapeFor(store, call, params, 'WRITE')).id;
      const asked = (await optionalDocument(call, analyzeJobDocument, limits)) ?? {};
      const undetected = Object.entries(asked).flatMap(([name, value]) => (isAsked(value) ? [name] : []));
      const { tag } = call.query;
      const memo: Memo = {
        itemId: item.id,
        ...(shapeId !== undefined && { shapeId }),
        ...(tag && { tags: tag.join(',') }),
        ...(undetected.length > 0 && { undetected: undetected.join(', ') }),
      };
      const data = [['itemId', item.id] as const, ...(shapeId === undefined ? [] : [['shapeId', shapeId] as const])];
      const { order, guards } = await orderOf(ordering, call, { type: 'ANALYZE', data, memo });
      const begins = changing(...guards, itemMustExist(item.id, itemGone(item.id)));
      await parts.commit(together(begins, offices.startJob(order)), call);
      return render(type, jobDocument, orderDocument(order, started));
    },
  });
}

/** Clients write all elements of their forms. */
const isAsked = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
