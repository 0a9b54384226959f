import { sql } from 'drizzle-orm';
import { serialOf } from '../../../core/lib/serial.ts';
import { closure } from '../../../core/store/closure-sql.ts';
import { guard } from '../../../core/store/guard.ts';
import { definitionsCounter } from '../../../core/store/revision.ts';
import { deleteBy, insertInto } from '../../../core/store/rows.ts';
import { eachOf, oneEntity, query, type Reader, value } from '../../../core/store/statement.ts';
import { VersionCache } from '../../../core/store/until-commit.ts';
import { climb, group, user } from '../../../identity/public-reading.ts';
import { metadataFieldAccess, nestedGroups } from '../tables.ts';

export type DefinitionKind = 'field' | 'group';
type Owner = { readonly kind: DefinitionKind; readonly name: string };

const row = {
  id: metadataFieldAccess.id,
  level: metadataFieldAccess.level,
  user: sql<string | null>``,
  group: sql<string | null>``,
};

/** Entries with the current names of users and groups. NULL: the user or group was deleted. */
const selected = sql`SELECT entry.id, level, ${user.name}, ${group.name} FROM metadata_field_access AS entry
  LEFT JOIN ${user} ON ${user.id} = entry.user_id LEFT JOIN ${group} ON ${group.id} = entry.group_id
  WHERE entry.kind = ${value('kind')} AND entry.name = ${value('name')}`;

/** Entries of one field or group, oldest first. */
export const entriesOf = query(
  sql`${selected} ORDER BY entry.serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  row,
);

export type GrantRow = Awaited<ReturnType<typeof entriesOf>>[number];

export const findEntry = query(sql`${selected} AND entry.id = ${value('id')}`, row);

const among = (kind: DefinitionKind) =>
  query(
    sql`SELECT name, level, user_id, group_id FROM ${eachOf('names')} AS given
      CROSS JOIN metadata_field_access ON kind = ${sql.raw(`'${kind}'`)} AND name = given.value`,
    {
      name: metadataFieldAccess.name,
      level: metadataFieldAccess.level,
      userId: metadataFieldAccess.userId,
      groupId: metadataFieldAccess.groupId,
    },
  );

const entriesByKind = { field: among('field'), group: among('group') } as const;

type DecidingEntry = Awaited<ReturnType<typeof entriesByKind.field>>[number];

/** Limits of the cache: lists of names, and the entries of one. */
const [maxLists, maxEntries] = [500, 200];
const entriesByNames = new VersionCache<readonly DecidingEntry[]>(
  maxLists,
  ({ length }, entries) => length < 4_000 && entries.length < maxEntries,
);

/** By one text, so that requests of one turn share the look-up. */
const definitionsRevision = query(sql`SELECT value FROM counter WHERE name = ${value('name')}`, {
  revision: sql<number>``,
}).reaching(oneEntity).first;

/** Entries that decide about the rights in fields or groups, kept until a definition changes. */
export async function entriesAmong(
  reader: Reader,
  kind: DefinitionKind,
  names: readonly string[],
): Promise<readonly DecidingEntry[]> {
  if (reader.steady) return entriesByKind[kind].named(reader, names);
  const { revision } = (await definitionsRevision(reader, { name: definitionsCounter }))!;
  const key = `${kind}\n${names.join('\n')}`;
  return entriesByNames.get(reader, revision, key, () => entriesByKind[kind].named(reader, names));
}

const groupsWithEntries = sql`SELECT DISTINCT name, name FROM metadata_field_access WHERE kind = 'group'`;
const guarded = query(
  sql`WITH RECURSIVE ${closure('inside', groupsWithEntries, nestedGroups, 'root, id')}
    SELECT name, NULL FROM (SELECT DISTINCT name FROM metadata_field_access WHERE kind = 'field')
    UNION ALL
    SELECT member, root FROM inside CROSS JOIN metadata_field_group_member
      WHERE group_name = inside.id AND kind = 'field'`,
  { field: sql<string>``, group: sql<string | null>`` },
);

/** Fields with access entries, and fields nested in groups with entries. */
export async function guardedNames(reader: Reader) {
  const rows = await guarded(reader, {});
  return {
    fields: rows.filter(({ group }) => group === null).map(({ field }) => field),
    groups: rows.flatMap(({ field, group }) => (group === null ? [] : [{ field, group }])),
  };
}

/** Groups of a user, at any depth. */
export const groupsAbove = query(
  sql`${climb(sql`SELECT group_id FROM group_user WHERE user_id = ${value('userId')}`)} SELECT id FROM found`,
  { id: group.id },
).reaching(oneEntity);

const ofOwner = sql`kind = ${value('kind')} AND name = ${value('name')}`;

interface NewEntry extends Owner {
  readonly id: string;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly level: number;
}

const insert = insertInto(metadataFieldAccess);

export const insertGrant = (entry: NewEntry) => insert({ ...entry, serial: serialOf(entry.id) });

export const grantMustExist = guard<Owner & { id: string }>(
  sql`EXISTS (SELECT 1 FROM metadata_field_access WHERE ${ofOwner} AND id = ${value('id')})`,
);

export const removeGrant = deleteBy(metadataFieldAccess, 'id');

/** Limit of entries per field: reads of values load all of them. */
export const maxGrants = 200;

export const grantsFit = guard<Owner>(
  sql`(SELECT COUNT(*) FROM metadata_field_access WHERE ${ofOwner}) <= ${maxGrants}`,
);

/** Condition: the user may see a row of `metadata_field_group`. `found`: the groups of the user. */
export const groupIsSeen = sql`(NOT EXISTS (
      SELECT 1 FROM metadata_field_access AS entry WHERE kind = 'group' AND entry.name = metadata_field_group.name
    ) OR EXISTS (
      SELECT 1 FROM metadata_field_access AS entry WHERE kind = 'group' AND entry.name = metadata_field_group.name
        AND level >= 1 AND (user_id = ${value('userId')} OR group_id IN (SELECT id FROM found))
    ))`;
