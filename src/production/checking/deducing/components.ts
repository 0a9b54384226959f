import { type ComponentKind, componentsOfShapes, filesOfShapes } from '../../../assets/shapes/public.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { KeyValue } from '../../../room/entities/key-values/store.ts';
import type { AudioTrack, ProbedTrack, ProbeResult, Ratio, VideoTrack } from '../../../spi/index.ts';

/** A component as the bytes of a file have it. Its properties are those of its document. */
export interface DeducedComponent {
  readonly kind: ComponentKind;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Key-value metadata: tags of the file or the track. */
  readonly metadata?: readonly KeyValue[];
}

/** The components of a file: its container first, then its tracks in their order. What is no media is one binary. */
export function componentsOf(probe: ProbeResult, size: number): readonly DeducedComponent[] {
  const tracks = probe.tracks.filter(({ kind }) => kind !== 'data');
  if (tracks.length === 0) return [{ kind: 'binary', properties: { length: size, ...formatOf(probe) } }];
  return [containerOf(probe), ...tracks.map(trackOf)];
}

const formatOf = ({ format }: ProbeResult) => (format === '' ? {} : { format });

/** Default time scale, in ticks per second. */
const microseconds = 1_000_000;

const isStill = (track: ProbedTrack): boolean => track.kind === 'video' && track.isStill === true;

function containerOf(probe: ProbeResult): DeducedComponent {
  const { duration, timeCode, startTime } = probe;
  const pictures = probe.tracks.every((track) => isStill(track) || track.kind === 'data');
  return {
    kind: 'container',
    metadata: Object.entries(probe.metadata ?? {}),
    properties: {
      ...formatOf(probe),
      ...(duration !== undefined && !pictures && { duration: timeOf(duration, scaleOf(probe)) }),
      ...(timeCode !== undefined && startOf(timeCode, probe)),
      ...(startTime !== undefined && !pictures && { startTimestamp: timeOf(startTime, scaleOf(probe)) }),
      ...(probe.bitrate !== undefined && { mediaInfo: { property: [pair('bitrate', probe.bitrate)] } }),
    },
  };
}

/** Lengths are told in samples of the sound where there is some, as the original has it. */
function scaleOf({ tracks }: ProbeResult): number {
  const sound = tracks.find((track): track is AudioTrack => track.kind === 'audio' && track.sampleRate > 0);
  const film = tracks.find(({ kind, timeScale }) => kind === 'video' && timeScale !== undefined);
  return sound?.sampleRate ?? film?.timeScale ?? microseconds;
}

const timeOf = (seconds: number, scale: number) => ({
  samples: Math.round(seconds * scale),
  timeBase: { numerator: 1, denominator: scale },
});

const pair = (key: string, value: string | number) => ({ key, value: String(value) });

/** Frames from midnight to the first one. Frames that a time code drops are no frames. */
function startOf(text: string, { tracks }: ProbeResult): Readonly<Record<string, unknown>> {
  const parts = /^(\d\d):(\d\d):(\d\d)([:;])(\d\d)$/.exec(text);
  const film = tracks.find((track): track is VideoTrack => track.kind === 'video' && track.frameRate !== undefined);
  if (!parts || !film) return {};
  const { numerator, denominator } = film.frameRate!;
  const rounded = Math.round(numerator / denominator);
  const [hours, minutes, seconds, frames] = [1, 2, 3, 5].map((at) => Number(parts[at])) as [
    number,
    number,
    number,
    number,
  ];
  const dropFrame = parts[4] === ';';
  const inAll = hours * 60 + minutes;
  const dropped = dropFrame ? Math.round(rounded / 15) * (inAll - Math.floor(inAll / 10)) : 0;
  return {
    firstSMPTETimecode: text,
    startTimecode: (inAll * 60 + seconds) * rounded + frames - dropped,
    roundedTimeBase: rounded,
    dropFrame,
    timeCodeTimeBase: { numerator: denominator, denominator: numerator },
  };
}

function trackOf(track: ProbedTrack): DeducedComponent {
  const { codec, index, timeScale, duration, bitrate, language, startTime, packets } = track;
  const own = track.kind === 'video' ? videoOf(track) : track.kind === 'audio' ? audioOf(track) : {};
  const scale = timeScale ?? (track.kind === 'audio' ? track.sampleRate : undefined);
  const kind = track.kind === 'data' ? 'binary' : track.kind;
  const { rotation, colour } = track as Partial<VideoTrack>;
  const info = [
    ...(language === undefined ? [] : [pair('language', language)]),
    ...(rotation === undefined ? [] : [pair('Rotation', rotation)]),
    ...(colour?.isFullRange === undefined ? [] : [pair('Color_range', colour.isFullRange ? 'Full' : 'Limited')]),
  ];
  return {
    kind,
    metadata: Object.entries(track.metadata ?? {}),
    properties: {
      ...(codec !== null && { codec }),
      ...(scale !== undefined && { timeBase: { numerator: 1, denominator: scale } }),
      essenceStreamId: index,
      ...(bitrate !== undefined && { bitrate }),
      ...(packets !== undefined && { numberOfPackets: packets }),
      ...(duration !== undefined && !isStill(track) && { duration: timeOf(duration, scale ?? microseconds) }),
      ...(startTime !== undefined && !isStill(track) && { startTimestamp: timeOf(startTime, scale ?? microseconds) }),
      ...own,
      ...(info.length > 0 && { mediaInfo: { property: info } }),
    },
  };
}

const across = ({ numerator, denominator }: Ratio) => ({ horizontal: numerator, vertical: denominator });

function videoOf(track: VideoTrack): Readonly<Record<string, unknown>> {
  const { width, height, frameRate, pixelAspect, pixelFormat, bitDepth, fieldOrder } = track;
  return {
    resolution: { width, height },
    ...displayOf(track),
    ...(pixelFormat !== undefined && { pixelFormat }),
    ...(bitDepth !== undefined && { bitDepth }),
    ...(fieldOrder !== undefined && { fieldOrder }),
    ...colourOf(track),
    ...(pixelAspect && { pixelAspectRatio: across(pixelAspect) }),
    ...(frameRate && { averageFrameRate: frameRate, realBaseFrameRate: frameRate }),
    ...(track.isStill && { numberOfPackets: 1 }),
  };
}

/** Colours by their code points, as the original tells them. */
function colourOf({ colour }: VideoTrack): Readonly<Record<string, number>> {
  const { primaries, transfer, matrix } = colour ?? {};
  return {
    ...(primaries !== undefined && { colr_primaries: primaries }),
    ...(transfer !== undefined && { colr_transfer_function: transfer }),
    ...(matrix !== undefined && { colr_matrix: matrix }),
  };
}

/** Size on a display of square pixels: the pixels, as wide as they are. Stills have none. */
function displayOf({ width, height, pixelAspect, isStill }: VideoTrack) {
  if (isStill || width === 0 || height === 0) return {};
  const { numerator, denominator } = pixelAspect ?? { numerator: 1, denominator: 1 };
  return {
    displayWidth: lowest(width * numerator, denominator),
    displayHeight: { numerator: height, denominator: 1 },
  };
}

function lowest(numerator: number, denominator: number): Ratio {
  let [divisor, rest] = [numerator, denominator];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const audioOf = ({ channels, channelMask, sampleFormat, frameSize }: AudioTrack) => ({
  ...(channels > 0 && { channelCount: channels }),
  ...(channelMask !== undefined && { channelLayout: channelMask }),
  ...(sampleFormat !== undefined && { sampleFormat }),
  ...(frameSize !== undefined && { frameSize }),
});

/** Summary of a file in one line, for the log of a job. */
export function probeSentence({ format, mimeType, tracks, duration, by }: ProbeResult): string {
  const trackSentences = tracks.map((track) => {
    const name = track.codec ?? 'unknown codec';
    if (track.kind === 'video') return `${name} ${track.width}x${track.height}`;
    return track.kind === 'audio' ? `${name} ${track.sampleRate} Hz, ${track.channels} channels` : name;
  });
  const length = duration === undefined ? [] : [`${Math.round(duration * 1000) / 1000} s`];
  const parts = [format === '' ? mimeType : format, ...trackSentences, ...length].join('; ');
  return by === '' ? parts : `${parts} (${by})`;
}

/** The components of a shape as they are stored, the ids of the files of each, and all files, the oldest first. */
export async function knownParts(reader: Reader, shapeId: string) {
  const ids = [shapeId];
  const rows = await componentsOfShapes(reader, { ids });
  const uses = await filesOfShapes(reader, { ids });
  const byComponent = [...groupBy(uses, ({ componentId }) => componentId)];
  const usedBy = new Map(byComponent.map(([id, files]) => [id, files.map(({ fileId }) => fileId)]));
  return { rows, usedBy, fileIds: [...new Set(uses.map(({ fileId }) => fileId))] };
}
