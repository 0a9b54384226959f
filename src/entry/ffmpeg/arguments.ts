import type { CutOrder, StillOrder, TranscodeAudio, TranscodeOrder } from '../../spi/index.ts';
import { inputWords } from '../media-child/media-input.ts';
import { audioEncoders, containers, videoEncoders } from './codecs.ts';
import { settingArguments, unable, videoArguments } from './video.ts';

/** Ahead of each input. */
export const inputArguments: readonly string[] = ['-nostdin', '-hide_banner', '-loglevel', 'error', ...inputWords];

const audioSettings = new Set(['q', 'compression_level', 'vbr', 'application', 'cutoff', 'profile']);

/** The arguments behind the input of an order, without the name of the file. Throws Unable. */
export function orderArguments(order: TranscodeOrder, encoders: ReadonlySet<string>): readonly string[] {
  const container = Object.hasOwn(containers, order.format)
    ? containers[order.format]!
    : unable('format', order.format);
  const video = videoOf(order, container.video, encoders);
  const audio = audioOf(order, container.audio, encoders);
  if (video[0] === '-vn' && audio[0] === '-an') unable('format', `${order.format} without pictures and sound`);
  return [
    ...video,
    ...audio,
    ...['-sn', '-dn', '-map_chapters', '-1'],
    ...(order.startTimecode === undefined ? [] : ['-timecode', timeCodeOf(order.startTimecode)]),
    ...(container.isMovie && order.fastStart ? ['-movflags', '+faststart'] : []),
    ...(container.isPicture ? ['-frames:v', '1', '-update', '1'] : []),
    ...['-f', container.muxer],
  ];
}

const timeCodeOf = (text: string): string =>
  /^\d\d:\d\d:\d\d[:;.]\d\d$/.test(text) ? text : unable('startTimecode', text);

/** The container has no pictures unless a preset names a codec for them. */
function videoOf(
  { video }: TranscodeOrder,
  usual: string | undefined,
  encoders: ReadonlySet<string>,
): readonly string[] {
  const codec = video?.codec ?? usual;
  if (video === null || codec === undefined) return ['-vn'];
  const encoder = encoderOf(videoEncoders, codec, encoders) ?? unable('video.codec', codec);
  return ['-map', '0:v:0?', ...videoArguments(video, encoder)];
}

function audioOf(
  { audio }: TranscodeOrder,
  usual: string | undefined,
  encoders: ReadonlySet<string>,
): readonly string[] {
  const codec = audio?.codec ?? usual;
  if (audio === null || codec === undefined) return ['-an'];
  const encoder = encoderOf(audioEncoders, codec, encoders) ?? unable('audio.codec', codec);
  const { bitrate, sample, streams, settings } = audio;
  return [
    ...(streams.length === 0 ? [0] : streams).flatMap((stream) => ['-map', `0:a:${stream}?`]),
    ...['-c:a', encoder],
    ...(bitrate === undefined ? [] : ['-b:a', String(bitrate)]),
    ...(sample ? ['-ar', String(Math.round(sample.denominator / sample.numerator))] : []),
    ...channelArguments(audio),
    ...settingArguments(settings, 'a', audioSettings, 'audio.setting'),
  ];
}

const layouts: ReadonlyMap<number, string> = new Map([
  [1, 'mono'],
  [2, 'stereo'],
  [6, '5.1'],
  [8, '7.1'],
]);

/** The first channels may be more than the source has; others are taken one by one. */
function channelArguments({ channels }: TranscodeAudio): readonly string[] {
  if (channels.length === 0) return [];
  if (channels.every((channel, at) => channel === at)) return ['-ac', String(channels.length)];
  const layout = layouts.get(channels.length) ?? `${channels.length}c`;
  return ['-af', `pan=${layout}|${channels.map((channel, at) => `c${at}=c${channel}`).join('|')}`];
}

function encoderOf(
  table: Readonly<Record<string, readonly string[]>>,
  codec: string,
  encoders: ReadonlySet<string>,
): string | undefined {
  if (!Object.hasOwn(table, codec)) return undefined;
  return table[codec]!.find((encoder) => encoders.has(encoder));
}

/** The codecs of a table that this ffmpeg has. */
export const codecsIn = (
  table: Readonly<Record<string, readonly string[]>>,
  encoders: ReadonlySet<string>,
): readonly string[] => Object.keys(table).filter((codec) => encoderOf(table, codec, encoders) !== undefined);

export const endingOf = (format: string): string => containers[format]?.ending ?? '';

/** Around the input: a part of it, whose streams are copied. Throws Unable. */
export function cutArguments({ format, from, to }: CutOrder, uri: string): readonly string[] {
  const container = Object.hasOwn(containers, format) ? containers[format]! : unable('format', format);
  if (container.isPicture) unable('format', format);
  return [
    ...['-ss', from.toFixed(6), '-i', uri],
    ...(to === undefined ? [] : ['-t', Math.max(to - from, 0.001).toFixed(6)]),
    ...['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-sn', '-dn', '-map_chapters', '-1'],
    ...['-avoid_negative_ts', 'make_zero'],
    ...(container.isMovie ? ['-movflags', '+faststart'] : []),
    ...['-f', container.muxer],
  ];
}

/** Behind the input: one picture, with square pixels, as bytes. */
export function stillArguments({ width, height, type }: Omit<StillOrder, 'seconds'>): readonly string[] {
  const box =
    width === undefined || height === undefined
      ? []
      : [`scale=${width}:${height}:force_original_aspect_ratio=decrease`];
  const filters = ['scale=iw*sar:ih', 'setsar=1', ...box].join(',');
  const codec = type === 'image/png' ? ['-c:v', 'png'] : ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '4'];
  return ['-map', '0:v:0', '-frames:v', '1', '-vf', filters, ...codec, '-f', 'image2pipe', 'pipe:1'];
}
