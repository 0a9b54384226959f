import type { MediaSource, Ratio } from './media.ts';

/** Size of a picture, and its position in the frame. */
export interface TranscodeScaling {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Pixels that are cut off. A negative number adds a border. */
  readonly top?: number | undefined;
  readonly bottom?: number | undefined;
  readonly left?: number | undefined;
  readonly right?: number | undefined;
  readonly padColor?: string | undefined;
  /** Rotation in degrees, clockwise. */
  readonly rotate?: number | undefined;
  /** Pixel aspect ratio. */
  readonly pixelAspect?: readonly [horizontal: number, vertical: number];
  /** Display aspect ratio of the whole picture. */
  readonly displayAspect?: readonly [horizontal: number, vertical: number];
}

export interface TranscodeVideo {
  /** Codec, as in presets: `h264`. Undefined: default of the container. */
  readonly codec?: string;
  /** Bits a second. */
  readonly bitrate?: number;
  /** Seconds that one picture lasts: 1/25. */
  readonly frame?: Ratio;
  readonly scaling?: TranscodeScaling;
  /** Box that pictures fit in behind `scaling`, also turned by a quarter. Pictures that fit keep their size. */
  readonly within?: { readonly width: number; readonly height: number };
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
  /** Kept channels of the source, from 0. Empty: all. */
  readonly channels: readonly number[];
  /** Kept audio streams of the source, from 0. Empty: the first. */
  readonly streams: readonly number[];
  readonly settings: readonly (readonly [key: string, value: string])[];
}

/** Transcoder part of a preset, without parts handled by the service. */
export interface TranscodeOrder {
  /** Container, such as `mp4`. */
  readonly format: string;
  /** Null: no pictures. */
  readonly video: TranscodeVideo | null;
  /** Null: no sound. */
  readonly audio: TranscodeAudio | null;
  readonly startTimecode?: string;
  /** Whether the index stands before the media. */
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

/** A rectangle of a picture, in pixels from its upper left corner. */
export interface PictureArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A part of media that becomes a part of new media. */
export interface JoinPart {
  /** Undefined: black pictures and silence. */
  readonly source: MediaSource | undefined;
  /** Seconds from the start of the media. */
  readonly from: number;
  /** Duration of the part. If the media is shorter, its last picture stays. */
  readonly seconds: number;
  readonly pictures: 'moving' | 'still' | 'none';
  readonly hasSound: boolean;
  /** Selected video and audio track of the media, in the order of its streams, from 0. */
  readonly pictureTrack: number;
  readonly soundTrack: number;
  /** Rectangle that is kept of each picture, as it is stored and turned upright. Undefined: all of it. */
  readonly crop?: PictureArea;
}

/** Media parts, joined into one file. */
export interface JoinOrder {
  /** Order for the joined file. Its times in seconds count from the start of the joined file. */
  readonly order: TranscodeOrder;
  readonly parts: readonly JoinPart[];
  /** The size that all parts get before the order is carried out, and the seconds that a picture lasts. */
  readonly canvas: { readonly width: number; readonly height: number; readonly frame: Ratio };
}

/** Finished file, private to the job. */
export interface Transcoded {
  readonly size: number;
  /** Opens nothing before it is read. */
  body(): ReadableStream<Uint8Array>;
  /** Deletes the file. */
  close(): Promise<void>;
  /** Defects of the result, as sentences. */
  readonly warnings: readonly string[];
}

export type StillType = 'image/jpeg' | 'image/png';

export interface StillOrder {
  /** Seconds in ascending order. A time after the end gives the last picture. */
  readonly seconds: readonly number[];
  /** Seconds that a picture may be away from its time, where that is cheaper. Default: none. */
  readonly tolerance?: number;
  /** Box that the picture must fit in. Undefined: original size. */
  readonly width?: number;
  readonly height?: number;
  readonly type: StillType;
  /** Media without pictures, one of what the transcoder draws: each still is a drawing of all of it. */
  readonly draws?: string;
}

export interface Still {
  /** Requested time in seconds. */
  readonly seconds: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Defect of the still, as a sentence for the log of the job. */
  readonly warning?: string;
}

/** A segment of a stream, H.264 in fragmented MP4, and what is laid over its pictures. */
export interface MarkOrder {
  /** PNG of the size of the pictures, see-through beside the mark. */
  readonly overlay: Uint8Array<ArrayBuffer>;
  /** Ticks a second of the times. The marked segment has the same times. */
  readonly timescale: number;
  /** Bits a second that the marked segment has at most. */
  readonly bitrate: number;
}

/** Abilities that a transcoder reports. */
export type TranscoderAbilities =
  | {
      readonly version: string;
      readonly licence: string;
      readonly containers: readonly string[];
      readonly video: readonly string[];
      readonly audio: readonly string[];
      readonly stills: readonly StillType[];
      /** Whether it marks segments of streams. */
      readonly marks?: boolean;
    }
  /** Installation hint in one sentence. */
  | { readonly missing: string };

export interface TranscodeOptions {
  readonly signal: AbortSignal;
  /** Reports progress from 0 to 1, never decreasing. */
  progress(done: number): void;
}

/**
 * Makes other forms of media. It opens the source outside of the process that serves requests: a foreign file may crash
 * what reads it, or never let it end. It throws a MediaError where the source is to blame.
 */
export interface Transcoder {
  readonly name: string;
  /** Media without pictures that it draws a still of: `audio`, or media types such as `application/pdf`. */
  readonly draws?: readonly string[];
  abilities(): Promise<TranscoderAbilities>;
  /** Media that need another program or version, as sentences: `HEIC needs ffmpeg 8.1 or later`. Undefined: none. */
  lacks?(): Promise<readonly string[]>;
  /** The first part of the order that it cannot carry out, such as `video.codec=av1`. */
  unable(order: TranscodeOrder): Promise<string | undefined>;
  run(source: MediaSource, order: TranscodeOrder, options: TranscodeOptions): Promise<Transcoded>;
  /** Undefined: it cuts nothing out of media. */
  cut?(source: MediaSource, order: CutOrder, options: TranscodeOptions): Promise<Transcoded>;
  /** Undefined: it puts no parts together. */
  join?(order: JoinOrder, options: TranscodeOptions): Promise<Transcoded>;
  /**
   * Lays a picture over each picture of a segment. The answer is fragmented MP4 with its head, which is the same for all
   * segments of one rendition. Undefined: it marks nothing.
   */
  mark?(
    segment: MediaSource,
    order: MarkOrder,
    options: Pick<TranscodeOptions, 'signal'>,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Gives each still as soon as it is made. */
  stills(
    source: MediaSource,
    order: StillOrder,
    each: (still: Still) => Promise<void>,
    options: Pick<TranscodeOptions, 'signal'>,
  ): Promise<void>;
  /** Called when the service ends, or a new configuration is active. A running job may fail then, and is retried. */
  close?(): Promise<void>;
}
