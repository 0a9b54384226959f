import type { SegmentIndex } from '../../production/transcoding/public.ts';
import { ofKind, type Rendition, type Subtitle } from './rendition.ts';
import { type NamedStoryboard, type Storyboard, sheetsOf } from './storyboard.ts';

/** Media type of playlists of HTTP Live Streaming, RFC 8216. */
export const hlsType = 'application/vnd.apple.mpegurl';

/** Version that has fragmented MP4. */
const begin = ['#EXTM3U', '#EXT-X-VERSION:7'];
const soundGroup = 'sound';
const subtitleGroup = 'subtitles';

/** Nothing that would end the text of an attribute, or its line. */
const quoted = (text: string): string => `"${text.replace(/["\r\n]/g, '')}"`;

const attributes = (pairs: readonly (readonly [name: string, value: string | number])[]): string =>
  pairs.map(([name, value]) => `${name}=${value}`).join(',');

/** Playlist of the renditions of a stream. Sound alone has no subtitles. */
export function hlsMaster(
  renditions: readonly Rendition[],
  subtitles: readonly Subtitle[],
  storyboard: NamedStoryboard | undefined,
): string {
  const [pictures, sounds] = [ofKind(renditions, 'video'), ofKind(renditions, 'audio')];
  const [sound] = sounds;
  return [
    ...begin,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(pictures.length > 0 ? [...sounds.map(soundLine), ...subtitles.map(subtitleLine)] : []),
    ...pictures.flatMap((each) => variant(each, sound, subtitles.length > 0)),
    ...sounds.flatMap((each) => variant(each, pictures.length > 0 ? each : undefined)),
    ...(storyboard ? [imageLine(storyboard)] : []),
    '',
  ].join('\n');
}

const soundLine = ({ name, segments, uri }: Rendition, at: number): string =>
  `#EXT-X-MEDIA:${attributes([
    ['TYPE', 'AUDIO'],
    ['GROUP-ID', quoted(soundGroup)],
    ['NAME', quoted(name)],
    ['DEFAULT', at === 0 ? 'YES' : 'NO'],
    ['AUTOSELECT', 'YES'],
    ...(segments.channels === undefined ? [] : [['CHANNELS', quoted(String(segments.channels))] as const]),
    ['URI', quoted(uri)],
  ])}`;

const subtitleLine = ({ language, uri }: Subtitle): string =>
  `#EXT-X-MEDIA:${attributes([
    ['TYPE', 'SUBTITLES'],
    ['GROUP-ID', quoted(subtitleGroup)],
    ['NAME', quoted(language)],
    ['LANGUAGE', quoted(language)],
    ['DEFAULT', 'NO'],
    ['AUTOSELECT', 'YES'],
    ['URI', quoted(uri)],
  ])}`;

/** Tag of the convention for image media playlists. Players that do not know it pass over it. */
const imageLine = ({ grid: { width, height }, bandwidth, uri }: NamedStoryboard): string =>
  `#EXT-X-IMAGE-STREAM-INF:${attributes([
    ['BANDWIDTH', bandwidth],
    ['RESOLUTION', `${width}x${height}`],
    ['CODECS', quoted('jpeg')],
    ['URI', quoted(uri)],
  ])}`;

/** `sound`: the rendition that is played with this one, or this one itself. */
function variant(own: Rendition, sound: Rendition | undefined, hasSubtitles = false): readonly string[] {
  const { size, frameRate } = own.segments;
  const played = [own, ...(sound && sound !== own ? [sound] : [])];
  const sum = (key: 'peak' | 'average') => played.reduce((total, each) => total + each.bandwidth[key], 0);
  const line = attributes([
    ['BANDWIDTH', sum('peak')],
    ['AVERAGE-BANDWIDTH', sum('average')],
    ['CODECS', quoted(played.map(({ segments }) => segments.codecs).join(','))],
    ...(size ? [['RESOLUTION', `${size.width}x${size.height}`] as const] : []),
    ...(frameRate === undefined ? [] : [['FRAME-RATE', frameRate.toFixed(3)] as const]),
    ...(sound ? [['AUDIO', quoted(soundGroup)] as const] : []),
    ...(hasSubtitles ? [['SUBTITLES', quoted(subtitleGroup)] as const] : []),
  ]);
  return [`#EXT-X-STREAM-INF:${line}`, own.uri];
}

/** A master playlist with one of its variants, whose pictures are at another address. The sound stays. */
export function onlyVariant(master: string, variantUri: (uri: string) => boolean, uri: string): string {
  const lines = master.split('\n');
  return lines
    .flatMap((line, at) => {
      const before = lines[at - 1]?.startsWith('#EXT-X-STREAM-INF') === true;
      if (before) return variantUri(line) ? [uri] : [];
      return line.startsWith('#EXT-X-STREAM-INF') && !variantUri(lines[at + 1] ?? '') ? [] : [line];
    })
    .join('\n');
}

/** Playlist of a rendition whose head and segments are files beside it. */
export function hlsFiles({ timescale, segments }: SegmentIndex): string {
  const longest = segments.reduce((max, [, duration]) => Math.max(max, duration), 0) / timescale;
  return [
    ...begin,
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MAP:URI="head.mp4"',
    ...segments.flatMap(([, duration], at) => [`#EXTINF:${(duration / timescale).toFixed(6)},`, `${at}.m4s`]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/** Playlist of one rendition: ranges of its file, which is at the address. */
export function hlsPlaylist({ timescale, head, start, segments }: SegmentIndex, uri: string): string {
  const longest = segments.reduce((max, [, duration]) => Math.max(max, duration), 0) / timescale;
  const lines = [
    ...begin,
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-MAP:URI=${quoted(uri)},BYTERANGE=${quoted(`${head}@0`)}`,
  ];
  let from = start;
  for (const [bytes, duration] of segments) {
    lines.push(`#EXTINF:${(duration / timescale).toFixed(6)},`, `#EXT-X-BYTERANGE:${bytes}@${from}`, uri);
    from += bytes;
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n');
}

/** Playlist of subtitles: one file for the whole film. */
export const hlsSubtitles = (seconds: number, uri: string): string =>
  [
    ...begin,
    `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${seconds.toFixed(6)},`,
    uri,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');

/** Playlist of the sheets of a storyboard. The tiles of a sheet go from left to right, and then down. */
export function hlsImages(storyboard: Storyboard, uriOf: (sheet: number) => string): string {
  const { grid, step } = storyboard;
  const sheets = sheetsOf(storyboard);
  const tiles = attributes([
    ['RESOLUTION', `${grid.width}x${grid.height}`],
    ['LAYOUT', `${grid.columns}x${grid.rows}`],
    ['DURATION', (step / 1000).toFixed(3)],
  ]);
  return [
    ...begin,
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...sheets))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-IMAGES-ONLY',
    ...sheets.flatMap((seconds, at) => [`#EXTINF:${seconds.toFixed(6)},`, `#EXT-X-TILES:${tiles}`, uriOf(at + 1)]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}
