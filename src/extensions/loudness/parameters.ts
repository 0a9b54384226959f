import { badParameter, flag, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import { colourIn, timeIn } from '../../production/transcoding/public.ts';
import type { WaveformStyle } from '../../room/pictures.ts';
import { maxValues } from './documents.ts';

const soundOf = {
  shape: text('The shape. Default: the shape with the tag, or the original'),
  tag: text('The tag of the shape'),
};

export const valueParameters = {
  ...soundOf,
  start: text('Start of the waveform, as a time code'),
  end: text('End of the waveform, as a time code'),
  width: whole('Maximum number of values', { defaultValue: 1000, least: 1, max: maxValues }),
  dB: flag('Values in decibels', false),
  stream: whole('Audio stream, from 0. Default: all', { least: 0, max: 255 }),
  channel: whole('Channel of the stream, from 0. Default: all', { least: 0, max: 255 }),
  itemTrack: text('The stream by its track, such as A1'),
};

const colour = (what: string, defaultValue: string) =>
  text(`The colour of ${what}, such as ${defaultValue} or ${defaultValue.slice(1)}`, { defaultValue });
const distance = (what: string) => text(`The distance of ${what}`);

export const imageParameters = {
  ...valueParameters,
  width: whole('Width in pixels', { defaultValue: 800, least: 1, max: 2000 }),
  height: whole('Height in pixels', { defaultValue: 100, least: 1, max: 1000 }),
  min: text('Value at the lower edge. Default: -1, or -60 in decibels'),
  max: text('Value at the upper edge. Default: 1, or 0 in decibels'),
  bgcolor: colour('the background', '#ffffff'),
  fgcolor: colour('the waveform', '#1f4e79'),
  vgridline: distance('vertical lines, in seconds'),
  vgridlinecolor: colour('vertical lines', '#d0d0d0'),
  hgridline: distance('horizontal lines, in values'),
  hgridlinecolor: colour('horizontal lines', '#d0d0d0'),
  vgridline2: distance('minor vertical lines, in seconds'),
  vgridline2color: colour('minor vertical lines', '#909090'),
  hgridline2: distance('minor horizontal lines, in values'),
  hgridline2color: colour('minor horizontal lines', '#909090'),
};

type ValueQuery = QueryOf<typeof valueParameters>;
type ImageQuery = QueryOf<typeof imageParameters>;

/** The part of the sound that is shown, in seconds. */
export function spanOf(
  { start, end }: Pick<ValueQuery, 'start' | 'end'>,
  seconds: number,
): { readonly start: number; readonly end: number } {
  const from = start ? timeIn('start', start).instant / 1_000_000 : 0;
  const to = end ? timeIn('end', end).instant / 1_000_000 : Math.max(seconds, from + 0.001);
  if (to > from) return { start: from, end: to };
  throw badParameter('end', 'Expected a time behind the start', (end ?? '').slice(0, 60));
}

function numberIn(name: string, given: string | undefined): number | undefined {
  if (given === undefined || given.trim() === '') return undefined;
  const value = /^-?\d{1,6}(?:\.\d{1,6})?$/.test(given.trim()) ? Number(given) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw badParameter(name, 'Expected a number', given.slice(0, 60));
}

function distanceIn(name: string, given: string | undefined): number | undefined {
  const value = numberIn(name, given);
  if (value === undefined || value > 0) return value;
  throw badParameter(name, 'Expected a number above zero', given!.slice(0, 60));
}

/** A picture as a caller wants it. */
export function styleOf(query: ImageQuery, span: { readonly start: number; readonly end: number }): WaveformStyle {
  const { width, height, dB } = query;
  const least = numberIn('min', query.min) ?? (dB ? -60 : -1);
  const max = numberIn('max', query.max) ?? (dB ? 0 : 1);
  if (max <= least) throw badParameter('max', 'Expected a number above min', (query.max ?? '').slice(0, 60));
  return {
    ...{ width, height, least, max, isMirrored: !dB, ...span },
    background: colourIn('bgcolor', query.bgcolor),
    foreground: colourIn('fgcolor', query.fgcolor),
    grids: [
      {
        vertical: distanceIn('vgridline', query.vgridline),
        horizontal: distanceIn('hgridline', query.hgridline),
        verticalColour: colourIn('vgridlinecolor', query.vgridlinecolor),
        horizontalColour: colourIn('hgridlinecolor', query.hgridlinecolor),
      },
      {
        vertical: distanceIn('vgridline2', query.vgridline2),
        horizontal: distanceIn('hgridline2', query.hgridline2),
        verticalColour: colourIn('vgridline2color', query.vgridline2color),
        horizontalColour: colourIn('hgridline2color', query.hgridline2color),
      },
    ],
  };
}
