import type { AudioCodec, Rotation, VideoCodec } from 'mediabunny';
import type { TranscodeAudio, TranscodeOrder, TranscodeScaling, TranscodeVideo } from '../../src/spi/index.ts';

/** Codecs as presets name them, in the words of the library. */
export const videoNames: Readonly<Record<string, VideoCodec>> = {
  h264: 'avc',
  avc: 'avc',
  h265: 'hevc',
  hevc: 'hevc',
  vp8: 'vp8',
  vp9: 'vp9',
  av1: 'av1',
  prores: 'prores',
};

export const audioNames: Readonly<Record<string, AudioCodec>> = {
  aac: 'aac',
  mp3: 'mp3',
  opus: 'opus',
  vorbis: 'vorbis',
  flac: 'flac',
  ac3: 'ac3',
  eac3: 'eac3',
  pcm_s16le: 'pcm-s16',
  pcm_s16be: 'pcm-s16be',
  pcm_s24le: 'pcm-s24',
  pcm_s32le: 'pcm-s32',
  pcm_f32le: 'pcm-f32',
};

/** Container kinds of the library. */
type ContainerKind = 'mp4' | 'mov' | 'mkv' | 'webm' | 'mpegts' | 'wav' | 'mp3' | 'ogg' | 'flac' | 'adts';

interface ContainerName {
  readonly kind: ContainerKind;
  /** Default codec. Undefined: none. */
  readonly video?: string;
  readonly audio: string;
}

const film = { video: 'h264', audio: 'aac' };

export const containerNames: Readonly<Record<string, ContainerName>> = {
  mp4: { kind: 'mp4', ...film },
  m4a: { kind: 'mp4', audio: 'aac' },
  mov: { kind: 'mov', ...film },
  mkv: { kind: 'mkv', ...film },
  matroska: { kind: 'mkv', ...film },
  webm: { kind: 'webm', video: 'vp9', audio: 'opus' },
  mpegts: { kind: 'mpegts', ...film },
  ts: { kind: 'mpegts', ...film },
  wav: { kind: 'wav', audio: 'pcm_s16le' },
  wave: { kind: 'wav', audio: 'pcm_s16le' },
  mp3: { kind: 'mp3', audio: 'mp3' },
  ogg: { kind: 'ogg', audio: 'vorbis' },
  flac: { kind: 'flac', audio: 'flac' },
  adts: { kind: 'adts', audio: 'aac' },
  aac: { kind: 'adts', audio: 'aac' },
};

/** Codecs that the installed library encodes, by the names of presets. */
export interface Encodes {
  readonly video: readonly string[];
  readonly audio: readonly string[];
}

export interface VideoPlan {
  readonly codec: VideoCodec;
  readonly bitrate?: number;
  readonly frameRate?: number;
  /** Seconds between two key frames. */
  readonly keyFrameInterval?: number;
  readonly width?: number;
  readonly height?: number;
  /** Box that pictures fit in, also turned by a quarter. */
  readonly within?: TranscodeVideo['within'];
  readonly rotate?: Rotation;
}

export interface AudioPlan {
  readonly codec: AudioCodec;
  readonly bitrate?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
  /** Kept streams by number, from 0. */
  readonly streams: readonly number[];
}

/** An order in the words of the library. */
export interface ConversionPlan {
  readonly container: ContainerKind;
  readonly video: VideoPlan | undefined;
  readonly audio: AudioPlan | undefined;
  readonly isIndexFirst: boolean;
}

/** Reason why an order cannot be run, with the name of the element. */
class Unable extends Error {}

function unable(element: string, value: unknown): never {
  throw new Unable(`${element}=${String(value).slice(0, 60)}`);
}

/** Plan of an order, or its first part that the library does not support. */
export function conversionPlan(order: TranscodeOrder, encodes: Encodes): ConversionPlan | { readonly unable: string } {
  try {
    return planned(order, encodes);
  } catch (error) {
    if (error instanceof Unable) return { unable: error.message };
    throw error;
  }
}

function planned({ format, video, audio, startTimecode, fastStart }: TranscodeOrder, encodes: Encodes): ConversionPlan {
  const container = Object.hasOwn(containerNames, format) ? containerNames[format]! : unable('format', format);
  if (startTimecode !== undefined) unable('startTimecode', startTimecode);
  const pictures = video === null ? undefined : (video.codec ?? container.video);
  const sound = audio === null ? undefined : (audio.codec ?? container.audio);
  if (pictures === undefined && sound === undefined) unable('format', `${format} without pictures and sound`);
  return {
    container: container.kind,
    video: pictures === undefined ? undefined : videoPlan(video!, pictures, encodes.video),
    audio: sound === undefined ? undefined : audioPlan(audio!, sound, encodes.audio),
    isIndexFirst: fastStart,
  };
}

function codecOf<C>(names: Readonly<Record<string, C>>, codec: string, able: readonly string[], element: string): C {
  return Object.hasOwn(names, codec) && able.includes(codec) ? names[codec]! : unable(element, codec);
}

/** Speeds of other encoders, which a preset only wishes for. */
const speed = /^(?:(?:ultra|super|very)?fast|faster|medium|(?:very)?slow|slower)$/i;

function videoPlan(video: TranscodeVideo, name: string, able: readonly string[]): VideoPlan {
  const { bitrate, frame, gopSize, maxBFrames, pixelFormat, constantRate, profiles, settings, within } = video;
  const [preset] = video.presets.filter((each) => !speed.test(each));
  const codec = codecOf(videoNames, name, able, 'video.codec');
  if (maxBFrames !== undefined) unable('video.maxBFrames', maxBFrames);
  if (pixelFormat !== undefined) unable('video.pixelFormat', pixelFormat);
  if (preset !== undefined) unable('video.preset', preset);
  if (profiles[0] !== undefined) unable('video.profile', profiles[0]);
  if (settings[0] !== undefined) unable('video.setting', settings[0][0]);
  if (constantRate && !frame) unable('video.forceCFR', true);
  if (gopSize !== undefined && !frame) unable('video.gopSize', gopSize);
  const rate = frame && frame.denominator / frame.numerator;
  return {
    codec,
    ...(bitrate !== undefined && { bitrate }),
    ...(rate !== undefined && { frameRate: rate }),
    ...(gopSize !== undefined && rate !== undefined && { keyFrameInterval: gopSize / rate }),
    ...(video.scaling && scalingPlan(video.scaling)),
    ...(within && { within }),
  };
}

/** Encoders want even sizes. */
const even = (pixels: number): number => Math.max(2, Math.trunc(pixels / 2 + 0.001) * 2);

type Size = NonNullable<TranscodeVideo['within']>;

/** Size of pictures that fit in the box of a plan. Undefined: they keep theirs. */
export function sizeWithin({ width, height }: Size, { within, ...plan }: VideoPlan): Partial<Size> | undefined {
  if (!within) return undefined;
  const isTurned = plan.rotate === 90 || plan.rotate === 270;
  const [across, down] = isTurned ? [height, width] : [width, height];
  const wide = plan.width ?? (plan.height === undefined ? across : (across * plan.height) / down);
  const high = plan.height ?? (plan.width === undefined ? down : (down * plan.width) / across);
  const [long, short] = [Math.max(within.width, within.height), Math.min(within.width, within.height)];
  const share = Math.min(long / Math.max(wide, high), short / Math.min(wide, high));
  return share < 1 ? { width: even(wide * share), height: even(high * share) } : undefined;
}

const rotations: ReadonlyMap<number, Rotation> = new Map([
  [0, 0],
  [90, 90],
  [180, 180],
  [270, 270],
  [-90, 270],
]);

function scalingPlan(scaling: TranscodeScaling): Partial<VideoPlan> {
  const { width, height, rotate = 0, pixelAspect, displayAspect } = scaling;
  for (const side of ['top', 'bottom', 'left', 'right'] as const)
    if (scaling[side]) unable(`video.scaling.${side}`, scaling[side]);
  if (pixelAspect) unable('video.scaling.pixelAspectRatio', pixelAspect.join(':'));
  if (displayAspect) unable('video.scaling.targetDAR', displayAspect.join(':'));
  const turn = rotations.get(rotate) ?? unable('video.scaling.rotate', rotate);
  return {
    ...(width !== undefined && { width: even(width) }),
    ...(height !== undefined && { height: even(height) }),
    ...(turn !== 0 && { rotate: turn }),
  };
}

function audioPlan(audio: TranscodeAudio, name: string, able: readonly string[]): AudioPlan {
  const { bitrate, sample, channels, streams, settings } = audio;
  const codec = codecOf(audioNames, name, able, 'audio.codec');
  if (channels.some((channel, at) => channel !== at)) unable('audio.channel', channels.join());
  if (streams.some((stream, at) => at > 0 && stream <= streams[at - 1]!)) unable('audio.stream', streams.join());
  if (settings[0] !== undefined) unable('audio.setting', settings[0][0]);
  return {
    codec,
    ...(bitrate !== undefined && { bitrate }),
    ...(sample && { sampleRate: Math.round(sample.denominator / sample.numerator) }),
    ...(channels.length > 0 && { channels: channels.length }),
    streams: streams.length === 0 ? [0] : streams,
  };
}
