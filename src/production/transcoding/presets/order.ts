import type { TranscodeAudio, TranscodeOrder, TranscodeScaling, TranscodeVideo } from '../../../spi/index.ts';
import type { Preset } from './preset.ts';

type AudioPreset = NonNullable<Preset['audio']>;
type VideoPreset = NonNullable<Preset['video']>;

/** Elements that other parts of the service carry out, or that change nothing of the file. */
const ignored: ReadonlySet<string> = new Set([
  ...['name', 'description', 'format', 'audio', 'video', 'startTimecode', 'fastStartSetting', 'preferredSourceTag'],
  ...['thumbnailResolution', 'thumbnailBackground', 'thumbnailPeriod', 'posterResolution', 'posterBackground'],
  ...['script', 'shapeMetadata', 'addClipName', 'preserveEDL'],
]);

const ofAudio: ReadonlySet<string> = new Set([
  ...['codec', 'bitrate', 'framerate', 'channel', 'stream', 'noAudio', 'setting', 'allChannel'],
]);

const ofVideo: ReadonlySet<string> = new Set([
  ...['codec', 'bitrate', 'framerate', 'resolution', 'scaling', 'forceCFR', 'gopSize', 'maxBFrames', 'pixelFormat'],
  ...['preset', 'profile', 'setting', 'noVideo', 'addParameterSets'],
]);

/** Without a value, and with one that asks for nothing: clients write all elements of their forms. */
function asksNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function beyond(element: object | undefined, allowed: ReadonlySet<string>, under = ''): string | undefined {
  const entry = Object.entries(element ?? {}).find(([name, value]) => !allowed.has(name) && !asksNothing(value));
  return entry && `${under}${entry[0]}`;
}

/** The first element of a preset that no transcoder of this service carries out. */
export const unsupported = ({ audio, video, ...preset }: Preset, unknown: readonly string[]): string | undefined =>
  unknown[0] ?? beyond(preset, ignored) ?? beyond(audio, ofAudio, 'audio.') ?? beyond(video, ofVideo, 'video.');

interface OrderExtras {
  readonly fastStart: boolean;
  readonly seconds?: number | undefined;
}

/** The container of a preset that has one. */
export const containerOf = ({ format }: Preset): string => format!.trim().toLowerCase();

/** Transcode order of a preset, which must have a format. */
export function transcodeOrder(preset: Preset, { fastStart, seconds }: OrderExtras): TranscodeOrder {
  const { audio, video, startTimecode, fastStartSetting } = preset;
  return {
    format: containerOf(preset),
    video: video?.noVideo === true ? null : videoOf(video ?? {}),
    audio: audio?.noAudio === true ? null : audioOf(audio ?? {}),
    fastStart: fastStartSetting?.requireFastStart ?? fastStart,
    ...(startTimecode !== undefined && { startTimecode }),
    ...(seconds !== undefined && { seconds }),
  };
}

const settingsOf = (pairs: readonly { readonly key: string; readonly value: string }[] = []) =>
  pairs.map(({ key, value }) => [key, value] as const);

/** Setting of presets that bounds the size of pictures: `1920x1080`. Documents of the original have no element for it. */
const boundKey = 'maxResolution';

/** Undefined: the setting has no such value, and no transcoder knows it. */
function boundOf(value: string): TranscodeVideo['within'] {
  const [, width = 0, height = 0] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(value.trim().toLowerCase()) ?? [];
  return width === 0 ? undefined : { width: Number(width), height: Number(height) };
}

function videoOf(video: VideoPreset): TranscodeVideo {
  const { codec, bitrate, framerate, forceCFR, gopSize, maxBFrames, pixelFormat, setting = [] } = video;
  const scaling = scalingOf(video);
  const bound = setting.find(({ key, value }) => key === boundKey && boundOf(value) !== undefined);
  const within = bound && boundOf(bound.value);
  return {
    ...(codec !== undefined && { codec: codec.trim().toLowerCase() }),
    ...(bitrate !== undefined && { bitrate }),
    ...(framerate && { frame: framerate }),
    ...(scaling && { scaling }),
    ...(within && { within }),
    ...(forceCFR && { constantRate: true }),
    ...(gopSize !== undefined && { gopSize }),
    ...(maxBFrames !== undefined && { maxBFrames }),
    ...(pixelFormat !== undefined && { pixelFormat }),
    presets: video.preset ?? [],
    profiles: video.profile ?? [],
    settings: settingsOf(setting.filter((each) => each !== bound)),
  };
}

function scalingOf({ scaling, resolution }: VideoPreset): TranscodeScaling | undefined {
  if (!scaling) return resolution && { width: resolution.width, height: resolution.height };
  const { pixelAspectRatio, targetDAR, rotate, ...sizes } = scaling;
  return {
    ...(resolution ?? {}),
    ...sizes,
    ...(rotate !== undefined && { rotate: Number(rotate) }),
    ...(pixelAspectRatio && { pixelAspect: [pixelAspectRatio.horizontal, pixelAspectRatio.vertical] as const }),
    ...(targetDAR && { displayAspect: [targetDAR.horizontal, targetDAR.vertical] as const }),
  };
}

function audioOf({ codec, bitrate, framerate, channel, stream, setting, allChannel }: AudioPreset): TranscodeAudio {
  return {
    ...(codec !== undefined && { codec: codec.trim().toLowerCase() }),
    ...(bitrate !== undefined && { bitrate }),
    ...(framerate && { sample: framerate }),
    channels: allChannel ? [] : (channel ?? []),
    streams: stream ?? [],
    settings: settingsOf(setting),
  };
}
