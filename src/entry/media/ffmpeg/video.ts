import type { TranscodeScaling, TranscodeVideo } from '../../../spi/index.ts';
import { filmColours, filmTags, type PictureLook, stillColours, wholePictures } from './colour.ts';

/** Reason why an order cannot be run, with the name of the element. */
export class Unable extends Error {}

export const unsupportedElement = (element: string, value: unknown): never => {
  throw new Unable(`${element}=${String(value).slice(0, 60)}`);
};

const speeds = new Set([
  'ultrafast',
  'superfast',
  'veryfast',
  'faster',
  'fast',
  'medium',
  'slow',
  'slower',
  'veryslow',
]);

/** Profiles by encoder: as presets name them, and as ffmpeg does. */
const profiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  libx264: {
    baseline: 'baseline',
    main: 'main',
    high: 'high',
    high10: 'high10',
    high422: 'high422',
    high444: 'high444',
  },
  libx265: { main: 'main', main10: 'main10' },
  prores_ks: { proxy: '0', lt: '1', standard: '2', hq: '3', 4444: '4', '4444xq': '5' },
  mpeg2video: { 422: '0', main: '4', simple: '5' },
};

/** Settings of encoders that presets may say: each takes a number or a word, and opens nothing. */
const settings = new Set([
  ...['crf', 'tune', 'level', 'maxrate', 'minrate', 'bufsize', 'qmin', 'qmax', 'qscale', 'keyint_min', 'sc_threshold'],
  ...['refs', 'cpu-used', 'deadline', 'row-mt', 'threads', 'flags', 'dc', 'me_method', 'coder', 'rc-lookahead'],
]);
const plain = /^[A-Za-z0-9.+_-]{1,40}$/;

/** Encoders whose players expect the usual colours and even sizes. */
const even = new Set(['libx264', 'libopenh264', 'libx265', 'libvpx', 'libvpx-vp9', 'mpeg4', 'libaom-av1', 'libsvtav1']);

/** Pixel formats with more than eight bits of a colour. */
const deep = /(?:9|1[0-6])(?:le|be)?$|^(?:p0|x2)/;

/** Program and source of an order. */
export interface Making {
  readonly encoders: ReadonlySet<string>;
  readonly filters: ReadonlySet<string>;
  /** First picture of the source. Undefined: not known, so that its colours stay as they are. */
  readonly look?: PictureLook | undefined;
}

/** Whether pictures keep the colours of their source: a film that is edited further, or a tag that asks for many bits. */
const keepsColours = (encoder: string, pixelFormat: string | undefined): boolean =>
  pixelFormat === undefined ? encoder.startsWith('prores') : deep.test(pixelFormat);

/** Arguments of an encoder, and filters for each picture. */
export interface VideoWords {
  readonly words: readonly string[];
  readonly filters: readonly string[];
}

export function videoArguments(video: TranscodeVideo, encoder: string, { look, filters: has }: Making): VideoWords {
  const { bitrate, gopSize, maxBFrames, pixelFormat, presets, constantRate, frame } = video;
  const options: string[] = ['-c:v', encoder];
  if (bitrate !== undefined) options.push('-b:v', String(bitrate));
  if (gopSize !== undefined) options.push('-g', String(gopSize));
  if (maxBFrames !== undefined) options.push('-bf', String(maxBFrames));
  if (pixelFormat !== undefined && !/^[a-z0-9]{1,20}$/.test(pixelFormat))
    unsupportedElement('video.pixelFormat', pixelFormat);
  const format = pixelFormat ?? (encoder === 'mjpeg' ? 'yuvj420p' : even.has(encoder) ? 'yuv420p' : undefined);
  if (format !== undefined) options.push('-pix_fmt', format);
  for (const preset of presets) options.push(...presetArguments(preset, encoder));
  for (const profile of video.profiles) options.push('-profile:v', profileOf(profile, encoder, 'video.profile'));
  options.push(...settingArguments(video.settings, 'v', settings, 'video.setting'));
  if (constantRate && !frame) options.push('-vsync', 'cfr');
  const isStill = encoder === 'mjpeg' || encoder === 'png';
  const keeps = keepsColours(encoder, pixelFormat);
  if (look && !keeps && !isStill) options.push(...filmTags);
  const filters = [
    ...(keeps ? [] : wholePictures(look, has)),
    ...filtersOf(video),
    ...(even.has(encoder) || video.within
      ? [fittingSize(video)]
      : isStill && !video.scaling
        ? ['scale=iw*sar:ih', 'setsar=1']
        : []),
    ...(keeps ? [] : isStill ? stillColours(look, has) : filmColours(look, has)),
  ];
  return { words: options, filters };
}

/** Even sides within the box, and square pixels where the preset says nothing of sizes: not all players know of others. */
function fittingSize({ scaling, within }: TranscodeVideo): string {
  const width = scaling ? 'iw' : 'iw*sar';
  const square = scaling ? '' : ',setsar=1';
  if (!within) return `scale=trunc(${width}/2)*2:trunc(ih/2)*2${square}`;
  const [long, short] = [Math.max(within.width, within.height), Math.min(within.width, within.height)].map(Math.trunc);
  const share = `min(1,min(${long}/max(${width},ih),${short}/min(${width},ih)))`;
  // The product may be a hair below an even number.
  const side = (pixels: string) => `'trunc(${pixels}*${share}/2+0.001)*2'`;
  return `scale=${side(width)}:${side('ih')}${square}`;
}

function presetArguments(preset: string, encoder: string): readonly string[] {
  const word = preset.toLowerCase();
  // Speeds are hints: encoders without them use their own.
  if (speeds.has(word)) return /^libx26[45]$/.test(encoder) ? ['-preset', word] : [];
  if (word === 'ipod' && encoder === 'libx264') return ['-profile:v', 'baseline', '-level', '3.0'];
  return ['-profile:v', profileOf(word, encoder, 'video.preset')];
}

const profileOf = (profile: string, encoder: string, element: string): string =>
  profiles[encoder]?.[profile.toLowerCase()] ?? unsupportedElement(element, profile);

export function settingArguments(
  pairs: readonly (readonly [key: string, value: string])[],
  stream: 'v' | 'a',
  known: ReadonlySet<string>,
  element: string,
): readonly string[] {
  return pairs.flatMap(([key, value]) => {
    if (!known.has(key)) unsupportedElement(element, key);
    if (!plain.test(value)) unsupportedElement(`${element}.${key}`, value);
    return [`-${key}:${stream}`, value];
  });
}

function filtersOf({ scaling, frame }: TranscodeVideo): readonly string[] {
  const rate = frame ? [`fps=${Math.trunc(frame.denominator)}/${Math.trunc(frame.numerator)}`] : [];
  return [...(scaling ? scalingFilters(scaling) : []), ...rate];
}

const rotationFilters: ReadonlyMap<number, string> = new Map([
  [90, 'transpose=clock'],
  [180, 'hflip,vflip'],
  [270, 'transpose=cclock'],
  [-90, 'transpose=cclock'],
]);

/** Cuts and borders first, then the turn, then the size. */
function scalingFilters(scaling: TranscodeScaling): readonly string[] {
  const { width, height, top = 0, bottom = 0, left = 0, right = 0, padColor = 'black', rotate = 0 } = scaling;
  if (!/^(?:[A-Za-z]{1,20}|#[0-9A-Fa-f]{6})$/.test(padColor)) unsupportedElement('video.scaling.padColor', padColor);
  const cut = (pixels: number) => Math.max(0, Math.trunc(pixels));
  const border = (pixels: number) => Math.max(0, -Math.trunc(pixels));
  const filters: string[] = [];
  if ([top, bottom, left, right].some((pixels) => pixels > 0)) {
    filters.push(`crop=iw-${cut(left) + cut(right)}:ih-${cut(top) + cut(bottom)}:${cut(left)}:${cut(top)}`);
  }
  if ([top, bottom, left, right].some((pixels) => pixels < 0)) {
    const size = `iw+${border(left) + border(right)}:ih+${border(top) + border(bottom)}`;
    filters.push(`pad=${size}:${border(left)}:${border(top)}:${padColor}`);
  }
  if (rotate !== 0) filters.push(rotationFilters.get(rotate) ?? unsupportedElement('video.scaling.rotate', rotate));
  if (width !== undefined || height !== undefined) filters.push(`scale=${width ?? -2}:${height ?? -2}`);
  const aspect = (name: string, [horizontal, vertical]: readonly [number, number]) =>
    filters.push(`${name}=${Math.trunc(horizontal)}/${Math.trunc(vertical)}`);
  if (scaling.pixelAspect) aspect('setsar', scaling.pixelAspect);
  if (scaling.displayAspect) aspect('setdar', scaling.displayAspect);
  return filters;
}
