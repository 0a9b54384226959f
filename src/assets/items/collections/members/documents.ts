import { groupBy } from '../../../../core/lib/group-by.ts';
import type { Reader } from '../../../../core/store/statement.ts';
import { type Addressed, baseOf } from '../../../../http/address.ts';
import { metadataOf } from '../../../../room/entities/key-values/rules.ts';
import { keyValuesOf, prepareWeights } from '../../../../room/entities/key-values/store.ts';
import { lotsOf } from '../../../../room/entities/page-weight.ts';
import type { Caller } from '../../../../security/caller.ts';
import { readableAmong } from '../../../access/public.ts';
import { accessOf, type Viewer } from '../../../access/public-reading.ts';
import type { CollectionContent } from '../../documents.ts';
import { membershipType } from './change.ts';
import { keyOf, type Member } from './order.ts';
import { membersOfCollection } from './store.ts';

/** Members that the caller may read, in order, optionally of some kinds only. */
export async function* contentOf(
  call: Caller & Addressed,
  id: string,
  kinds?: readonly string[],
): AsyncGenerator<readonly CollectionContent[], void> {
  const { reader } = call;
  const base = baseOf(call);
  const viewer = await accessOf(reader, call);
  // Members that move during the read would occur twice.
  const writtenKeys = new Set<string>();
  for await (const slice of membersOfCollection(reader, id)) {
    const wanted = slice.filter((member) => !writtenKeys.has(keyOf(member)) && (kinds?.includes(member.type) ?? true));
    for (const member of wanted) writtenKeys.add(keyOf(member));
    const seen = await readableOf(reader, viewer, wanted);
    const weightOf = await weights(
      reader,
      seen.map(({ reference }) => reference),
    );
    const lots = lotsOf(seen, ({ reference }) => 1 + weightOf(reference), Number.POSITIVE_INFINITY);
    for (const lot of lots) {
      const described = lot.filter(({ reference }) => weightOf(reference) > 0).map(({ reference }) => reference);
      const metadata = described.length === 0 ? none : await keyValuesOf(reader, membershipType, described);
      yield lot.map((member) => documentOf(base, member, metadataOf(metadata.get(member.reference))));
    }
  }
}

const weights = prepareWeights(membershipType);
const none: Awaited<ReturnType<typeof keyValuesOf>> = new Map();

async function readableOf(reader: Reader, viewer: Viewer, members: readonly Member[]): Promise<readonly Member[]> {
  const readable = new Map<string, ReadonlySet<string>>();
  for (const [type, ofType] of groupBy(members, (member) => member.type)) {
    const ids = ofType.map(({ id }) => id);
    readable.set(type, await readableAmong(reader, viewer, type, ids));
  }
  return members.filter(({ type, id }) => readable.get(type)!.has(id));
}

const documentOf = (
  base: string,
  { type, id, reference }: Member,
  metadata: CollectionContent['metadata'],
): CollectionContent => ({
  id,
  uri: `${base}/${type}/${encodeURIComponent(id)}`,
  type: type as NonNullable<CollectionContent['type']>,
  reference,
  metadata,
});
