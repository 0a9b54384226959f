import type { Sequence } from '../../assets/items/public.ts';
import type { AttachmentKind as Kind } from '../../assets/metadata/public.ts';
import { badValue } from '../../core/documents/error.ts';

/** Native format. Others are stored unchanged. */
export const ownFormat = 'vidispine';

export const sequenceKind: Kind = { kind: 'sequence', noun: 'sequence', most: 50 };
export const timelineKind: Kind = { kind: 'timeline', noun: 'timeline', most: 50 };

const most = 20_000;
const place = '/SequenceDocument/track/segment';

/** Distinct items in a sequence. */
export function itemsOf({ track = [] }: Sequence): readonly string[] {
  const segments = track.flatMap(({ segment = [] }) => segment);
  if (segments.length > most) throw badValue(place, `at most ${most} segments`, String(segments.length));
  for (const { in: from, out: to } of segments) {
    if (from && to && secondsOf(to) < secondsOf(from)) {
      throw badValue(`${place}/out`, 'a time behind that of the element "in"', String(to.samples));
    }
  }
  return [...new Set(segments.map(({ item }) => item))];
}

type Time = NonNullable<NonNullable<NonNullable<Sequence['track']>[number]['segment']>[number]['in']>;

const secondsOf = ({ samples, timeBase: { numerator, denominator } }: Time): number =>
  (samples * numerator) / denominator;

/** Sequence of complete items, on one track. */
export const sequenceFrom = (items: readonly string[]): Sequence => ({
  track: [{ segment: items.map((item) => ({ item, sourceTrack: 1 })) }],
});
