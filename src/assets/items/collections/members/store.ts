import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../../../core/lib/errors.ts';
import type { Statement } from '../../../../core/store/contract.ts';
import { guard } from '../../../../core/store/guard.ts';
import { eachOf, query, type Reader, statement, value, valuesOf, writes } from '../../../../core/store/statement.ts';
import { deleted, inserted, triggers, updated } from '../../../../core/store/triggers-sql.ts';
import type { Page } from '../../../../http/parameters/index.ts';
import { collectionMember } from '../../../containment/tables.ts';
import { collectionsAbove } from '../../../containment/walks-sql.ts';
import { gap, type Member, type MemberKey } from './order.ts';

const { collectionId, memberType, memberId, position, reference } = collectionMember;
const columns = { type: memberType, id: memberId, position, reference };

export const findMember = query((db) =>
  db
    .select(columns)
    .from(collectionMember)
    .where(
      sql`${collectionId} = ${value('collectionId')} AND ${memberType} = ${value('type')} AND ${memberId} = ${value('id')}`,
    ),
).first;

/** Members in order, after a position. Two members may share a position. */
const nextMembers = query((db) =>
  db
    .select(columns)
    .from(collectionMember)
    .where(
      sql`${collectionId} = ${value('collectionId')}
        AND (${position}, ${memberType}, ${memberId}) > (${value('position')}, ${value('type')}, ${value('id')})`,
    )
    .orderBy(position, memberType, memberId)
    .limit(value('limit')),
);
const firstMembers = nextMembers.reaching({ upTo: 'limit' });

/** Members per read: the main thread receives them in one piece. */
const slice = 1000;

/** Iterates over all members in order, in slices. */
export async function* membersOfCollection(reader: Reader, id: string): AsyncGenerator<readonly Member[], void> {
  let last = { position: Number.MIN_SAFE_INTEGER, type: '', id: '' };
  for (let page = firstMembers; ; page = nextMembers) {
    const rows: readonly Member[] = await page(reader, { ...last, collectionId: id, limit: slice });
    if (rows.length > 0) yield rows;
    if (rows.length < slice) return;
    last = rows.at(-1)!;
  }
}

/** Collections that contain a member, sorted by id. */
const collectionsWith = query((db) =>
  db
    .select({ id: collectionId })
    .from(collectionMember)
    .where(sql`${memberType} = ${value('type')} AND ${memberId} = ${value('id')}`)
    .orderBy(collectionId)
    .limit(value('limit'))
    .offset(value('offset')),
).reaching({ upTo: 'limit' });

type Key = { readonly collectionId: string; readonly type: string; readonly id: string };

const above = collectionsAbove(sql`SELECT 0 AS root, 'collection' AS type, ${value('id')} AS id`);

/** Collections above a collection, without duplicates, the nearest first. */
export const ancestorsOf = query(
  sql`WITH RECURSIVE ${above} SELECT id FROM up LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { id: sql<string>`` },
);

/** Guard: none of the collections is the collection itself or above it. */
const notAbove = guard<{ id: string; ids: readonly string[] }>(
  sql`${value('id')} NOT IN ${valuesOf('ids')}
    AND NOT EXISTS (WITH RECURSIVE ${above} SELECT 1 FROM up WHERE id IN ${valuesOf('ids')})`,
);

export const noCycle = (id: string, collections: readonly string[], refusal: ServiceError): Statement[] =>
  collections.length === 0 ? [] : [notAbove({ id, ids: collections }, refusal)];

export const collectionHasRoom = guard<{ collectionId: string; max: number }>(
  sql`(SELECT members FROM collection WHERE id = ${value('collectionId')}) <= ${value('max')}`,
);

export const sameVersion = guard<{ collectionId: string; version: number }>(
  sql`(SELECT version FROM collection WHERE id = ${value('collectionId')}) = ${value('version')}`,
);

/** Columns that say what a member gets from its collection, by the rights of the user who added it. */
export type Passing = { readonly passes: 0 | 1; readonly inherits: 0 | 1 };

/** An existing member keeps its position. */
export const appendMember = statement<Key & { reference: string } & Passing>(
  sql`INSERT INTO ${writes('collection_member')}
    (collection_id, member_type, member_id, position, reference, passes, inherits)
    SELECT ${value('collectionId')}, ${value('type')}, ${value('id')},
      COALESCE((SELECT max(position) FROM collection_member WHERE collection_id = ${value('collectionId')}), 0) + ${gap},
      ${value('reference')}, ${value('passes')}, ${value('inherits')} WHERE TRUE
    ON CONFLICT DO NOTHING`,
);

const place = statement<{ collectionId: string; rows: readonly unknown[] }>(
  sql`INSERT INTO ${writes('collection_member')}
    (collection_id, member_type, member_id, position, reference, passes, inherits)
    SELECT ${value('collectionId')}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
      FROM ${eachOf('rows')} WHERE TRUE
    ON CONFLICT (collection_id, member_type, member_id) DO UPDATE SET position = excluded.position`,
);

/** Inserts new members and moves others. */
export const placeMembers = (
  id: string,
  members: readonly Member[],
  passing: (member: MemberKey) => Passing,
): Statement[] =>
  members.length === 0
    ? []
    : [
        place({
          collectionId: id,
          rows: members.map((each) => {
            const { passes, inherits } = passing(each);
            return [each.type, each.id, each.position, each.reference, passes, inherits];
          }),
        }),
      ];

const listedMembers = sql`collection_id = ${value('collectionId')} AND (member_type, member_id) IN
  (SELECT value ->> 0, value ->> 1 FROM ${eachOf('rows')})`;
const removal = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'collection-member'
    AND entity_id IN (SELECT reference FROM collection_member WHERE ${listedMembers})`,
  sql`DELETE FROM ${writes('collection_member')} WHERE ${listedMembers}`,
].map((template) => statement<{ collectionId: string; rows: readonly unknown[] }>(template));

export const removeMembers = (id: string, members: readonly MemberKey[]): Statement[] =>
  members.length === 0 ? [] : removal.map((statement) => statement({ collectionId: id, rows: memberKeys(members) }));

/** Rows of the statements. */
export const memberKeys = (members: readonly MemberKey[]) => members.map(({ type, id }) => [type, id]);

/** Members of the collection among the given keys. */
export const collectionMembersAmong = query((db) =>
  db
    .select(columns)
    .from(collectionMember)
    .where(
      sql`${collectionId} = ${value('collectionId')} AND (${memberType}, ${memberId}) IN
        (SELECT value ->> 0, value ->> 1 FROM ${eachOf('rows')})`,
    ),
);

const others = sql`collection_id = ${value('collectionId')} AND (member_type, member_id) NOT IN
  (SELECT value ->> 0, value ->> 1 FROM ${eachOf('rows')})`;
const removalOfOthers = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'collection-member'
    AND entity_id IN (SELECT reference FROM collection_member WHERE ${others})`,
  sql`DELETE FROM ${writes('collection_member')} WHERE ${others}`,
].map((template) => statement<{ collectionId: string; rows: readonly unknown[] }>(template));

/** Removes all members except the given ones. */
export const removeOtherMembers = (id: string, members: readonly MemberKey[]): Statement[] =>
  removalOfOthers.map((statement) => statement({ collectionId: id, rows: memberKeys(members) }));

export const memberThere = guard<Key>(
  sql`EXISTS (SELECT 1 FROM collection_member WHERE collection_id = ${value('collectionId')}
    AND member_type = ${value('type')} AND member_id = ${value('id')})`,
);

/** Guard: the same membership, not a newer one from another request. */
export const memberHas = guard<Key & { reference: string }>(
  sql`EXISTS (SELECT 1 FROM collection_member WHERE collection_id = ${value('collectionId')}
    AND member_type = ${value('type')} AND member_id = ${value('id')} AND reference = ${value('reference')})`,
);

/** Guard: the entity is in no other collection. */
const inNoOther = guard<{ type: string; id: string; collections: readonly string[] }>(
  sql`NOT EXISTS (SELECT 1 FROM collection_member WHERE member_type = ${value('type')} AND member_id = ${value('id')}
    AND collection_id NOT IN ${valuesOf('collections')})`,
);
const removeEverywhere = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'collection-member' AND entity_id IN
    (SELECT reference FROM collection_member WHERE member_type = ${value('type')} AND member_id = ${value('id')})`,
  sql`DELETE FROM ${writes('collection_member')} WHERE member_type = ${value('type')} AND member_id = ${value('id')}`,
].map((template) => statement<{ type: string; id: string }>(template));

/** Removes an entity from these collections, in the commit that deletes it. */
export const leaveCollections = (member: MemberKey, collections: readonly string[], changed: ServiceError) => [
  inNoOther({ type: member.type, id: member.id, collections }, changed),
  ...removeEverywhere.map((statement) => statement({ type: member.type, id: member.id })),
];

/** Removes the members of a deleted collection. */
export const removeAllMembers = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'collection-member'
    AND entity_id IN (SELECT reference FROM collection_member WHERE collection_id = ${value('id')})`,
  sql`DELETE FROM ${writes('collection_member')} WHERE collection_id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));

/** Triggers for versions and sizes of collections and libraries. */
export const memberTriggers = (): readonly string[] => {
  const members = (row: string, sign: string) => `UPDATE collection SET version = version + 1,
      members = members ${sign} 1, items = items ${sign} (${row}.member_type = 'item'),
      collections = collections ${sign} (${row}.member_type = 'collection')
    WHERE id = ${row}.collection_id`;
  const items = (row: string, sign: string) =>
    `UPDATE library SET version = version + 1, items = items ${sign} 1 WHERE id = ${row}.library_id`;
  const places = 'UPDATE collection SET version = version + 1 WHERE id = NEW.collection_id';
  return triggers({
    collection_member_added: inserted('collection_member', members),
    collection_member_removed: deleted('collection_member', members),
    collection_member_moved: updated('collection_member', 'position', places),
    library_item_added: inserted('library_item', items),
    library_item_removed: deleted('library_item', items),
  });
};

/** All collections that contain an entity. */
export const parentCollections = (reader: Reader, member: MemberKey): Promise<readonly string[]> =>
  parentsPage(reader, member, { offset: 0, limit: -1 });

export async function parentsPage(reader: Reader, { type, id }: MemberKey, page: Page): Promise<readonly string[]> {
  return (await collectionsWith(reader, { type, id, ...page })).map((row) => row.id);
}
