import type { Sequence } from '../../../assets/items/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { boolean, listOf, number, optional, recordOf, text, type ValueOf } from '../../../room/jobs/memo.ts';
import { type Clip, type ClipProblem, cutsFrom, problemsOfHardCuts, type Track } from '../exporting/clips.ts';

/** Parts of one rendering: each is an input of the transcoder. */
export const maxParts = 50;

export const planField = recordOf({
  rate: recordOf({ frames: number, ntsc: boolean }),
  /** False for a sequence with sound only. */
  pictures: boolean,
  /** Parts in pictures. Without an item nothing is seen or heard. */
  parts: listOf(
    recordOf({
      item: optional(text),
      from: number,
      count: number,
      /** Video and audio track of the item, from 1. Undefined: the first. */
      pictureTrack: optional(number),
      soundTrack: optional(number),
    }),
  ),
  /** Rectangle that is kept of each picture. Undefined: all of it. */
  crop: optional(recordOf({ left: number, top: number, width: number, height: number })),
  /** Size of the rendering. Undefined: that of the first item with one. */
  size: optional(recordOf({ width: number, height: number })),
});
export type RenderPlan = ValueOf<typeof planField>;
export type PlannedPart = RenderPlan['parts'][number];

/** Elements that need a renderer. Other unsupported elements are faults of the sequence. */
const beyond: ReadonlySet<string> = new Set(['transition', 'segment/effect', 'segment/sourceOut']);
const place = '/SequenceDocument/track';

function refusal({ element, expected, found }: ClipProblem): ServiceError {
  if (!beyond.has(element)) return badValue(`${place}/${element}`, expected, found);
  return notHere(element, `${expected}: found "${found?.slice(0, 80)}"`);
}

const tooMany = (found: number): ServiceError =>
  badValue(`${place}/segment`, `at most ${maxParts} segments, and gaps between them`, String(found));

const notHere = (element: string, expected: string): ServiceError =>
  new ServiceError('not-implemented', {
    context: `${place}/${element}`,
    explanation: `Expected ${expected}. No transcoder of this service draws or mixes`,
  });

/** Plan of a sequence: its parts in order. Throws a refusal. */
export function renderPlan(sequence: Sequence): RenderPlan {
  const segments = (sequence.track ?? []).reduce((sum, { segment = [] }) => sum + segment.length, 0);
  // Each part has a segment of pictures and one of sound.
  if (segments > 2 * maxParts) throw tooMany(segments);
  const cuts = cutsFrom(sequence, (problem) => {
    throw refusal(problem);
  })!;
  for (const problem of problemsOfHardCuts(cuts)) throw refusal(problem);
  const used = cuts.tracks.filter(({ clips }) => clips.length > 0);
  const [pictures, ...morePictures] = used.filter(({ audio }) => !audio);
  const [sound, ...moreSound] = used.filter(({ audio }) => audio);
  if (morePictures.length > 0) throw notHere('audio', `one track of pictures: found ${morePictures.length + 1}`);
  if (moreSound.length > 0) throw notHere('audio', `one track of sound: found ${moreSound.length + 1}`);
  if (pictures && sound && keyOf(pictures) !== keyOf(sound)) {
    throw notHere('segment', 'the track of sound to have the same cuts of the same items as that of pictures');
  }
  const parts = partsOf(pictures?.clips, sound?.clips);
  if (parts.length > maxParts) throw tooMany(parts.length);
  return { rate: cuts.rate, pictures: pictures !== undefined, parts };
}

const keyOf = ({ clips }: Track): string =>
  JSON.stringify(clips.map(({ item, start, end, from }) => [item, start, end, from]));

/** The clips of both tracks are the same parts of the same items. */
function partsOf(pictures: readonly Clip[] | undefined, sound: readonly Clip[] | undefined): readonly PlannedPart[] {
  let at = 0;
  return (pictures ?? sound!).flatMap(({ item, start, end, from }, index) => {
    const gap = start - at;
    at = end;
    const tracks = {
      ...(pictures && { pictureTrack: pictures[index]!.sourceTrack }),
      ...(sound && { soundTrack: sound[index]!.sourceTrack }),
    };
    return [...(gap > 0 ? [{ from: 0, count: gap }] : []), { item, from, count: end - start, ...tracks }];
  });
}
