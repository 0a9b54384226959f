import type {
  ConversionAudioOptions,
  ConversionVideoOptions,
  Input,
  InputTrack,
  InputVideoTrack,
  Output,
  OutputFormat,
} from 'mediabunny';
import type { MediaSource } from '../../src/spi/index.ts';
import { mediaError, probeError, readRanges } from '../probers/media-prober.ts';
import type { AudioPlan, ConversionPlan, Encodes, VideoPlan } from './plan.ts';
import { audioNames, sizeWithin, videoNames } from './plan.ts';

/** The library of an operator, with the decoders and encoders that he has put beside it. */
export type MediaLibrary = typeof import('mediabunny');

/** Codecs that can be encoded beside the library, by the names of presets. */
export async function encodesOf(library: MediaLibrary): Promise<Encodes> {
  const able = async <C>(names: Readonly<Record<string, C>>, ask: (codec: C) => Promise<boolean>) => {
    const ableNames: string[] = [];
    for (const [name, codec] of Object.entries(names)) if (await ask(codec)) ableNames.push(name);
    return ableNames;
  };
  return {
    video: await able(videoNames, (codec) => library.canEncodeVideo(codec)),
    audio: await able(audioNames, (codec) => library.canEncodeAudio(codec)),
  };
}

export interface Conversion {
  /** Writes bytes of the new file at a place of it. */
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** `done`: from 0 to 1. `seconds`: of the source. */
  progress(done: number, seconds: number): void;
}

/** Files that are not larger than this are put together in memory, where their index is to stand first. */
export const maxInMemory = 192 * 1024 * 1024;
const pieceBytes = 4 * 1024 * 1024;
/** Bits a second of a film whose preset says nothing. */
const defaultBitrate = 8_000_000;

/** Opens media by ranges. Playlists are left out: they lead to other files. */
export async function openMedia(library: MediaLibrary, source: MediaSource): Promise<Input> {
  const { MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC, MPEG_TS } = library;
  const formats = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC, MPEG_TS];
  const input = new library.Input({ formats, source: readRanges(library, source) });
  try {
    if (await input.canRead()) return input;
    throw mediaError('unsupported', 'Expected a container that mediabunny reads');
  } catch (error) {
    input.dispose();
    throw probeError(error);
  }
}

/** Makes another form of media. Gives sentences about what is not as it should be. */
export async function convert(
  library: MediaLibrary,
  source: MediaSource,
  plan: ConversionPlan,
  { write, progress }: Conversion,
): Promise<readonly string[]> {
  const input = await openMedia(library, source);
  try {
    const seconds = await input.getDurationFromMetadata(undefined, { skipLiveWait: true });
    const isInMemory = plan.isIndexFirst && likelyBytes(plan, seconds ?? 0) <= maxInMemory;
    const output = outputOf(library, outputFormat(library, plan, isInMemory), write);
    const { video, audio } = plan;
    const conversion = await library.Conversion.init({
      input,
      output,
      // A preset asks for a new encoding, as it does of every transcoder.
      copy: false,
      showWarnings: false,
      video: async (track) => (video && track.number === 1 ? fitting(video, track) : { discard: true }),
      audio: ({ number }) => (audio?.streams.includes(number - 1) ? audioOptions(audio) : { discard: true }),
    });
    for (const { track, reason } of conversion.discardedTracks) await mayBeLeftOut(track, reason);
    if (!conversion.isValid || conversion.utilizedTracks.length === 0)
      throw mediaError('broken', 'Expected media with pictures or sound');
    conversion.onProgress = progress;
    await conversion.execute();
    const hasWideRange =
      plan.video !== undefined && (await (await input.getPrimaryVideoTrack())?.hasHighDynamicRange());
    const hasIndex = /^(?:mp4|mov)$/.test(plan.container);
    return [
      ...(hasIndex && plan.isIndexFirst && !isInMemory ? ['The index of the file stands at its end: it is large'] : []),
      ...(hasWideRange ? ['The source is HDR, and mediabunny does not map it to SDR: install ffmpeg'] : []),
    ];
  } catch (error) {
    throw probeError(error);
  } finally {
    input.dispose();
  }
}

/** The library does not decode this track. The caller did not ask for a file without it, so the plan fails. */
async function mayBeLeftOut(track: InputTrack, reason: string): Promise<void> {
  if (reason === 'discarded_by_user' || !(track.isVideoTrack() || track.isAudioTrack())) return;
  const codec = (await track.getCodec()) ?? 'an unknown one';
  throw mediaError('unsupported', `Expected a codec that mediabunny can convert: found ${codec} (${reason})`);
}

const likelyBytes = ({ video, audio }: ConversionPlan, seconds: number): number =>
  (((video ? (video.bitrate ?? defaultBitrate) : 0) + (audio ? (audio.bitrate ?? 1_536_000) : 0)) * seconds) / 8;

/** A file that is written piece by piece. */
export function outputOf(library: MediaLibrary, format: OutputFormat, write: Conversion['write']): Output {
  const sink = new WritableStream<{ readonly data: Uint8Array; readonly position: number }>({
    write: ({ data, position }) => write(data, position),
  });
  return new library.Output({
    format,
    target: new library.StreamTarget(sink, { chunked: true, chunkSize: pieceBytes }),
  });
}

export function outputFormat(
  library: MediaLibrary,
  { container }: Pick<ConversionPlan, 'container'>,
  isInMemory: boolean,
): OutputFormat {
  const movie = { fastStart: isInMemory ? ('in-memory' as const) : (false as const) };
  switch (container) {
    case 'mp4':
      return new library.Mp4OutputFormat(movie);
    case 'mov':
      return new library.MovOutputFormat(movie);
    case 'mkv':
      return new library.MkvOutputFormat();
    case 'webm':
      return new library.WebMOutputFormat();
    case 'mpegts':
      return new library.MpegTsOutputFormat();
    case 'wav':
      return new library.WavOutputFormat();
    case 'mp3':
      return new library.Mp3OutputFormat();
    case 'ogg':
      return new library.OggOutputFormat();
    case 'flac':
      return new library.FlacOutputFormat();
    case 'adts':
      return new library.AdtsOutputFormat();
  }
}

/** Options of the first pictures, which fit in the box of the plan. */
async function fitting(plan: VideoPlan, track: InputVideoTrack): Promise<ConversionVideoOptions> {
  const size = plan.within && { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
  return videoOptions({ ...plan, ...(size && sizeWithin(size, plan)) });
}

const videoOptions = ({ width, height, bitrate, within: _within, ...plan }: VideoPlan): ConversionVideoOptions => ({
  ...plan,
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
  ...(width !== undefined && height !== undefined && { fit: 'fill' as const }),
  ...(bitrate !== undefined && { bitrate }),
  forceTranscode: true,
});

const audioOptions = ({ codec, bitrate, sampleRate, channels }: AudioPlan): ConversionAudioOptions => ({
  codec,
  ...(bitrate !== undefined && { bitrate }),
  ...(sampleRate !== undefined && { sampleRate }),
  ...(channels !== undefined && { numberOfChannels: channels }),
  forceTranscode: true,
});

/** Duration of media in seconds. Undefined: unknown. */
export async function mediaSeconds(library: MediaLibrary, source: MediaSource): Promise<number | undefined> {
  const input = await openMedia(library, source);
  try {
    const duration = await input.getDurationFromMetadata(undefined, { skipLiveWait: true });
    return duration ?? (await input.computeDuration(undefined, { skipLiveWait: true }));
  } finally {
    input.dispose();
  }
}
