import { readableAmong } from '../../assets/access/public.ts';
import { accessOf } from '../../assets/access/public-reading.ts';
import { itemName } from '../../assets/items/contract/entities.ts';
import { type ItemsContext, type Sequence, sequenceType } from '../../assets/items/public.ts';
import {
  findAttachment,
  type AttachmentKind as Kind,
  missingAttachment as missing,
} from '../../assets/metadata/public.ts';
import { document, element, list, string, structure } from '../../core/documents/describe.ts';
import { badValue } from '../../core/documents/error.ts';
import { type Description, type DocumentLimits, writeJson } from '../../core/documents/index.ts';
import type { Reader } from '../../core/store/statement.ts';
import { documentIn } from '../../http/body.ts';
import type { Content } from '../../http/reads.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import { idsWithoutItem } from './store.ts';

/** Native format. Others are stored unchanged. */
export const ownFormat = 'vidispine';

export const sequenceKind: Kind = { kind: 'sequence', noun: 'sequence', max: 50 };
export const timelineKind: Kind = { kind: 'timeline', noun: 'timeline', max: 50 };

const max = 20_000;
const place = '/SequenceDocument/track/segment';

/** Distinct items in a sequence. */
export function itemsOf({ track = [] }: Sequence): readonly string[] {
  const segments = track.flatMap(({ segment = [] }) => segment);
  if (segments.length > max) throw badValue(place, `at most ${max} segments`, String(segments.length));
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

export const sequenceDocument = document('SequenceDocument', sequenceType);

export const sequenceListDocument = document('SequenceListDocument', {
  sequence: list(structure('SequenceListEntryType', { id: element(string).required, type: element(string).required })),
});

/** Sequence of an item in the native format. */
export async function sequenceOf(
  { store, limits }: Pick<ItemsContext, 'store' | 'limits'>,
  id: string,
): Promise<Sequence> {
  const { kind, noun } = sequenceKind;
  const row = await findAttachment(store, { type: 'item', id, kind, name: ownFormat });
  if (!row) throw missing(noun, ownFormat);
  return (await documentIn(row.content, sequenceDocument, limits)) ?? {};
}

/** Serialises a document for storage. Refuses documents that exceed the limits of later reads. */
export async function keptJson<T>(description: Description<T>, value: T, limits: DocumentLimits): Promise<Content> {
  const content = new TextEncoder().encode(writeJson(description, value));
  await documentIn(content, description, limits);
  return { mediaType: 'application/json', content };
}

/** Refuses missing items in a sequence. Unreadable ones count as missing. */
export async function expectItems(reader: Reader, call: Caller, ids: readonly string[]): Promise<void> {
  const [gone] = await idsWithoutItem(reader, { ids });
  const readable = await readableAmong(reader, await accessOf(reader, call), 'item', ids);
  const bad = gone?.id ?? ids.find((id) => !readable.has(id));
  if (bad !== undefined) throw noSuchEntity(itemName, bad);
}
