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
  /** Seconds of the item in a second of the sequence. 0: a still. Undefined: as many. */
  readonly speed?: number;
  /** Undefined: that of the item. */
  readonly name?: string;
  readonly markers?: readonly ClipMarker[];
}

/** A mark at times of an item, in frames of the sequence. */
interface ClipMarker {
  readonly from: number;
  readonly until: number;
  readonly name: string;
  readonly color: string;
  readonly comment: string;
}

/** A transition, in frames of the sequence. */
export interface Transition {
  readonly start: number;
  readonly end: number;
  /** Name and further elements of the sequence. */
  readonly look: Omit<TransitionDocument, 'in' | 'out'>;
}

export interface Track {
  readonly audio: boolean;
  readonly clips: readonly Clip[];
  readonly transitions?: readonly Transition[];
}

export interface Cuts {
  readonly rate: Rate;
  readonly tracks: readonly Track[];
  /** Frame of the day that the sequence begins with. */
  readonly start?: number;
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
type TransitionDocument = NonNullable<TrackDocument['transition']>[number];

const times = ['in', 'out', 'sourceIn', 'sourceOut'] as const;

/** Converts a sequence to cuts. Reports problems and leaves out the parts concerned. */
export function cutsFrom({ track = [], start }: Sequence, told: ReportProblem): Cuts | undefined {
  const first = track.flatMap(({ segment = [] }) => segment.flatMap((each) => each.in ?? []))[0];
  if (!first) return told({ element: 'segment/in', expected: 'segments with the elements "in" and "out"' });
  const rate = rateOf(first);
  if (!rate) return told({ element: 'segment/in/timeBase', expected: rates, found: baseIn(first) });
  const startFrame = start && framesIn(start, rate);
  return {
    ...{ rate, tracks: track.map((each) => trackFrom(each, rate, told)) },
    ...(startFrame !== undefined && { start: startFrame }),
  };
}

const rates = 'the length of a picture, such as 1/25 or 1001/30000';
const baseIn = ({ timeBase: { numerator, denominator } }: Time): string => `${numerator}/${denominator}`;

function trackFrom(
  { audio = false, segment = [], transition = [] }: TrackDocument,
  rate: Rate,
  told: ReportProblem,
): Track {
  const clips = segment.flatMap((each) => clipFrom(each, rate, told) ?? []).toSorted((a, b) => a.start - b.start);
  for (const [at, clip] of clips.entries()) {
    const before = clips[at - 1];
    if (!before || before.end <= clip.start) continue;
    const expected = 'a segment that begins behind the one before it on the track';
    told({ element: 'segment/in', expected, found: String(clip.start), item: clip.item });
  }
  const transitions = transition.flatMap((each) => transitionFrom(each, rate, told) ?? []);
  return { audio, clips, transitions: transitions.toSorted((a, b) => a.start - b.start) };
}

function transitionFrom(
  { in: from, out: to, ...look }: TransitionDocument,
  rate: Rate,
  told: ReportProblem,
): Transition | undefined {
  const [start, end] = [framesIn(from, rate), framesIn(to, rate)];
  if (start !== undefined && end !== undefined && start < end) return { start, end, look };
  return told({
    element: 'transition/out',
    expected: 'a time behind that of the element "in"',
    found: look.transition,
  });
}

/** Problems of a format that has hard cuts alone, at the speed of the media. */
export const problemsOfHardCuts = ({ tracks }: Cuts): readonly ClipProblem[] =>
  tracks.flatMap(({ clips, transitions = [] }) => [
    ...transitions
      .slice(0, 1)
      .map(({ look }) => ({ element: 'transition', expected: 'hard cuts alone', found: look.transition })),
    ...clips.flatMap(({ item, start, end, from, to, speed }) => {
      const expected = `a part of the item as long as in the sequence, ${end - start} pictures`;
      return speed === undefined ? [] : [{ element: 'segment/sourceOut', expected, found: String(to - from), item }];
    }),
  ]);

function clipFrom(segment: Segment, rate: Rate, told: ReportProblem): Clip | undefined {
  const { item, sourceTrack, in: from, out: to, sourceIn, effect: [effect] = [], name } = segment;
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
  if (end <= start) {
    return told({ element: 'segment/out', expected: 'a time behind that of the element "in"', found: `${end}`, item });
  }
  const markers = markersOf(segment, rate);
  const clip = {
    ...{ item, sourceTrack: Math.max(sourceTrack, 1), start, end, from: sourceFrom },
    ...(name !== undefined && { name }),
    ...(markers.length > 0 && { markers }),
  };
  const speed = speedOf(segment, rate);
  if (speed === undefined) return { ...clip, to: sourceFrom + end - start };
  if (speed >= 0) return { ...clip, to: framesIn(segment.sourceOut!, rate)!, speed };
  const expected = 'a time from that of the element "sourceIn" on: nothing plays backwards';
  return told({ element: 'segment/sourceOut', expected, found: String(segment.sourceOut!.samples), item });
}

/** Marks of a part. Each is at least a frame long. */
const markersOf = ({ marker = [] }: Segment, rate: Rate): readonly ClipMarker[] =>
  marker.flatMap(({ in: start, out: end, name = '', color = 'RED', comment = '' }) => {
    const [from, until] = [framesIn(start, rate), framesIn(end, rate)];
    if (from === undefined || until === undefined) return [];
    return [{ from, until: Math.max(until, from + 1), name, color, comment }];
  });

const secondsOf = ({ samples, timeBase: { numerator, denominator } }: Time): number =>
  (samples * numerator) / denominator;

/** Speed of a part. Undefined: that of the sequence, but for less than a unit of its own times. */
function speedOf({ in: from, out: to, sourceIn, sourceOut }: Segment, rate: Rate): number | undefined {
  if (!sourceOut) return undefined;
  const frames = (start: Time | undefined, end: Time) => framesIn(end, rate)! - (start ? framesIn(start, rate)! : 0);
  const length = secondsOf(to!) - secondsOf(from!);
  const source = secondsOf(sourceOut) - (sourceIn ? secondsOf(sourceIn) : 0);
  const unit = secondsOf({ ...sourceOut, samples: 1 });
  const isSame = frames(sourceIn, sourceOut) === frames(from, to!) && Math.abs(source - length) < unit * 0.999;
  return isSame ? undefined : Math.round((source / length) * 1e6) / 1e6;
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
  /** Item that the part is of. Undefined: the key of the source. */
  readonly item?: string;
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
