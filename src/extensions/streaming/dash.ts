import { secondsOf } from '../../production/transcoding/public.ts';
import { ofKind, type Rendition, type Subtitle } from './rendition.ts';
import type { NamedStoryboard } from './storyboard.ts';

/** Media type of manifests of MPEG-DASH, ISO/IEC 23009-1. */
export const dashType = 'application/dash+xml';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);

const tag = (name: string, values: Readonly<Record<string, string | number | undefined>>, end = '>'): string =>
  `<${name}${Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')}${end}`;

/** Manifest of a stream. Players read the index of the segments from the files. */
export function dashManifest(
  renditions: readonly Rendition[],
  subtitles: readonly Subtitle[],
  storyboard: NamedStoryboard | undefined,
): string {
  const seconds = Math.max(0, ...renditions.map(({ segments }) => secondsOf(segments)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    tag('MPD', {
      xmlns: 'urn:mpeg:dash:schema:mpd:2011',
      profiles: 'urn:mpeg:dash:profile:isoff-on-demand:2011',
      type: 'static',
      mediaPresentationDuration: `PT${seconds.toFixed(3)}S`,
      minBufferTime: 'PT6S',
    }),
    '<Period id="0">',
    ...adaptationSet('video', ofKind(renditions, 'video')),
    ...adaptationSet('audio', ofKind(renditions, 'audio')),
    ...subtitles.flatMap(subtitleSet),
    ...(storyboard ? imageSet(storyboard) : []),
    '</Period>',
    '</MPD>',
    '',
  ].join('\n');
}

function adaptationSet(kind: Rendition['kind'], renditions: readonly Rendition[]): readonly string[] {
  if (renditions.length === 0) return [];
  const aligned = { segmentAlignment: 'true', subsegmentAlignment: 'true', subsegmentStartsWithSAP: 1 };
  return [
    tag('AdaptationSet', { contentType: kind, mimeType: `${kind}/mp4`, startWithSAP: 1, ...aligned }),
    ...renditions.flatMap(representation),
    '</AdaptationSet>',
  ];
}

/** Bits a second that nobody measures: a file of text. */
const textBandwidth = 256;

const subtitleSet = ({ language, uri }: Subtitle): readonly string[] => [
  tag('AdaptationSet', { contentType: 'text', mimeType: 'text/vtt', lang: language }),
  tag('Role', { schemeIdUri: 'urn:mpeg:dash:role:2011', value: 'subtitle' }, '/>'),
  tag('Representation', { id: `text-${language}`, bandwidth: textBandwidth }),
  `<BaseURL>${escaped(uri)}</BaseURL>`,
  '</Representation>',
  '</AdaptationSet>',
];

/** Tiles by the interoperability points of DASH-IF, 6.2.6. Players that do not know the property pass over the set. */
const tileScheme = 'http://dashif.org/guidelines/thumbnail_tile';

function imageSet({
  grid: { columns, rows, width, height },
  step,
  bandwidth,
  uri,
}: NamedStoryboard): readonly string[] {
  const size = { width: columns * width, height: rows * height };
  return [
    tag('AdaptationSet', { contentType: 'image', mimeType: 'image/jpeg' }),
    tag('SegmentTemplate', { media: uri, timescale: 1000, duration: columns * rows * step, startNumber: 1 }, '/>'),
    tag('Representation', { id: 'thumbnails', bandwidth, ...size }),
    tag('EssentialProperty', { schemeIdUri: tileScheme, value: `${columns}x${rows}` }, '/>'),
    '</Representation>',
    '</AdaptationSet>',
  ];
}

const channelScheme = 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011';

function representation({ name, segments, bandwidth, uri }: Rendition): readonly string[] {
  const { codecs, size, frameRate, channels, timescale, head, index } = segments;
  const [from, end] = index;
  return [
    tag('Representation', {
      id: name,
      bandwidth: bandwidth.peak,
      codecs,
      width: size?.width,
      height: size?.height,
      frameRate: frameRate === undefined ? undefined : rateOf(frameRate),
    }),
    ...(channels === undefined
      ? []
      : [tag('AudioChannelConfiguration', { schemeIdUri: channelScheme, value: channels }, '/>')]),
    `<BaseURL>${escaped(uri)}</BaseURL>`,
    tag('SegmentBase', { indexRange: `${from}-${end - 1}`, timescale }),
    tag('Initialization', { range: `0-${head - 1}` }, '/>'),
    '</SegmentBase>',
    '</Representation>',
  ];
}

/** A fraction: 29.97 is 29970/1000. */
const rateOf = (rate: number): string => (Number.isInteger(rate) ? String(rate) : `${Math.round(rate * 1000)}/1000`);
