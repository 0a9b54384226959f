import { itemAt } from '../../assets/items/contract/entities.ts';
import { readShapes as read } from '../../assets/shapes/public.ts';
import { baseOf } from '../../http/address.ts';
import { raw } from '../../http/forms.ts';
import { flag } from '../../http/parameters/index.ts';
import { linesOf, typed } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { TranscodingParts } from '../../production/transcoding/public.ts';
import { picturesHook } from '../../room/pictures.ts';
import { analyzeRoutes } from './analyzing-routes.ts';
import { waveformDataDocument } from './documents.ts';
import { channelsFor, soundFor, soundIfMeasured } from './find.ts';
import { loudnessRoutes } from './loudness-routes.ts';
import { imageParameters, spanOf, styleOf, valueParameters } from './parameters.ts';
import type { LevelRow } from './store.ts';

/** Decibels of what is no sound. */
const quietest = -100;

/** A part of the sound, in seconds, and in how many values it is told. */
interface Shown {
  readonly start: number;
  readonly end: number;
  readonly width: number;
  readonly inDecibels: boolean;
}

/** The largest amplitude of each of so many parts, one behind the other. */
export function waveformValues({ bucket, levels }: LevelRow, { start, end, width, inDecibels }: Shown): number[] {
  const view = new DataView(levels.buffer, levels.byteOffset, levels.byteLength);
  const count = Math.floor(levels.byteLength / 2);
  const step = (end - start) / width;
  return Array.from({ length: width }, (_, at) => {
    const first = Math.max(0, Math.floor((start + at * step) / bucket));
    const last = Math.min(count, Math.max(first + 1, Math.ceil((start + (at + 1) * step) / bucket - 1e-9)));
    let largest = 0;
    for (let index = first; index < last; index++) largest = Math.max(largest, view.getUint16(index * 2, true));
    const value = largest / 65_535;
    if (!inDecibels) return Math.round(value * 1e5) / 1e5;
    return value > 0 ? Math.max(quietest, Math.round(2000 * Math.log10(value)) / 100) : quietest;
  });
}

/** Routes for the sound of items: waveforms, loudness, and the job that measures them. */
export function soundRoutes(parts: TranscodingParts): readonly Route[] {
  const path = '/item/:item/waveform';
  const shared = { method: 'GET', entities: { item: itemAt(parts.store)('READ', 'SHAPE') }, access: read } as const;
  return [
    ...analyzeRoutes(parts),
    route({
      ...shared,
      path: `${path}/values`,
      says: 'The waveform of a shape, after its analysis.',
      query: {
        ...valueParameters,
        ifMeasured: flag('Answers an empty document instead of 404 where nothing was measured', false),
      },
      answers: waveformDataDocument,
      async handle(call, { item: { id } }) {
        const { query } = call;
        if (query.ifMeasured && !(await soundIfMeasured(parts, call, id, query)).row) return {};
        const sound = await soundFor(parts, call, id, query, 'waveform');
        const shown = { ...spanOf(query, sound.row.seconds), width: query.width, inDecibels: query.dB };
        const channels = await channelsFor(parts, sound, query);
        const value = channels.map((each) => ({
          data: waveformValues(each, shown),
          stream: each.stream,
          channel: each.channel,
          itemTrack: `A${each.stream + 1}`,
          fileId: [sound.row.fileId],
        }));
        return { value };
      },
    }),
    route({
      ...shared,
      path: `${path}/image`,
      says: 'The waveform of a shape as a picture, with the maximum of the given channels.',
      query: imageParameters,
      answers: raw('bytes', ['image/png']),
      async handle(call, { item: { id } }) {
        const { query } = call;
        const pictures = parts.hooks.need(picturesHook);
        const sound = await soundFor(parts, call, id, query, 'waveform');
        const span = spanOf(query, sound.row.seconds);
        const style = styleOf(query, span);
        const shown = { ...span, width: query.width, inDecibels: query.dB };
        const channels = await channelsFor(parts, sound, query);
        const all = channels.map((each) => waveformValues(each, shown));
        const largest = all[0]!.map((_value, at) => Math.max(...all.map((values) => values[at]!)));
        return typed(call.type, await pictures.waveform(largest, style));
      },
    }),
    route({
      ...shared,
      path: `${path}/imageURI`,
      says: 'The address of that picture. It needs the credentials of the caller.',
      query: imageParameters,
      answers: 'text',
      async handle(call, { item: { id } }) {
        const { itemId } = await soundFor(parts, call, id, call.query, 'waveform');
        const { search } = new URL(call.request.url, 'http://host');
        return `${baseOf(call)}/item/${itemId}/waveform/image${search}`;
      },
    }),
    route({
      ...shared,
      path: `${path}/alltracks`,
      says: 'The addresses of a waveform picture for each audio track of a shape, one per line.',
      query: imageParameters,
      answers: 'text',
      async handle(call, { item: { id } }) {
        const sound = await soundFor(parts, call, id, call.query, 'waveform');
        const tracks = new Set((await channelsFor(parts, sound, call.query)).map(({ stream }) => `A${stream + 1}`));
        const { searchParams } = new URL(call.request.url, 'http://host');
        const uris = Array.from(tracks, (track) => {
          searchParams.set('itemTrack', track);
          return [`${baseOf(call)}/item/${sound.itemId}/waveform/image?${searchParams}`];
        });
        return linesOf(uris);
      },
    }),
    ...loudnessRoutes(parts),
  ];
}
