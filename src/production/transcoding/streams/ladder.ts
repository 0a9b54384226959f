import { JobFails } from '../../../room/jobs/job-type.ts';
import { containerOf } from '../presets/order.ts';
import type { Preset } from '../presets/preset.ts';

/** Format of presets whose shape is a stream: a file with one track for each rendition. */
export const streamFormat = 'cmaf';

export const makesStream = (preset: Preset): boolean => containerOf(preset) === streamFormat;

/** Form of the media in a stream: pictures of one size, or the sound. */
export interface Rendition {
  /** Unique within its stream: `1080p`, `audio`. */
  readonly name: string;
  readonly preset: Preset;
}

/** The media that a stream is made of. */
export interface LadderSource {
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly hasSound: boolean;
  /** Duration, where it is known. */
  readonly seconds?: number | undefined;
}

/** Heights with their usual bits a second. The smaller side of a portrait counts as its height. */
const rungs: readonly (readonly [height: number, bitrate: number])[] = [
  [2160, 14_000_000],
  [1440, 8_000_000],
  [1080, 5_000_000],
  [720, 2_800_000],
  [480, 1_400_000],
  [360, 800_000],
];

/** Seconds of a stream: the index of a longer one would be too large for a manifest. */
const maxLength = 12 * 3600;

/** Bits a second of two channels. */
const soundBitrate = 128_000;

/** Shares of the usual bits a second: what a second may take, and what a player keeps ahead. */
const [peak, buffer] = [1.2, 2];

/** Share of the size of a source from which on a box stands for it. */
const near = 0.9;

/** Codecs that every player of streams has. */
const videoCodecs: readonly (string | undefined)[] = [undefined, 'h264', 'avc'];
const audioCodecs: readonly (string | undefined)[] = [undefined, 'aac'];

/** Renditions of a stream, the largest first and the sound last. None is larger than its source. */
export function renditionsOf(preset: Preset, { size, hasSound, seconds = 0 }: LadderSource): readonly Rendition[] {
  if (seconds > maxLength)
    throw new JobFails(`Expected at most ${maxLength / 3600} hours for a stream: ${seconds} seconds`);
  const { video = {}, audio = {} } = preset;
  if (!videoCodecs.includes(video.codec?.trim().toLowerCase())) throw wrongCodec('h264', video.codec);
  if (!audioCodecs.includes(audio.codec?.trim().toLowerCase())) throw wrongCodec('aac', audio.codec);
  const pictures = video.noVideo || !size ? [] : heightsIn(size).map((each) => pictureRendition(preset, each));
  const sound = audio.noAudio || !hasSound ? [] : [soundRendition(preset)];
  const renditions = [...pictures, ...sound];
  if (renditions.length > 0) return renditions;
  throw new JobFails('Expected moving pictures or sound for a stream: the source has neither');
}

const wrongCodec = (expected: string, codec: string | undefined): JobFails =>
  new JobFails(`Expected the codec ${expected} in the preset of a stream: "${codec?.slice(0, 40)}"`);

interface RenditionSize {
  readonly name: string;
  /** Lines of the picture. Its width follows from the source. */
  readonly height: number;
  readonly bitrate: number;
}

/** The boxes of 16 to 9 that the source fills in one direction at least, below its own size where none is near it. */
function heightsIn({ width, height }: NonNullable<LadderSource['size']>): readonly RenditionSize[] {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const scaleTo = (rung: number): number => Math.min(((rung / 9) * 16) / long, rung / short);
  const first = rungs.findIndex(([rung]) => scaleTo(rung) <= 1);
  const fitting = (first < 0 ? [] : rungs.slice(first)).map(
    ([rung, bitrate]): RenditionSize => ({ name: `${rung}p`, height: even(height * scaleTo(rung)), bitrate }),
  );
  const scale = first < 0 ? 0 : scaleTo(rungs[first]![0]);
  // A source beyond the largest box is made smaller.
  if (first === 0 || scale >= near) return fitting;
  const isTaken = fitting.some(({ name }) => name === `${short}p`);
  const [, above] = rungs[first < 0 ? rungs.length - 1 : first - 1]!;
  const bitrate = first < 0 ? above : Math.min(above, Math.round(fitting[0]!.bitrate / scale ** 2));
  return [{ name: isTaken ? `${long}w` : `${short}p`, height: even(height), bitrate }, ...fitting];
}

/** Pictures of the codec have even sides. */
const even = (pixels: number): number => Math.max(2, Math.round(pixels / 2 - 0.01) * 2);

function pictureRendition(preset: Preset, { name, height, bitrate }: RenditionSize): Rendition {
  const { scaling: _scaling, resolution: _resolution, setting = [], ...video } = preset.video ?? {};
  const bounds = [
    { key: 'maxrate', value: String(bitrate * peak) },
    { key: 'bufsize', value: String(bitrate * buffer) },
  ];
  const own = setting.filter(({ key }) => bounds.every((each) => each.key !== key));
  const pictures = { ...video, scaling: { height }, bitrate, setting: [...own, ...bounds] };
  return { name, preset: { ...preset, video: pictures, audio: { noAudio: true } } };
}

function soundRendition(preset: Preset): Rendition {
  const { audio = {} } = preset;
  const sound = { bitrate: soundBitrate, ...audio, channel: audio.channel ?? [0, 1] };
  return { name: 'audio', preset: { ...preset, audio: sound, video: { noVideo: true } } };
}
