import type { Sequence } from '../../assets/items/public.ts';
import type {
  MetadataDocumentValue,
  MetadataField,
  MetadataGroup,
  MetadataTimespan,
} from '../../assets/metadata/public-reading.ts';
import { badValue } from '../../core/documents/error.ts';
import { compare, type Instant, instantOf, rescaled, shift, textIn } from '../../core/lib/time-code.ts';

type Segment = NonNullable<NonNullable<Sequence['track']>[number]['segment']>[number];
type Time = NonNullable<Segment['in']>;

/** Position of a part of an item in a sequence. */
interface Cut {
  readonly item: string;
  /** Start and end in the sequence, in its time base. */
  readonly from: Instant;
  readonly to: Instant;
  readonly timeBase: string;
  /** Start in the item; `sourceTo`: end. */
  readonly sourceFrom: Instant;
  readonly sourceTo: Instant;
}

/** Cuts of a sequence, without duplicates: audio and video of an item are two segments of one cut. */
export function cutsOf({ track = [] }: Sequence, max: number): readonly Cut[] {
  const cuts = new Map<string, Cut>();
  for (const segment of track.flatMap((each) => each.segment ?? [])) {
    const cut = cutOf(segment);
    cuts.set([cut.item, cut.from.key, cut.to.key, cut.sourceFrom.key, cut.sourceTo.key].join(' '), cut);
  }
  if (cuts.size > max) throw badValue(place, `at most ${max} segments`, String(cuts.size));
  return [...cuts.values()];
}

const place = '/SequenceDocument/track/segment';

function cutOf({ item, in: from, out: to, sourceIn, sourceOut }: Segment): Cut {
  if (!from || !to) throw badValue(`${place}/${from ? 'out' : 'in'}`, 'segments with the elements "in" and "out"');
  const [begin, end] = [instantIn(from), instantIn(to)];
  const sourceFrom = sourceIn ? instantIn(sourceIn) : instantOf('0')!;
  const sourceTo = sourceOut ? instantIn(sourceOut) : shift(sourceFrom, shift(end, begin, true));
  return { item, from: begin, to: end, timeBase: baseOf(from), sourceFrom, sourceTo };
}

const baseOf = ({ timeBase: { numerator, denominator } }: Time): string =>
  numerator === 1 ? String(denominator) : `${denominator}:${numerator}`;

function instantIn(time: Time): Instant {
  const instant = instantOf(`${time.samples}@${baseOf(time)}`);
  if (instant) return instant;
  throw badValue(`${place}/in`, 'a time with a time base', `${time.samples}@${baseOf(time)}`);
}

/** Timed metadata of an item within a cut, at the times of the sequence. */
export function spansIn(cut: Cut, { timespan = [] }: MetadataDocumentValue): readonly MetadataTimespan[] {
  return timespan.flatMap((span): MetadataTimespan[] => {
    const [start, end] = [instantOf(span.start ?? ''), instantOf(span.end ?? '')];
    const isGeneric = span.start === '-INF' && span.end === '+INF';
    if (isGeneric || !start || !end) return [];
    const isStill = cut.sourceFrom.key === cut.sourceTo.key;
    const [from, to] = [later(start, cut.sourceFrom), earlier(end, cut.sourceTo)];
    // A single point may lie in a cut. Spans that only touch a cut are dropped.
    const isTouched = from.key === to.key && start.key !== end.key && (!isStill || end.key === cut.sourceTo.key);
    if (compare(from, to) > 0 || isTouched) return [];
    const { field, group } = plainGroup(span);
    if ((field?.length ?? 0) + (group?.length ?? 0) === 0) return [];
    const times = isStill ? [cut.from, cut.to] : [placeIn(cut, from), placeIn(cut, to)];
    const [first, last] = times.map((time) => textIn(cut.timeBase, time));
    return [{ start: first, end: last, field, group }];
  });
}

const later = (one: Instant, other: Instant): Instant => (compare(one, other) >= 0 ? one : other);
const earlier = (one: Instant, other: Instant): Instant => (compare(one, other) <= 0 ? one : other);
/** Time of the sequence at which a time of the item is seen, at the speed of the cut. */
function placeIn({ from, to, sourceFrom, sourceTo }: Cut, at: Instant): Instant {
  const since = shift(at, sourceFrom, true);
  return shift(rescaled(since, shift(sourceTo, sourceFrom, true), shift(to, from, true)), from);
}

/** Copies names and values only. */
const plainGroup = ({ name, field, group }: MetadataGroup): MetadataGroup => ({
  ...(name !== undefined && { name }),
  field: (field ?? []).filter((each) => !each.name?.startsWith('__')).map(plainField),
  group: (group ?? []).map(plainGroup),
});

const plainField = ({ name, track, value }: MetadataField): MetadataField => ({
  ...(name !== undefined && { name }),
  ...(track !== undefined && { track }),
  value: (value ?? []).map((each) => ({ value: each.value, ...(each.lang !== undefined && { lang: each.lang }) })),
});

/** Removes groups that exist already, since a group in a document is always added. Fields are replaced. */
export function missingIn(
  { timespan = [] }: MetadataDocumentValue,
  wanted: readonly MetadataTimespan[],
): readonly MetadataTimespan[] {
  const presentKeys = new Set(timespan.flatMap((span) => (span.group ?? []).map((group) => keyOf(span, group))));
  const left = wanted.map((span) => {
    const missing = (span.group ?? []).filter((group) => !presentKeys.has(keyOf(span, group)));
    return { ...span, group: missing.map((group) => ({ ...group, mode: 'add' })) };
  });
  // Empty timespans would clear existing metadata.
  return left.filter(({ field = [], group }) => field.length + group.length > 0);
}

const keyOf = ({ start, end }: MetadataTimespan, group: MetadataGroup): string =>
  JSON.stringify([instantOf(start ?? '')?.key, instantOf(end ?? '')?.key, plainGroup(group)]);
