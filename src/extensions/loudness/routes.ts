import { baseOf } from '../../http/address.ts';
import { textOnly } from '../../http/negotiation.ts';
import { lines, typed } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { readShapes as read } from '../../shapes/public.ts';
import type { TranscodingParts } from '../../transcoding/public.ts';
import { analyzeRoutes } from './analyzing.ts';
import { waveformDataDocument } from './documents.ts';
import { drawWaveform } from './draw.ts';
import { channelsFor, soundFor } from './find.ts';
import { loudnessRoutes } from './loudness.ts';
import { drawingOf, imageParameters, spanOf, valueParameters } from './parameters.ts';
import { waveformValues } from './values.ts';

/** Routes for the sound of items: waveforms, loudness, and the job that measures them. */
export function soundRoutes(parts: TranscodingParts): readonly Route[] {
  const path = '/item/:item';
  return [
    ...analyzeRoutes(parts),
    route({
      method: 'GET',
      path: `${path}/waveform/values`,
      says: 'The waveform of a shape, after its analysis.',
      query: valueParameters,
      answers: waveformDataDocument,
      access: read,
      async handle(call, { item }) {
        const { query } = call;
        const found = await soundFor(parts, call, item, query, 'waveform');
        const shown = { ...spanOf(query, found.row.seconds), width: query.width, inDecibels: query.dB };
        const channels = await channelsFor(parts, found, query);
        const value = channels.map((each) => ({
          data: waveformValues(each, shown),
          stream: each.stream,
          channel: each.channel,
          itemTrack: `A${each.stream + 1}`,
          fileId: [found.row.fileId],
        }));
        return { value };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/waveform/image`,
      says: 'The waveform of a shape as a picture, with the maximum of the given channels.',
      query: imageParameters,
      answers: 'bytes',
      access: read,
      produces: ['image/png'],
      async handle(call, type, params) {
        const { query } = call;
        const found = await soundFor(parts, call, params.item, query, 'waveform');
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
      async handle(call, { item }) {
        const { itemId } = await soundFor(parts, call, item, call.query, 'waveform');
        const { search } = new URL(call.request.url, 'http://host');
        return `${baseOf(call)}/item/${itemId}/waveform/image${search}`;
      },
    }),
    route({
      method: 'GET',
      path: `${path}/waveform/alltracks`,
      says: 'The addresses of a waveform picture for each audio track of a shape, one per line.',
      query: imageParameters,
      answers: 'text',
      access: read,
      produces: textOnly,
      async handle(call, _type, params) {
        const found = await soundFor(parts, call, params.item, call.query, 'waveform');
        const tracks = new Set((await channelsFor(parts, found, call.query)).map(({ stream }) => `A${stream + 1}`));
        const { searchParams } = new URL(call.request.url, 'http://host');
        const uris = Array.from(tracks, (track) => {
          searchParams.set('itemTrack', track);
          return [`${baseOf(call)}/item/${found.itemId}/waveform/image?${searchParams}`];
        });
        return lines(uris);
      },
    }),
    ...loudnessRoutes(parts),
  ];
}
