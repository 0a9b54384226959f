import type {
  CutOrder,
  JoinOrder,
  JoinPart,
  MarkOrder,
  StillOrder,
  TranscodeAudio,
  TranscodeOrder,
} from '../../../spi/index.ts';
import { filmColours, type PictureLook, stillColours, wholePictures } from './colour.ts';
import { audioEncoders, ffmpegContainers, inputWords, videoEncoders } from './formats.ts';
import { type Making, settingArguments, unsupportedElement, type VideoWords, videoArguments } from './video.ts';

interface JoinedStreams {
  readonly pictures: boolean;
  readonly sound: boolean;
}

const silence = 'anullsrc=r=48000:cl=stereo';
const samples = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo';

/** Filters that make parts of media one: `[v]` are the pictures, `[sound]` the sound. Inputs are those with a source. */
function joinGraph(
  parts: readonly JoinPart[],
  seen: readonly Making[],
  canvas: JoinOrder['canvas'],
  { pictures, sound }: JoinedStreams,
): readonly string[] {
  let input = -1;
  const chains = parts.flatMap((part, at) => {
    if (part.source) input++;
    return [
      ...(pictures ? [`${picturesOf(part, canvas, input, seen[at]!)}[v${at}]`] : []),
      ...(sound ? [`${soundOf(part, input)}[a${at}]`] : []),
    ];
  });
  const all = parts.map((_, at) => `${pictures ? `[v${at}]` : ''}${sound ? `[a${at}]` : ''}`).join('');
  const kinds = `concat=n=${parts.length}:v=${Number(pictures)}:a=${Number(sound)}`;
  return [...chains, `${all}${kinds}${pictures ? '[v]' : ''}${sound ? '[sound]' : ''}`];
}

/** Pictures for the duration of the part: the last one stays if the media is shorter. */
function picturesOf(
  { source, pictures, pictureTrack, seconds, crop }: JoinPart,
  canvas: JoinOrder['canvas'],
  input: number,
  { look, filters }: Making,
): string {
  const { width, height, frame } = canvas;
  const rate = `${Math.trunc(frame.denominator)}/${Math.trunc(frame.numerator)}`;
  const count = Math.max(1, Math.round((seconds * frame.denominator) / frame.numerator));
  const end = `trim=end_frame=${count},setpts=PTS-STARTPTS`;
  if (!source || pictures === 'none') {
    return `color=c=black:s=${width}x${height}:r=${rate},format=yuv420p,setsar=1,${end}`;
  }
  const fits = `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const box = `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1`;
  const area = crop && [crop.width, crop.height, crop.left, crop.top].map(Math.trunc).join(':');
  return [
    `[${input}:v:${Math.trunc(pictureTrack)}]setpts=PTS-STARTPTS`,
    ...wholePictures(look, filters),
    ...(area ? [`crop=${area}`] : []),
    ['scale=iw*sar:ih,setsar=1', fits, ...filmColours(look, filters), box, 'format=yuv420p'].join(','),
    `fps=${rate},tpad=stop_mode=clone:stop=-1,${end}`,
  ].join(',');
}

function soundOf({ source, hasSound, soundTrack, seconds }: JoinPart, input: number): string {
  const end = `atrim=duration=${seconds.toFixed(6)},asetpts=PTS-STARTPTS`;
  if (!source || !hasSound) return `${silence},${samples},${end}`;
  return `[${input}:a:${Math.trunc(soundTrack)}]asetpts=PTS-STARTPTS,aresample=48000,${samples},apad,${end}`;
}

/** Pictures of all parts of a film, whatever they were. */
const joinedLook: PictureLook = {
  ...{ pixelFormat: 'yuv420p', height: 720, isInterlaced: false },
  ...{ range: 'tv', matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' },
};

/** Global arguments, ahead of all others. */
export const quietArguments: readonly string[] = ['-nostdin', '-hide_banner', '-loglevel', 'error'];
/** Global arguments, with those that precede an input. */
export const inputArguments: readonly string[] = [...quietArguments, ...inputWords];

const audioSettings = new Set(['q', 'compression_level', 'vbr', 'application', 'cutoff', 'profile']);

/** Arguments that an order leads to, without those about streams. */
interface Plan {
  /** Undefined: no pictures. */
  readonly video: VideoWords | undefined;
  /** Undefined: no sound. */
  readonly audio: TranscodeAudio | undefined;
  readonly audioWords: readonly string[];
  readonly container: readonly string[];
}

/** Seconds of one segment of a stream. */
const segmentSeconds = 6;

/** A key picture at the start of each segment and nowhere else, so that all renditions have equal segments. */
const keyPictures: readonly string[] = [
  ...['-force_key_frames', `expr:gte(t,n_forced*${segmentSeconds})`],
  ...['-g', '100000', '-sc_threshold', '0'],
];

/** Fragments of CMAF. Those of pictures begin with their key pictures, those of sound have a length. */
const fragmentArguments = (hasPictures: boolean): readonly string[] => [
  ...(hasPictures ? [] : ['-frag_duration', String(segmentSeconds * 1_000_000)]),
  ...['-movflags', `+cmaf+global_sidx${hasPictures ? '+frag_keyframe' : ''}`],
];

/** Plans the arguments of an order. Throws Unable. */
function planOf(order: TranscodeOrder, making: Making): Plan {
  const container = Object.hasOwn(ffmpegContainers, order.format)
    ? ffmpegContainers[order.format]!
    : unsupportedElement('format', order.format);
  const video = videoOf(order, container.video, making);
  const { audio, words: audioWords } = audioOf(order, container.audio, making.encoders);
  if (!video && !audio) unsupportedElement('format', `${order.format} without pictures and sound`);
  if (container.isFragmented && video && audio) unsupportedElement('format', `${order.format} with several tracks`);
  return {
    video: video && container.isFragmented ? { ...video, words: [...video.words, ...keyPictures] } : video,
    audio,
    audioWords,
    container: [
      ...['-sn', '-dn', '-map_chapters', '-1'],
      ...(order.startTimecode === undefined ? [] : ['-timecode', timeCodeOf(order.startTimecode)]),
      // ffmpeg before version 6 duplicates frames of a film with a variable frame rate.
      ...(container.isMovie && video && !order.video?.constantRate && !order.video?.frame ? ['-vsync', 'vfr'] : []),
      ...(container.isMovie && order.fastStart ? ['-movflags', '+faststart'] : []),
      ...(container.isFragmented ? fragmentArguments(video !== undefined) : []),
      ...(container.isPicture ? ['-frames:v', '1', '-update', '1'] : []),
      ...['-f', container.muxer],
    ],
  };
}

/** The arguments behind the input of an order, without the name of the file. Throws Unable. */
export function orderArguments(order: TranscodeOrder, making: Making): readonly string[] {
  const { video, audio, audioWords, container } = planOf(order, making);
  const filters = video?.filters ?? [];
  const streams = audio && (audio.streams.length === 0 ? [0] : audio.streams);
  return [
    ...(video ? ['-map', '0:v:0?', ...video.words] : ['-vn']),
    ...(filters.length > 0 ? ['-vf', filters.join(',')] : []),
    ...(streams?.flatMap((stream) => ['-map', `0:a:${stream}?`]) ?? ['-an']),
    ...audioWords,
    ...(audio ? channelArguments(audio, audioWords.includes('aac')) : []),
    ...container,
  ];
}

/**
 * Arguments to join parts, without the output file. `uris`: address of each part, undefined for black pictures. `seen`: of
 * each part. Throws Unable.
 */
export function joinArguments(
  { order, parts, canvas }: JoinOrder,
  uris: readonly (string | undefined)[],
  seen: readonly Making[],
): readonly string[] {
  // Parts have the colours of pages before they are one film.
  const { video, audio, audioWords, container } = planOf(order, { ...seen[0]!, look: joinedLook });
  const channels = audio?.channels ?? [];
  if (audio?.streams.some((stream) => stream !== 0)) unsupportedElement('audio.stream', audio.streams.join());
  if (channels.some((channel, at) => channel !== at) || channels.length > 2)
    unsupportedElement('audio.channel', channels.join());
  const graph = joinGraph(parts, seen, canvas, { pictures: video !== undefined, sound: audio !== undefined });
  return [
    ...parts.flatMap((part, at) => (uris[at] === undefined ? [] : inputOf(part, uris[at]))),
    ...[
      '-filter_complex',
      [...graph, ...(video ? [`[v]${[...video.filters, 'null'].join(',')}[video]`] : [])].join(';'),
    ],
    ...(video ? ['-map', '[video]', ...video.words] : []),
    ...(audio
      ? ['-map', '[sound]', ...audioWords, ...(channels.length > 0 ? ['-ac', String(channels.length)] : [])]
      : []),
    ...container,
  ];
}

/** A still has one picture, at whatever time. One thread for each input: there may be many. */
const inputOf = ({ pictures, from, seconds }: JoinPart, uri: string): readonly string[] => [
  ...inputWords,
  ...['-threads', '1'],
  ...(pictures === 'still' ? [] : ['-ss', from.toFixed(6), '-t', seconds.toFixed(6)]),
  ...['-i', uri],
];

const timeCodeOf = (text: string): string =>
  /^\d\d:\d\d:\d\d[:;.]\d\d$/.test(text) ? text : unsupportedElement('startTimecode', text);

/** The container has no pictures unless a preset names a codec for them. */
function videoOf({ video }: TranscodeOrder, defaultValue: string | undefined, making: Making): VideoWords | undefined {
  const codec = video?.codec ?? defaultValue;
  if (video === null || codec === undefined) return undefined;
  const encoder = encoderOf(videoEncoders, codec, making.encoders) ?? unsupportedElement('video.codec', codec);
  return videoArguments(video, encoder, making);
}

function audioOf(
  { audio }: TranscodeOrder,
  defaultValue: string | undefined,
  encoders: ReadonlySet<string>,
): { readonly audio: TranscodeAudio | undefined; readonly words: readonly string[] } {
  const codec = audio?.codec ?? defaultValue;
  if (audio === null || codec === undefined) return { audio: undefined, words: [] };
  const encoder = encoderOf(audioEncoders, codec, encoders) ?? unsupportedElement('audio.codec', codec);
  const { bitrate, sample, settings } = audio;
  const words = [
    ...['-c:a', encoder],
    ...(bitrate === undefined ? [] : ['-b:a', String(bitrate)]),
    ...(sample ? ['-ar', String(Math.round(sample.denominator / sample.numerator))] : []),
    ...settingArguments(settings, 'a', audioSettings, 'audio.setting'),
  ];
  return { audio, words };
}

const layouts: ReadonlyMap<number, string> = new Map([
  [1, 'mono'],
  [2, 'stereo'],
  [6, '5.1'],
  [8, '7.1'],
]);

/** Layouts of AAC that each player knows. Speakers at the side become those behind, and more than six become six. */
const knownLayouts = 'aformat=channel_layouts=mono|stereo|3.0|4.0|5.0|5.1';

/** The first channels may be more than the source has; others are taken one by one. */
function channelArguments({ channels }: TranscodeAudio, isAac: boolean): readonly string[] {
  if (channels.length === 0) return isAac ? ['-af', knownLayouts] : [];
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

export const endingOf = (format: string): string => ffmpegContainers[format]?.ending ?? '';

/** Around the input: a part of it, whose streams are copied. Throws Unable. */
export function cutArguments({ format, from, to }: CutOrder, uri: string): readonly string[] {
  const container = Object.hasOwn(ffmpegContainers, format)
    ? ffmpegContainers[format]!
    : unsupportedElement('format', format);
  if (container.isPicture) unsupportedElement('format', format);
  return [
    ...['-ss', from.toFixed(6), '-i', uri],
    ...(to === undefined ? [] : ['-t', Math.max(to - from, 0.001).toFixed(6)]),
    ...['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-sn', '-dn', '-map_chapters', '-1'],
    ...['-avoid_negative_ts', 'make_zero'],
    ...(container.isMovie ? ['-movflags', '+faststart'] : []),
    ...['-f', container.muxer],
  ];
}

/** The encoder of marked segments: its heads depend on nothing but the arguments. */
export const markEncoder = 'libx264';

/**
 * Arguments for a segment with a picture over it. All segments of a rendition must have one head. So the level is fixed, and
 * no picture refers to a later one.
 */
export function markArguments(
  { timescale, bitrate }: Omit<MarkOrder, 'overlay'>,
  [segment, overlay]: readonly [segment: string, overlay: string],
): readonly string[] {
  const ticks = Math.trunc(timescale);
  return [
    ...[...inputWords, '-copyts', '-i', segment, ...inputWords, '-i', overlay],
    ...['-filter_complex', '[0:v:0][1:v:0]overlay=format=auto,format=yuv420p[marked]', '-map', '[marked]'],
    ...['-c:v', markEncoder, '-preset', 'veryfast', '-crf', '23', '-threads', '2'],
    ...['-maxrate', String(Math.trunc(bitrate)), '-bufsize', String(Math.trunc(2 * bitrate))],
    ...['-profile:v', 'high', '-level:v', '4.2', '-bf', '0', '-g', '100000', '-sc_threshold', '0'],
    ...['-vsync', 'passthrough', '-enc_time_base', `1:${ticks}`, '-video_track_timescale', String(ticks)],
    ...['-avoid_negative_ts', 'disabled', '-map_metadata', '-1'],
    ...['-movflags', '+cmaf+frag_keyframe+frag_discont', '-f', 'mp4', 'pipe:1'],
  ];
}

/** Filters for pictures with square pixels in the box of an order. */
function stillFilters(
  { width, height }: Omit<StillOrder, 'seconds'>,
  { look, filters: has }: Pick<Making, 'look' | 'filters'>,
): readonly string[] {
  const box =
    width === undefined || height === undefined
      ? []
      : [`scale=${width}:${height}:force_original_aspect_ratio=decrease`];
  const size = ['scale=iw*sar:ih', 'setsar=1', ...box];
  return [...wholePictures(look, has), ...size, ...stillColours(look, has)];
}

/** Arguments after the input for one picture, written to the output. */
export const stillArguments = (
  order: Omit<StillOrder, 'seconds'>,
  making: Pick<Making, 'look' | 'filters'>,
): readonly string[] => [
  '-map',
  '0:v:0',
  '-vf',
  stillFilters(order, making).join(','),
  ...pictureArguments(order.type),
];

/** Arguments after the input for pictures with their times, as `TimedPictures` takes them. */
export const passArguments = (
  order: Omit<StillOrder, 'seconds'>,
  making: Pick<Making, 'look' | 'filters'>,
  select: string,
): readonly string[] => [
  ...['-map', '0:v:0', '-vf', [`select='${select}'`, ...stillFilters(order, making)].join(',')],
  ...['-vsync', 'passthrough', '-enc_time_base', '1:1000', '-c:v', ...encoderOfStills(order.type)],
  ...['-map_metadata', '-1', '-f', 'smjpeg', 'pipe:1'],
];

const encoderOfStills = (type: StillOrder['type']): readonly string[] =>
  type === 'image/png' ? ['png'] : ['mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '4'];

const pictureArguments = (type: StillOrder['type']): readonly string[] => [
  ...['-frames:v', '1', '-c:v', ...encoderOfStills(type), '-f', 'image2pipe', 'pipe:1'],
];

/** Seconds of a sound that are drawn: the filter holds all of its samples in memory. */
export const maxDrawnLength = 4 * 3600;
/** Samples a second that a drawing needs, and samples of one block: each block has a cost of its own. */
const [drawnRate, drawnBlock] = [8_000, 8_192];
const [waveColour, paperColour] = ['0x6ea8fe', '0x1b2430'];

/** Pixels of a drawing, which has no size of its own. */
export const drawingBox = ({ width, height }: Omit<StillOrder, 'seconds'>) =>
  width === undefined || height === undefined
    ? { width: 640, height: 360 }
    : { width: Math.trunc(width), height: Math.trunc(height) };

/** Arguments for a picture of the waveform of the first sound. */
export function waveformArguments(order: Omit<StillOrder, 'seconds'>): readonly string[] {
  const { width, height } = drawingBox(order);
  const size = `s=${width}x${height}`;
  const graph = [
    `[0:a:0]aformat=sample_fmts=s16:sample_rates=${drawnRate}:channel_layouts=mono,asetnsamples=n=${drawnBlock},` +
      `showwavespic=${size}:colors=${waveColour}:scale=sqrt[wave]`,
    `color=c=${paperColour}:${size}:d=1[paper]`,
    '[paper][wave]overlay=format=auto,setsar=1[drawing]',
  ];
  return ['-filter_complex', graph.join(';'), '-map', '[drawing]', ...pictureArguments(order.type)];
}
