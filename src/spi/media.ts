import type { ByteRange } from './storage.ts';

/** Bytes of an unknown format, from any location. */
export interface MediaSource {
  readonly size: number;
  /** The last part of its path: a hint only. */
  readonly name?: string;
  /** Bytes that long reads ask for at a time. Left out: a mebibyte, since each read may be a request. */
  readonly pieceBytes?: number;
  /** Exactly the bytes of the range. What the storage throws comes out as it is. */
  read(range: ByteRange): Promise<Uint8Array>;
}

/** A ratio of whole numbers, such as 30000/1001. */
export interface Ratio {
  readonly numerator: number;
  readonly denominator: number;
}

interface Track {
  /** Name in FFmpeg: `h264`, `aac`. Null: unknown to all probers. */
  readonly codec: string | null;
  /** Number of the track in the file, from 0. */
  readonly index: number;
  /** Ticks per second of its times. */
  readonly timeScale?: number;
  /** Time of the first sample, in seconds. */
  readonly startTime?: number;
  /** Duration in seconds. */
  readonly duration?: number;
  /** Bits per second. */
  readonly bitrate?: number;
  /** Number of packets, where the header says it. */
  readonly packets?: number;
  readonly language?: string;
  /** Tags of the track, with FFmpeg's names: `handler_name`. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Colours of pictures, by the code points of ISO/IEC 23091-2: 9 is BT.2020, 16 is PQ, 18 is HLG. */
export interface PictureColour {
  readonly primaries?: number;
  readonly transfer?: number;
  readonly matrix?: number;
  /** Whether brightness uses all numbers. Films of cameras leave some out at both ends. */
  readonly isFullRange?: boolean;
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
  /** Bits of a colour. */
  readonly bitDepth?: number;
  readonly colour?: PictureColour;
  /** Order of the fields in FFmpeg: `progressive`, or `tt`, `bb`, `tb` or `bt`. */
  readonly fieldOrder?: string;
  /** A picture that does not move. */
  readonly isStill?: true;
}

export interface AudioTrack extends Track {
  readonly kind: 'audio';
  readonly sampleRate: number;
  readonly channels: number;
  readonly sampleFormat?: string;
  /** A bit for each speaker, as FFmpeg counts them: 3 for left and right. */
  readonly channelMask?: number;
  /** Samples of a frame. */
  readonly frameSize?: number;
}

export interface OtherTrack extends Track {
  readonly kind: 'subtitle' | 'data';
}

export type ProbedTrack = VideoTrack | AudioTrack | OtherTrack;

/** Result of a prober for a file. */
export interface ProbeResult {
  /** Name of the prober. */
  readonly by: string;
  /** Name in FFmpeg: `mov,mp4,m4a,3gp,3g2,mj2`. Empty: unknown to all probers. */
  readonly format: string;
  readonly mimeType: string;
  /** Duration in seconds. */
  readonly duration?: number;
  /** Time of the first sample, in seconds. */
  readonly startTime?: number;
  /** Tags of the file, with FFmpeg's names: `major_brand`. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Bits per second, of all tracks. */
  readonly bitrate?: number;
  /** Time code of the file, such as `10:00:00:00`. Drop-frame time codes have `;` before the frames. */
  readonly timeCode?: string;
  readonly tracks: readonly ProbedTrack[];
  /** Whether the result is incomplete, because the byte budget or the file ended. */
  readonly isPartial: boolean;
  /** Bytes that the header of the file promises behind its end: the file is cut. */
  readonly missingBytes?: number;
  readonly bytesRead: number;
  /** Values of wanted properties that the file has of itself: `xmp:dc:title`. */
  readonly embedded?: Readonly<Record<string, readonly string[]>>;
  /** Sentences for the log of the job. */
  readonly warnings: readonly string[];
}

/** Reason why media could not be probed. A prober throws an Error with one of these as its `kind`. */
export type MediaErrorKind =
  /** Unknown to this prober, perhaps known to another. */
  | 'unsupported'
  /** Damaged media of a known format. */
  | 'broken'
  /** Limit of time or memory exceeded. */
  | 'exhausted'
  /** Aborted by the caller's signal. */
  | 'aborted';

export interface MediaError extends Error {
  readonly kind: MediaErrorKind;
}

export interface ProbeOptions {
  /** Most bytes that are read of the source. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Properties inside the file that are wanted, such as `xmp:dc:title`. Default: none. */
  readonly embedded?: readonly string[];
}

/**
 * Reads metadata of a media file. Runs in a separate process if the host has processes. That process creates the prober
 * again, with the same properties, and a host without network.
 */
export interface Prober {
  readonly name: string;
  /** Whether the first bytes are of a known format. `maybe` is asked after all probers with `yes`. */
  accepts(head: Uint8Array, name: string | undefined): 'yes' | 'maybe' | 'no';
  probe(source: MediaSource, options: ProbeOptions): Promise<ProbeResult>;
}

/** A prober of a plugin, configured in security.ini. */
export interface ConfiguredProber {
  /** Name of the object in security.ini. */
  readonly name: string;
  readonly prober: Prober;
  /** Component with its properties, so that another process can create the prober again. */
  readonly component: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Levels of one audio channel. */
export interface ChannelLevels {
  /** Number of the audio stream, and of the channel in it, from 0. */
  readonly stream: number;
  readonly channel: number;
  /** Seconds covered by one level. */
  readonly bucket: number;
  /** Peak amplitudes from 0 to 65,535, as two bytes each, little endian. */
  readonly levels: Uint8Array<ArrayBuffer>;
  /** Energies of 100 ms each, as two bytes of hundredths of a decibel. Empty: the sound has more than are kept. */
  readonly energies: Uint8Array<ArrayBuffer>;
}

/** Measured levels and loudness of a file. */
export interface MeasuredSound {
  readonly seconds: number;
  /** Integrated loudness by EBU R 128, in LUFS. Undefined: silence. */
  readonly loudness?: number;
  /** Loudness range, in LU. */
  readonly range?: number;
  /** Channels that the loudness was measured on. */
  readonly mix: readonly { readonly stream: number; readonly channel: number; readonly weight: number }[];
  readonly channels: readonly ChannelLevels[];
}

/** Takes the samples of sound, stream by stream. */
export interface SoundSink {
  stream(about: { readonly channels: number; readonly sampleRate: number }): void;
  /** Samples from -1 to 1, interleaved by channel. */
  samples(interleaved: Float32Array): Promise<void>;
}

/** Gives the samples of sound that needs no decoder. It throws a MediaError of the kind `unsupported` otherwise. */
export interface SoundReader {
  readonly name: string;
  read(source: MediaSource, sink: SoundSink, options: Pick<ProbeOptions, 'signal'>): Promise<void>;
}

/** Status of a media tool, for the version and the self-test. */
export interface MediaTool {
  readonly name: string;
  readonly version?: string;
  /** Reason why the tool is missing, and what to install. */
  readonly missing?: string;
}

/** Reads untrusted media: in a separate process, or inside the service on the edge. */
export interface MediaHost {
  /**
   * Probes media. Throws a MediaError, or the error of the source. `probers`: probers of plugins, asked before the
   * built-in ones.
   */
  probe(source: MediaSource, options: ProbeOptions, probers?: readonly ConfiguredProber[]): Promise<ProbeResult>;
  /** Measures sound without a decoder. Throws a MediaError of the kind `unsupported` if decoding is needed. */
  sound(source: MediaSource, options: Pick<ProbeOptions, 'signal'>): Promise<MeasuredSound>;
  /** Copies a file with a packet of XMP inside. Absent: the host starts no programs. */
  embed?(source: MediaSource, order: EmbedOrder, options: Pick<ProbeOptions, 'signal'>): Promise<EmbeddedCopy>;
  tools(): Promise<readonly MediaTool[]>;
  close(): Promise<void>;
}

/** Packet of XMP for a copy of a file. */
export interface EmbedOrder {
  readonly mimeType: string;
  readonly xmp: string;
}

/** Copy of a file. `close` deletes it. */
export interface EmbeddedCopy {
  readonly size: number;
  body(): ReadableStream<Uint8Array>;
  close(): Promise<void>;
}
