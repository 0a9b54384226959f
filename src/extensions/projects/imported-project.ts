import type { Sequence } from '../../assets/items/public.ts';
import type { TimeCodes } from '../sequences/public.ts';

/** Project that an editing program has written, whatever its form. */
export interface ImportedProject {
  readonly name: string | undefined;
  /** By their ids in the file. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly sequences: readonly Cut[];
}

export interface Asset {
  readonly id: string;
  readonly name: string;
  readonly type: 'audio' | 'video';
  readonly path: string | undefined;
  /** Exports of this service name the item here. */
  readonly comment: string | undefined;
  /** Tape or card of the camera. */
  readonly reel?: string | undefined;
  /** Where media whose times are time codes begin. Undefined where times count from the start of the media. */
  readonly timeCodes?: TimeCodes;
}

export interface Cut {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Time code of its first picture. */
  readonly start?: Time;
  readonly tracks: readonly {
    readonly audio: boolean;
    readonly clips: readonly Clip[];
    readonly transitions?: readonly Transition[];
  }[];
}

export type Transition = NonNullable<NonNullable<Sequence['track']>[number]['transition']>[number];

export type Marker = NonNullable<
  NonNullable<NonNullable<Sequence['track']>[number]['segment']>[number]['marker']
>[number];

export interface Clip {
  readonly asset: string;
  readonly sourceTrack: number;
  readonly in: Time;
  readonly out: Time;
  readonly sourceIn: Time;
  readonly sourceOut: Time;
  /** Undefined: that of its media. */
  readonly name?: string;
  /** Marks at times of the media. */
  readonly markers?: readonly Marker[];
}

export interface Time {
  readonly samples: number;
  readonly timeBase: { readonly numerator: number; readonly denominator: number };
}

export const [maxSequences, maxTracks, maxClips] = [50, 1000, 20_000];
/** Clips, which are milliseconds of work. */
export const betweenTurns = 500;
