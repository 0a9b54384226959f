import { asc, sql } from 'drizzle-orm';
import { closure, type Links } from '../../../core/store/closure-sql.ts';
import { guard, mustExist } from '../../../core/store/guard.ts';
import { deleteBy, rowBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, steadyRows, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { climb } from '../../../identity/public-reading.ts';
import { preparePageCheck } from '../../../room/entities/key-values/store.ts';
import { groupIsSeen } from '../access/store.ts';
import { sortKeyOf } from '../names.ts';
import { metadataFieldGroup, metadataFieldGroupMember, nestedGroups } from '../tables.ts';

export const findFieldGroup = rowBy(metadataFieldGroup, 'name');

export type FieldGroupRow = NonNullable<Awaited<ReturnType<typeof findFieldGroup>>>;

const page = sql`ORDER BY sort_key, name LIMIT ${value('limit')} OFFSET ${value('offset')}`;
const name = { name: metadataFieldGroup.name };

/** Names of the groups that a user sees. `userId` null: only groups without entries. */
export const listSeenGroups = query(
  sql`${climb(sql`SELECT group_id FROM group_user WHERE user_id = ${value('userId')}`)}
    SELECT name FROM metadata_field_group WHERE ${groupIsSeen} ${page}`,
  name,
);

export const listFieldGroups = query(sql`SELECT name FROM metadata_field_group ${page}`, name);

export const checkGroupDataPage = preparePageCheck('field-group');

const amongGiven = sql`IN ${valuesOf('names')}`;

export const fieldGroupsNamed = query((db) =>
  db.select().from(metadataFieldGroup).where(sql`${metadataFieldGroup.name} ${amongGiven}`),
);
/** As documents of metadata need them. */
export const knownGroups = fieldGroupsNamed.reaching(steadyRows);

/** Members of groups, in the order in which they were added, up to a total limit. */
export const membersOfGroups = query((db) =>
  db
    .select()
    .from(metadataFieldGroupMember)
    .where(sql`${metadataFieldGroupMember.groupName} ${amongGiven}`)
    .orderBy(asc(metadataFieldGroupMember.groupName), asc(metadataFieldGroupMember.position))
    .limit(value('limit')),
);
export const knownMembers = membersOfGroups.reaching(steadyRows);

/** Groups with all nested groups at any depth, up to a limit. */
export const groupsBelow = query(
  sql`WITH RECURSIVE ${closure('below', sql`SELECT value FROM ${eachOf('names')}`, nestedGroups)}
    SELECT id FROM below LIMIT ${value('limit')}`,
  name,
);

export const fieldGroupMustExist = mustExist(metadataFieldGroup.name);

const insert = statement(
  sql`INSERT INTO ${writes('metadata_field_group')} (name, sort_key, rest, version)
    VALUES (${value('name')}, ${value('sortKey')}, '{}', 1) ON CONFLICT (name) DO NOTHING`,
);

/** Inserts a group. An existing one stays as it is. */
export const insertFieldGroup = (name: string) => insert({ name, sortKey: sortKeyOf(name) });

/** Merges `rest`, the changed properties as JSON. */
export const updateFieldGroup = statement<{ name: string; rest: string }>(
  sql`UPDATE ${writes('metadata_field_group')} SET rest = json_patch(rest, ${value('rest')}), version = version + 1
    WHERE name = ${value('name')}`,
);

export const emptyFieldGroup = deleteBy(metadataFieldGroupMember, 'groupName');

/** Deletes a group and all rows that refer to it. Its fields and groups stay. */
export const removeFieldGroup = [
  sql`DELETE FROM ${writes('metadata_field_group_member')} WHERE group_name = ${value('name')}`,
  sql`DELETE FROM ${writes('metadata_field_group_member')} WHERE kind = 'group' AND member = ${value('name')}`,
  sql`DELETE FROM ${writes('metadata_field_access')} WHERE kind = 'group' AND name = ${value('name')}`,
  sql`DELETE FROM ${writes('metadata_field_group')} WHERE name = ${value('name')}`,
].map((template) => statement<{ name: string }>(template));

export type MemberKind = 'field' | 'group';
type Membership = { readonly groupName: string; readonly kind: MemberKind; readonly member: string };

const ofMember = sql`group_name = ${value('groupName')} AND kind = ${value('kind')} AND member = ${value('member')}`;

/** Adds a member. An existing one keeps its position, and takes the schema if one is given. */
export const addFieldToGroup = statement<Membership & { readonly schema: string }>(
  sql`INSERT INTO ${writes('metadata_field_group_member')} (group_name, kind, member, position, schema)
    SELECT ${value('groupName')}, ${value('kind')}, ${value('member')}, COALESCE(MAX(position) + 1, 0), ${value('schema')}
      FROM metadata_field_group_member WHERE group_name = ${value('groupName')}
    ON CONFLICT (group_name, kind, member)
      DO UPDATE SET schema = CASE excluded.schema WHEN '{}' THEN schema ELSE excluded.schema END`,
);

export const removeFieldFromGroup = statement<Membership>(
  sql`DELETE FROM ${writes('metadata_field_group_member')} WHERE ${ofMember}`,
);

export const memberMustExist = guard<Membership>(
  sql`EXISTS (SELECT 1 FROM metadata_field_group_member WHERE ${ofMember})`,
);

/** Places in the list of the members that their groups do not have yet: `[group, kind, member]` each. */
export const lackedMembers = query(
  sql`SELECT given.key FROM ${eachOf('members')} AS given WHERE NOT EXISTS (
    SELECT 1 FROM metadata_field_group_member WHERE group_name = given.value ->> 0 AND kind = given.value ->> 1
      AND member = given.value ->> 2)`,
  { at: sql<number>`` },
);

/** Limit of members, since reads load all members of a group at once. */
export const maxMembers = 2000;

export const membersFit = guard<{ name: string }>(
  sql`(SELECT COUNT(*) FROM metadata_field_group_member WHERE group_name = ${value('name')}) <= ${maxMembers}`,
);

/** Maximum depth of nested groups: documents are limited in depth. */
export const maxDepth = 20;

const nestedIn = sql`SELECT member FROM metadata_field_group_member WHERE group_name = ${value('name')} AND kind = 'group'`;

/** Limit of groups that one document makes or extends, since each costs a walk through the groups around it. */
export const maxGroups = 500;

/** Guard, evaluated after the change: no path down from the group leads back to it. */
export const noCircle = guard<{ name: string }>(
  sql`NOT EXISTS (WITH RECURSIVE ${closure('reached', nestedIn, nestedGroups)} SELECT 1 FROM reached WHERE id = ${value('name')})`,
);

/** Longest path from a group to groups above it, or below it. */
const depthBy = (links: Links) =>
  sql`(WITH RECURSIVE ${closure('reached', sql`SELECT ${value('name')}, 0`, links, 'id', maxDepth)}
    SELECT MAX(distance) FROM reached)`;

/** Guard: chains through the group fit the maximum depth. Runs after `noCircle`. */
export const notTooDeep = guard<{ name: string }>(
  sql`${depthBy({ ...nestedGroups, from: nestedGroups.to, to: nestedGroups.from })} + ${depthBy(nestedGroups)} < ${maxDepth}`,
);
