import type { MediaSource, Ratio } from './media.ts';

/** How many pixels of a picture, and where they go. */
export interface TranscodeScaling {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Pixels that are cut off. A negative number adds a border. */
  readonly top?: number | undefined;
  readonly bottom?: number | undefined;
  readonly left?: number | undefined;
  readonly right?: number | undefined;
  readonly padColor?: string | undefined;
  /** Degrees, clockwise. */
  readonly rotate?: number | undefined;
  /** The shape of a pixel, horizontal by vertical. */
  readonly pixelAspect?: readonly [horizontal: number, vertical: number];
  /** The shape of the whole picture as it is shown. */
  readonly displayAspect?: readonly [horizontal: number, vertical: number];
}

export interface TranscodeVideo {
  /** As presets call it: `h264`. Undefined: what the container usually has. */
  readonly codec?: string;
  /** Bits a second. */
  readonly bitrate?: number;
  /** Seconds that one picture lasts: 1/25. */
  readonly frame?: Ratio;
  readonly scaling?: TranscodeScaling;
  readonly constantRate?: boolean;
  readonly gopSize?: number;
  readonly maxBFrames?: number;
  readonly pixelFormat?: string;
  readonly presets: readonly string[];
  readonly profiles: readonly string[];
  readonly settings: readonly (readonly [key: string, value: string])[];
}

export interface TranscodeAudio {
  readonly codec?: string;
  /** Bits a second. */
  readonly bitrate?: number;
  /** Seconds that one sample lasts: 1/48000. */
  readonly sample?: Ratio;
  /** The channels of the source that are kept, from 0. Empty: all. */
  readonly channels: readonly number[];
  /** The audio streams of the source that are kept, from 0. Empty: the first. */
  readonly streams: readonly number[];
  readonly settings: readonly (readonly [key: string, value: string])[];
}

/** What a preset asks for, without what other parts of the service do. */
export interface TranscodeOrder {
  /** The container: `mp4`. */
  readonly format: string;
  /** Null: no pictures. */
  readonly video: TranscodeVideo | null;
  /** Null: no sound. */
  readonly audio: TranscodeAudio | null;
  readonly startTimecode?: string;
  /** The index stands ahead of the media. */
  readonly fastStart: boolean;
  /** Seconds that the source lasts, where it is known. */
  readonly seconds?: number;
}

/** A part of media as it is: nothing is made anew. */
export interface CutOrder {
  /** The container of the part: `mp4`. */
  readonly format: string;
  /** Seconds from the start of the media. The part begins with the key picture there or before it. */
  readonly from: number;
  /** Undefined: the end of the media. */
  readonly to?: number;
}

/** A part of media that becomes a part of new media. */
export interface JoinPart {
  /** Undefined: black pictures and silence. */
  readonly source: MediaSource | undefined;
  /** Seconds from the start of the media. */
  readonly from: number;
  /** How long the part is. Where the media ends before it, its last picture stays. */
  readonly seconds: number;
  readonly pictures: 'moving' | 'still' | 'none';
  readonly hasSound: boolean;
  /** Which track of pictures and which one of sound of the media, in the order of its streams. The first is 0. */
  readonly pictureTrack: number;
  readonly soundTrack: number;
}

/** Parts of media, one behind the other, as one file. */
export interface JoinOrder {
  /** Seconds of it are those of all parts. */
  readonly order: TranscodeOrder;
  readonly parts: readonly JoinPart[];
  /** The size that all parts get before the order is carried out, and the seconds that a picture lasts. */
  readonly canvas: { readonly width: number; readonly height: number; readonly frame: Ratio };
}

/** A finished file that nobody else sees. */
export interface Transcoded {
  readonly size: number;
  /** Opens nothing before it is read. */
  body(): ReadableStream<Uint8Array>;
  /** Forgets the file. */
  close(): Promise<void>;
  /** What is not as it should be, as sentences. */
  readonly warnings: readonly string[];
}

export type StillType = 'image/jpeg' | 'image/png';

export interface StillOrder {
  /** Seconds, in ascending order. Behind the end: the last picture. */
  readonly seconds: readonly number[];
  /** The largest box that the picture fits in. Undefined: as large as it is. */
  readonly width?: number;
  readonly height?: number;
  readonly type: StillType;
}

export interface Still {
  /** The time that was asked for. */
  readonly seconds: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a transcoder finds out about itself. */
export type TranscoderAbilities =
  | {
      readonly version: string;
      readonly licence: string;
      readonly containers: readonly string[];
      readonly video: readonly string[];
      readonly audio: readonly string[];
      readonly stills: readonly StillType[];
    }
  /** A sentence that says what to install. */
  | { readonly missing: string };

export interface TranscodeOptions {
  readonly signal: AbortSignal;
  /** From 0 to 1, never less than before. */
  progress(done: number): void;
}

/**
 * Makes other forms of media. It opens the source outside of the process that serves requests: a foreign file may crash
 * what reads it, or never let it end. It throws a MediaError where the source is to blame.
 */
export interface Transcoder {
  readonly name: string;
  abilities(): Promise<TranscoderAbilities>;
  /** The first part of the order that it cannot carry out, such as `video.codec=av1`. */
  unable(order: TranscodeOrder): Promise<string | undefined>;
  run(source: MediaSource, order: TranscodeOrder, options: TranscodeOptions): Promise<Transcoded>;
  /** Undefined: it cuts nothing out of media. */
  cut?(source: MediaSource, order: CutOrder, options: TranscodeOptions): Promise<Transcoded>;
  /** Undefined: it puts no parts together. */
  join?(order: JoinOrder, options: TranscodeOptions): Promise<Transcoded>;
  /** Gives each still as soon as it is made. */
  stills(
    source: MediaSource,
    order: StillOrder,
    each: (still: Still) => Promise<void>,
    options: Pick<TranscodeOptions, 'signal'>,
  ): Promise<void>;
  /** The service ends, or another security.ini has taken over. A run that goes on may fail then: it is tried again. */
  close?(): Promise<void>;
}
