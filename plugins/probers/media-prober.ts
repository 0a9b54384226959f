import type { Input, InputAudioTrack, InputTrack, InputVideoTrack } from 'mediabunny';
import type { ContainerBox } from '../../src/kit/index.ts';
import type {
  AudioTrack,
  MediaErrorKind,
  MediaSource,
  ProbedTrack,
  ProbeResult,
  Prober,
  Ratio,
  VideoTrack,
} from '../../src/spi/index.ts';
import { pictureForm, soundForm } from './codecs.ts';
import { namedColour } from './colour.ts';
import { type Container, codecName, knownBytes, libraryContainers } from './containers.ts';
import {
  firstBoxes,
  firstTimeCode,
  hasEndlessChunk,
  type IsoTrack,
  isoFileTags,
  isoHeader,
  isoTracks,
} from './iso-header.ts';

/** Media error in the form for probers. */
export const mediaError = (kind: MediaErrorKind, message: string): Error =>
  Object.assign(new Error(message), { name: 'MediaError', kind });

const commonRatios: readonly Ratio[] = [
  ...[24, 30, 60, 120].map((rate) => ({ numerator: rate * 1000, denominator: 1001 })),
  ...[12, 15, 24, 25, 30, 48, 50, 60, 100, 120].map((rate) => ({ numerator: rate, denominator: 1 })),
];

/** The rate as the first packets have it: a usual one where that is within a thousandth. */
async function frameRateOf(track: InputVideoTrack, packets: number): Promise<Ratio | undefined> {
  const { averagePacketRate: rate, packetCount } = await track.computePacketStats(packets, { skipLiveWait: true });
  if (packetCount < 2 || !Number.isFinite(rate) || rate <= 0 || rate > 10_000) return undefined;
  return nearest(rate) ?? { numerator: Math.round(rate * 1000), denominator: 1000 };
}

function nearest(rate: number): Ratio | undefined {
  const distance = ({ numerator, denominator }: Ratio) => Math.abs(numerator / denominator - rate);
  const best = commonRatios.toSorted((one, other) => distance(one) - distance(other))[0]!;
  return distance(best) <= rate * 0.0004 ? best : undefined;
}

/** A file with more is made to take time. */
const maxTracks = 200;
/** Boxes of an ISO file that are looked at: films in fragments have thousands. */
const maxBoxes = 8;
/** Packets read to estimate a bitrate. */
const packets = 50;

/** Reads containers of films and sounds by ranges of their bytes. */
export const mediaProber: Prober = {
  name: 'mediabunny',
  accepts: knownBytes,
  async probe(source, { signal }) {
    const library = await import('./media-library.ts');
    // Playlists are left out: they lead to other files.
    const formats = [
      ...[library.MP4, library.QTFF, library.MATROSKA, library.WEBM, library.MP3, library.WAVE],
      ...[library.OGG, library.ADTS, library.FLAC, library.MPEG_TS],
    ];
    const input = new library.Input({ formats, source: readRanges(library, source) });
    const stop = () => input.dispose();
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (!(await input.canRead())) throw mediaError('unsupported', 'Expected a container that is known');
      return await describe(input, source);
    } catch (error) {
      throw signal.aborted ? mediaError('aborted', 'The probe was ended') : probeError(error);
    } finally {
      signal.removeEventListener('abort', stop);
      input.dispose();
    }
  },
};

/** Reads at so few places in succession that only a reader in a circle makes so many. */
const [maxReads, fewPlaces] = [5000, 8];

/** Bytes of a source, as the library asks for them. Throws where it goes in a circle: such a loop has no other end. */
export function readRanges(library: typeof import('./media-library.ts'), source: MediaSource) {
  const ranges = new library.CustomSource({
    getSize: () => source.size,
    read: (from, end) => source.read({ from, end: Math.min(end, source.size) }),
    prefetchProfile: 'network',
    maxCacheSize: 16 * 1024 * 1024,
    // The waiting call throws the same error.
    handleUnhandledError: () => undefined,
  });
  // The search for elements of Matroska stays at the last bytes of a file, or at an element that it cannot read.
  const inner = ranges as unknown as { _read: (from: number, ...more: unknown[]) => unknown };
  const read = inner._read.bind(ranges);
  const places = new Set<number>();
  let reads = 0;
  inner._read = (from, ...more) => {
    reads = places.add(from).size > fewPlaces ? 0 : reads + 1;
    if (reads === 0) places.clear();
    if (reads > maxReads) throw mediaError('broken', `Expected an element that can be read at byte ${from}`);
    return read(from, ...more);
  };
  return ranges;
}

/** Fault of a probed file. Errors of the source and of this module stay unchanged. */
export function probeError(error: unknown): unknown {
  if ((error as { kind?: unknown } | undefined)?.kind !== undefined) return error;
  const said = error instanceof Error ? error.message : String(error);
  return mediaError('broken', `Expected a whole media file: ${said.slice(0, 300)}`);
}

async function describe(input: Input, source: MediaSource): Promise<ProbeResult> {
  const format = await input.getFormat();
  const container = libraryContainers[format.name] ?? { format: format.name, ofVideo: '', ofAudio: '' };
  // Readers take a film that is cut for a short one.
  const boxes = container.format.startsWith('mov,') ? await firstBoxes(source, maxBoxes) : [];
  const header = await isoHeader(source, boxes);
  if (header && hasEndlessChunk(header)) throw mediaError('broken', 'Expected at most a million packets in a chunk');
  const inputTracks = await input.getTracks();
  if (inputTracks.length > maxTracks) {
    throw mediaError('broken', `Expected at most ${maxTracks} tracks: found ${inputTracks.length}`);
  }
  const missingBytes = Math.max(0, (boxes.at(-1)?.end ?? 0) - source.size);
  if (inputTracks.length === 0) throw mediaError('broken', noTracks(format.name, boxes, missingBytes));
  const described = header ? isoTracks(header) : undefined;
  const tracks: ProbedTrack[] = [];
  for (const [index, track] of inputTracks.entries())
    tracks.push(await trackOf(track, index, described?.get(track.id)));
  const metadata = await isoFileTags(source, boxes, header);
  const startTime = seconds(await input.getFirstTimestamp());
  const duration = await durationOf(input, container, inputTracks, source);
  const isTransport = container.format === 'mpegts';
  const timeCode = await firstTimeCode(source, header);
  const isFilm = tracks.some(({ kind }) => kind === 'video');
  return {
    by: 'mediabunny',
    format: container.format,
    mimeType: isFilm ? container.ofVideo : container.ofAudio,
    ...(duration !== undefined && { duration: duration, bitrate: bitrateOf(source.size, duration) }),
    ...(timeCode !== undefined && { timeCode }),
    ...(startTime !== undefined && { startTime }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    tracks,
    // Streams of other makes are left out of transport streams without a word.
    isPartial: isTransport || duration === undefined || missingBytes > 0,
    ...(missingBytes > 0 && { missingBytes }),
    bytesRead: 0,
    warnings: [
      ...(duration === undefined ? ['The file does not say how long it is'] : []),
      ...(isTransport ? ['Of a transport stream, the length is an estimate, and tracks may be missing'] : []),
    ],
  };
}

/** Why a file of a known format has no tracks: most often its index, which recorders write last, did not arrive. */
function noTracks(format: string, boxes: readonly ContainerBox[], missingBytes: number): string {
  const isWhole = missingBytes === 0 && boxes.some(({ type }) => type === 'moov');
  if (boxes.length === 0 || isWhole) return `Expected tracks in the ${format} file: found none`;
  const how = missingBytes > 0 ? `it is cut, ${missingBytes} bytes or more of it are missing` : 'it was not finished';
  return `Expected a whole ${format} file with the index of its tracks (moov): ${how}`;
}

/** Bits a second. */
const bitrateOf = (size: number, seconds: number): number => (seconds > 0 ? Math.round((size * 8) / seconds) : 0);

/** Some formats have it in their header only, or nowhere: to find it there would read all of the file. */
async function durationOf(
  input: Input,
  { format }: Container,
  tracks: readonly InputTrack[],
  source: MediaSource,
): Promise<number | undefined> {
  const duration = await input.getDurationFromMetadata(undefined, { skipLiveWait: true });
  if (duration !== null) return sound(duration);
  if (format !== 'mp3' && format !== 'aac')
    return sound(await input.computeDuration(undefined, { skipLiveWait: true }));
  const { averageBitrate } = await tracks[0]!.computePacketStats(packets, { skipLiveWait: true });
  return averageBitrate > 0 ? sound((source.size * 8) / averageBitrate) : undefined;
}

/** Headers say what they like. */
const sound = (seconds: number): number | undefined =>
  Number.isFinite(seconds) && seconds >= 0 && seconds < 1e9 ? seconds : undefined;

/** Times before the first one of the film belong to packets that are decoded and not shown. */
const seconds = (time: number): number | undefined => sound(Math.max(0, time));

async function trackOf(track: InputTrack, index: number, described?: IsoTrack): Promise<ProbedTrack> {
  const timeScale = await track.getTimeResolution();
  const duration = sound((await track.getDurationFromMetadata({ skipLiveWait: true })) ?? Number.NaN);
  const bitrate = (await track.getAverageBitrate()) ?? (await track.getBitrate());
  const language = await track.getLanguageCode();
  const startTime = seconds(await track.getFirstTimestamp());
  const { metadata = {}, packets: count } = described ?? {};
  const base = {
    index,
    codec: codecName(await track.getCodec()),
    ...(Number.isInteger(timeScale) && timeScale > 0 && { timeScale }),
    ...(duration !== undefined && { duration }),
    ...(bitrate !== null && bitrate > 0 && { bitrate: Math.round(bitrate) }),
    ...(language !== 'und' && { language }),
    ...(startTime !== undefined && { startTime }),
    ...(count !== undefined && { packets: count }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  if (track.isVideoTrack()) return { ...base, ...(await videoOf(track, described?.fieldOrder)) };
  if (track.isAudioTrack()) return { ...base, ...(await audioOf(track, described?.channelMask)) };
  return { ...base, kind: 'data' };
}

async function videoOf(track: InputVideoTrack, fieldOrder?: string): Promise<Omit<VideoTrack, 'index' | 'codec'>> {
  const { num, den } = await track.getPixelAspectRatio();
  const rotation = await track.getRotation();
  const frameRate = await frameRateOf(track, packets);
  const colour = namedColour(await track.getColorSpace());
  const parameters = await track.getCodecParameterString();
  const description = bytesOf((await track.getDecoderConfig())?.description);
  return {
    kind: 'video',
    width: await track.getCodedWidth(),
    height: await track.getCodedHeight(),
    ...(num > 0 && den > 0 && { pixelAspect: { numerator: num, denominator: den } }),
    ...(rotation !== 0 && { rotation }),
    ...(frameRate && { frameRate }),
    ...pictureForm(codecName(await track.getCodec()), parameters, description),
    ...(fieldOrder !== undefined && { fieldOrder }),
    ...(colour && { colour }),
  };
}

const bytesOf = (source: AllowSharedBufferSource | undefined): Uint8Array | undefined =>
  source === undefined || !ArrayBuffer.isView(source)
    ? source && new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);

async function audioOf(track: InputAudioTrack, channelMask?: number): Promise<Omit<AudioTrack, 'index' | 'codec'>> {
  const [sampleRate, channels] = [await track.getSampleRate(), await track.getNumberOfChannels()];
  const form = soundForm(codecName(await track.getCodec()), channels, sampleRate);
  return { kind: 'audio', sampleRate, channels, ...form, ...(channelMask !== undefined && { channelMask }) };
}
