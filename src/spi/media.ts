import type { ByteRange } from './storage.ts';

/** Bytes of unknown make, wherever they lie. */
export interface MediaSource {
  readonly size: number;
  /** The last part of its path: a hint only. */
  readonly name?: string;
  /** Exactly the bytes of the range. What the storage throws comes out as it is. */
  read(range: ByteRange): Promise<Uint8Array>;
}

/** A ratio of whole numbers, such as 30000/1001. */
export interface Ratio {
  readonly numerator: number;
  readonly denominator: number;
}

interface Track {
  /** In the words of FFmpeg: `h264`, `aac`. Null: nobody here knows it. */
  readonly codec: string | null;
  /** Its number in the file, from 0. */
  readonly index: number;
  /** Ticks a second of its times. */
  readonly timeScale?: number;
  /** Seconds. */
  readonly duration?: number;
  /** Bits a second. */
  readonly bitrate?: number;
  readonly language?: string;
}

export interface VideoTrack extends Track {
  readonly kind: 'video';
  readonly width: number;
  readonly height: number;
  readonly frameRate?: Ratio;
  readonly pixelAspect?: Ratio;
  /** Degrees, clockwise: 90, 180 or 270. */
  readonly rotation?: number;
  readonly pixelFormat?: string;
  /** A picture that does not move. */
  readonly isStill?: true;
}

export interface AudioTrack extends Track {
  readonly kind: 'audio';
  readonly sampleRate: number;
  readonly channels: number;
  readonly sampleFormat?: string;
}

export interface OtherTrack extends Track {
  readonly kind: 'subtitle' | 'data';
}

export type ProbedTrack = VideoTrack | AudioTrack | OtherTrack;

/** What a prober found out about a file. */
export interface ProbeResult {
  /** The name of the prober. */
  readonly by: string;
  /** In the words of FFmpeg: `mov,mp4,m4a,3gp,3g2,mj2`. Empty: no prober knows it. */
  readonly format: string;
  readonly mimeType: string;
  /** Seconds. */
  readonly duration?: number;
  /** Bits a second, of all tracks. */
  readonly bitrate?: number;
  /** As the file says it: `10:00:00:00`, or `;` before the frames where it drops some. */
  readonly timeCode?: string;
  readonly tracks: readonly ProbedTrack[];
  /** Not all was found out: the budget of bytes ended, or the file does. */
  readonly isPartial: boolean;
  readonly bytesRead: number;
  /** Sentences for the log of the job. */
  readonly warnings: readonly string[];
}

/** Why media could not be probed. A prober throws an Error with one of these as its `kind`. */
export type MediaErrorKind =
  /** Another prober may know it. */
  | 'unsupported'
  /** It is of a kind that the prober knows, and damaged. */
  | 'broken'
  /** It took longer than it may, or more memory. */
  | 'exhausted'
  /** By the signal of the caller. */
  | 'aborted';

export interface MediaError extends Error {
  readonly kind: MediaErrorKind;
}

export interface ProbeOptions {
  /** Most bytes that are read of the source. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Reads what a media file says of itself. It runs in a process of its own where the host has processes: that process
 * makes it once more, with the same properties, and a host without network.
 */
export interface Prober {
  readonly name: string;
  /** By the first bytes of a file. `maybe` is asked after all that say `yes`. */
  accepts(head: Uint8Array, name: string | undefined): 'yes' | 'maybe' | 'no';
  probe(source: MediaSource, options: ProbeOptions): Promise<ProbeResult>;
}

/** A prober that security.ini has made of a plugin. */
export interface ConfiguredProber {
  /** Of its object. */
  readonly name: string;
  readonly prober: Prober;
  /** What has made it, so that another process can make it again. */
  readonly component: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What one channel of sound is like. */
export interface ChannelLevels {
  /** Of the streams of sound, and of the channels of the stream: from 0. */
  readonly stream: number;
  readonly channel: number;
  /** Seconds that one level stands for. */
  readonly bucket: number;
  /** The largest amplitudes, from 0 to 65,535, each as two bytes, the lower one first. */
  readonly levels: Uint8Array<ArrayBuffer>;
}

/** What was measured of the sound of a file. */
export interface MeasuredSound {
  readonly seconds: number;
  /** Integrated loudness by EBU R 128, in LUFS. Undefined: silence. */
  readonly loudness?: number;
  /** Loudness range, in LU. */
  readonly range?: number;
  /** The channels whose loudness that is. */
  readonly mix: readonly { readonly stream: number; readonly channel: number; readonly weight: number }[];
  readonly channels: readonly ChannelLevels[];
}

/** Takes the samples of sound, stream by stream. */
export interface SoundSink {
  stream(about: { readonly channels: number; readonly sampleRate: number }): void;
  /** From -1 to 1, of all channels in turn. */
  samples(interleaved: Float32Array): Promise<void>;
}

/** Gives the samples of sound that needs no decoder. It throws a MediaError of the kind `unsupported` otherwise. */
export interface SoundReader {
  readonly name: string;
  read(source: MediaSource, sink: SoundSink, options: Pick<ProbeOptions, 'signal'>): Promise<void>;
}

/** Who probes media here, for the version and the self-test. */
export interface MediaTool {
  readonly name: string;
  readonly version?: string;
  /** A sentence: why it is not here, and what to install. */
  readonly missing?: string;
}

/** What opens foreign media: a process beside the service, or the service itself on an edge. */
export interface MediaHost {
  /** Throws a MediaError, or what the source throws. `probers`: those of plugins, which are asked ahead of the others. */
  probe(source: MediaSource, options: ProbeOptions, probers?: readonly ConfiguredProber[]): Promise<ProbeResult>;
  /** Measures sound that needs no decoder. Throws a MediaError of the kind `unsupported` where it needs one. */
  sound(source: MediaSource, options: Pick<ProbeOptions, 'signal'>): Promise<MeasuredSound>;
  tools(): Promise<readonly MediaTool[]>;
  close(): Promise<void>;
}
