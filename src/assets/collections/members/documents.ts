import { metadataOf } from '../../../entities/key-values/documents.ts';
import { keyValuesOf } from '../../../entities/key-values/store.ts';
import { baseOf } from '../../../http/address.ts';
import { accountOf, type Call } from '../../../http/call.ts';
import { groupBy } from '../../../lib/group-by.ts';
import type { Reader } from '../../../store/statement.ts';
import { accessOf, readableAmong, type Viewer } from '../../access/access.ts';
import type { CollectionContent } from '../../documents/collection.ts';
import type { AssetParts } from '../../parts.ts';
import { membershipType } from './change.ts';
import { keyOf, type Member } from './order.ts';
import { membersOf } from './store.ts';

/** All members that the caller may read, in their order. Only kinds that the caller asks for, if it does. */
export async function contentOf(
  { store }: Pick<AssetParts, 'store'>,
  call: Call,
  id: string,
  kinds?: readonly string[],
): Promise<readonly CollectionContent[]> {
  const reader = store.reader(accountOf(call));
  const base = baseOf(call);
  const viewer = await accessOf(reader, call);
  const content: CollectionContent[] = [];
  // A member that moves while the slices are read may come twice.
  const told = new Set<string>();
  for await (const slice of membersOf(reader, id)) {
    const wanted = slice.filter((member) => !told.has(keyOf(member)) && (kinds?.includes(member.type) ?? true));
    for (const member of wanted) told.add(keyOf(member));
    content.push(...(await documentsOf(reader, viewer, base, wanted)));
  }
  return content;
}

async function documentsOf(
  reader: Reader,
  viewer: Viewer,
  base: string,
  members: readonly Member[],
): Promise<readonly CollectionContent[]> {
  const readable = new Map<string, ReadonlySet<string>>();
  for (const [type, ofType] of groupBy(members, (member) => member.type)) {
    const ids = ofType.map(({ id }) => id);
    readable.set(type, await readableAmong(reader, viewer, type, ids));
  }
  const seen = members.filter(({ type, id }) => readable.get(type)!.has(id));
  const references = seen.map(({ reference }) => reference);
  const metadata = await keyValuesOf(reader, membershipType, references);
  return seen.map(({ type, id, reference }) => ({
    id,
    uri: `${base}/${type}/${encodeURIComponent(id)}`,
    type: type as NonNullable<CollectionContent['type']>,
    reference,
    metadata: metadataOf(metadata.get(reference)),
  }));
}
