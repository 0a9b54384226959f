import type { Sequence } from '../../../assets/items/public.ts';
import { framesIn, framesOfDay, type Rate, rateOf, type Time } from './frames.ts';
import type { otioType } from './otio-values.ts';

/** A part of an item on a track, in frames of the sequence. */
export interface Clip {
  readonly item: string;
  readonly sourceTrack: number;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

export interface Track {
  readonly audio: boolean;
  readonly clips: readonly Clip[];
}

export interface Cuts {
  readonly rate: Rate;
  readonly tracks: readonly Track[];
}

/** Obstacle to an export: an element of the sequence, and the expected value. */
export interface ClipProblem {
  readonly element: string;
  readonly expected: string;
  readonly found?: string;
  readonly item?: string;
}

type ReportProblem = (problem: ClipProblem) => undefined;
type TrackDocument = NonNullable<Sequence['track']>[number];
type Segment = NonNullable<TrackDocument['segment']>[number];

const times = ['in', 'out', 'sourceIn', 'sourceOut'] as const;

/** Converts a sequence to hard cuts. Reports problems and leaves out the parts concerned. */
export function cutsFrom({ track = [] }: Sequence, told: ReportProblem): Cuts | undefined {
  const first = track.flatMap(({ segment = [] }) => segment.flatMap((each) => each.in ?? []))[0];
  if (!first) return told({ element: 'segment/in', expected: 'segments with the elements "in" and "out"' });
  const rate = rateOf(first);
  if (!rate) return told({ element: 'segment/in/timeBase', expected: rates, found: baseIn(first) });
  return { rate, tracks: track.map((each) => trackFrom(each, rate, told)) };
}

const rates = 'the length of a picture, such as 1/25 or 1001/30000';
const baseIn = ({ timeBase: { numerator, denominator } }: Time): string => `${numerator}/${denominator}`;

function trackFrom(
  { audio = false, segment = [], transition = [] }: TrackDocument,
  rate: Rate,
  told: ReportProblem,
): Track {
  const [over] = transition;
  if (over) told({ element: 'transition', expected: 'hard cuts alone', found: over.transition });
  const clips = segment.flatMap((each) => clipFrom(each, rate, told) ?? []).toSorted((a, b) => a.start - b.start);
  for (const [at, clip] of clips.entries()) {
    const before = clips[at - 1];
    if (!before || before.end <= clip.start) continue;
    const expected = 'a segment that begins behind the one before it on the track';
    told({ element: 'segment/in', expected, found: String(clip.start), item: clip.item });
  }
  return { audio, clips };
}

function clipFrom(segment: Segment, rate: Rate, told: ReportProblem): Clip | undefined {
  const { item, sourceTrack, in: from, out: to, sourceIn, effect: [effect] = [] } = segment;
  if (!from || !to) {
    const element = from ? 'segment/out' : 'segment/in';
    return told({ element, expected: 'segments with the elements "in" and "out"', item });
  }
  if (effect) return told({ element: 'segment/effect', expected: 'no effect', found: effect.name, item });
  for (const name of times) {
    const timeText = segment[name];
    const at = timeText && framesIn(timeText, rate);
    if (!timeText || (at !== undefined && at < framesOfDay(rate))) continue;
    const expected = 'a time from 0 within a day';
    return told({ element: `segment/${name}`, expected, found: `${timeText.samples} of ${baseIn(timeText)}`, item });
  }
  const [start, end] = [framesIn(from, rate)!, framesIn(to, rate)!];
  const sourceFrom = sourceIn ? framesIn(sourceIn, rate)! : 0;
  const sourceTo = segment.sourceOut ? framesIn(segment.sourceOut, rate)! : sourceFrom + end - start;
  if (end <= start) {
    return told({ element: 'segment/out', expected: 'a time behind that of the element "in"', found: `${end}`, item });
  }
  // Different lengths would mean a change of speed, which no other element of a sequence expresses.
  if (sourceTo - sourceFrom !== end - start) {
    const expected = `a part of the item as long as in the sequence, ${end - start} pictures`;
    return told({ element: 'segment/sourceOut', expected, found: String(sourceTo - sourceFrom), item });
  }
  return { item, sourceTrack: Math.max(sourceTrack, 1), start, end, from: sourceFrom, to: sourceTo };
}

/** First time code of media, and its length, as far as a caller may know them. */
export interface MediaTimes {
  readonly start?: Time;
  readonly length?: Time;
}

/** Name and path of an item. Single-line, since they are repeated for each part. */
export interface Source extends MediaTimes {
  readonly name: string;
  /** URI or path from the caller. */
  readonly path: string | undefined;
  /** Comment at each part. */
  readonly comment?: string;
}

/** Sequence prepared for export. */
export interface Project {
  /** Short single-line text, like the name. */
  readonly id: string;
  readonly name: string;
  readonly cuts: Cuts;
  readonly sources: ReadonlyMap<string, Source>;
}

/** Export format of sequences. */
export interface Format {
  readonly type: 'text/plain' | 'application/xml' | typeof otioType;
  readonly ending: string;
  /** Maximum sequences per document. */
  readonly sequences: number;
  /** Problems of cuts that the format cannot express. */
  problems(cuts: Cuts): readonly ClipProblem[];
  /** Writes one or more sequences. */
  write(projects: readonly Project[]): string;
}
