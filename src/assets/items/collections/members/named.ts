import { groupBy } from '../../../../core/lib/group-by.ts';
import { askEach } from '../../../../core/lib/maybe.ts';
import { typeInWords } from '../../../../core/lib/messages.ts';
import type { Reader } from '../../../../core/store/statement.ts';
import { entityNamed } from '../../../../room/entities/find.ts';
import type { EntityKind, KindName } from '../../../../room/entity.ts';
import type { Caller } from '../../../../security/caller.ts';
import { readableAmong } from '../../../access/public.ts';
import { accessOf, notYours } from '../../../access/public-reading.ts';
import { collectionKind, collectionName, itemKind, itemName } from '../../contract/entities.ts';
import { collectionsAmong, itemsAmong } from '../../contract/store.ts';
import { librariesAmong } from '../../libraries-sql.ts';
import { libraryKind, libraryName } from '../../library-entity.ts';
import type { MemberKey } from './order.ts';

export const memberTypes = ['item', 'collection', 'library'] as const;

interface Members {
  readonly name: KindName;
  kind(reader: Reader): EntityKind;
  readonly among: typeof itemsAmong;
}

const kinds: ReadonlyMap<string, Members> = new Map([
  ['item', { name: itemName, kind: itemKind, among: itemsAmong }],
  ['collection', { name: collectionName, kind: collectionKind, among: collectionsAmong }],
  ['library', { name: libraryName, kind: libraryKind, among: librariesAmong }],
]);

const kindOf = ({ type }: MemberKey): Members => kinds.get(type)!;

/** Resolves ids or external ids in order. 404 for unknown ones, 403 for unreadable ones. */
export async function membersNamed(
  reader: Reader,
  call: Caller,
  names: readonly MemberKey[],
): Promise<readonly string[]> {
  const viewer = await accessOf(reader, call);
  const idsByKey = new Map<MemberKey, string>();
  for (const [type, ofType] of groupBy(names, (name) => name.type)) {
    const { kind, name, among } = kindOf(ofType[0]!);
    const ids = ofType.map(({ id }) => id);
    const existing = new Set((await among(reader, { ids })).map(({ id }) => id));
    const all = await askEach(ids, async (id) => {
      return existing.has(id) ? id : (await entityNamed(reader, kind(reader), id)).id;
    });
    for (const [index, each] of ofType.entries()) idsByKey.set(each, all[index]!);
    const readable = await readableAmong(reader, viewer, type, all);
    const hidden = ofType.find((each) => !readable.has(idsByKey.get(each)!));
    if (hidden) throw unreadable(name, hidden.id);
  }
  return names.map((each) => idsByKey.get(each)!);
}

const unreadable = ({ noun }: KindName, id: string) =>
  notYours(`Expected an access entry that gives READ on the ${typeInWords(noun)}`, id);

/** Id of the member named by the path. Deleted entities have no memberships. */
export async function memberNamed(reader: Reader, { type, id }: MemberKey): Promise<string> {
  return (await entityNamed(reader, kindOf({ type, id }).kind(reader), id)).id;
}
