import { asc, eq, type SQL, sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import { closure } from '../../core/store/closure-sql.ts';
import type { Statement } from '../../core/store/contract.ts';
import { expectVersion, guard, mustExist } from '../../core/store/guard.ts';
import { updateBy } from '../../core/store/rows.ts';
import { counter } from '../../core/store/schema.ts';
import { query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import { preparePageCheck } from '../../room/entities/key-values/store.ts';
import { group, groupLinks } from '../tables.ts';

const profile = {
  id: group.id,
  name: group.name,
  description: group.description,
  role: group.role,
  version: group.version,
};

export const findGroup = query((db) =>
  db
    .select(profile)
    .from(group)
    .where(eq(group.name, value('name'))),
).first;

export type GroupRow = NonNullable<Awaited<ReturnType<typeof findGroup>>>;

export const groupsNamed = query((db) =>
  db
    .select(profile)
    .from(group)
    .where(sql`${group.name} IN ${valuesOf('names')}`)
    .orderBy(asc(group.name)),
);

export const groupsWithIds = query((db) =>
  db
    .select(profile)
    .from(group)
    .where(sql`${group.id} IN ${valuesOf('ids')}`),
);

/** Roles begin with an underscore and groups do not, so they are a range of the index of names. */
const isRole = sql`${group.name} >= '_' AND ${group.name} < '\`'`;

const pageOf = (where: SQL | undefined) =>
  query((db) =>
    db.select(profile).from(group).where(where).orderBy(asc(group.name)).limit(value('limit')).offset(value('offset')),
  );

const pageOfAll = pageOf(undefined);
const pageOfRoles = pageOf(isRole);
const pageOfGroups = pageOf(sql`${group.role} = 0`);

/** The number of roles is that of the release, so counting them costs the same in any database. */
const totals = query(
  sql`SELECT COALESCE((SELECT ${counter.value} FROM ${counter} WHERE ${counter.name} = 'groups'), 0),
    (SELECT COUNT(*) FROM ${group} WHERE ${isRole})`,
  { groups: sql<number>``, roles: sql<number>`` },
).first;

interface GroupFilter {
  readonly role?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of groups by name, and their total number. */
export async function listGroups(reader: Reader, filter: GroupFilter): Promise<{ hits: number; groups: GroupRow[] }> {
  const { role, ...page } = filter;
  const { groups = 0, roles = 0 } = (await totals(reader, {})) ?? {};
  if (role === undefined) return { hits: groups + roles, groups: await pageOfAll(reader, page) };
  return role
    ? { hits: roles, groups: await pageOfRoles(reader, page) }
    : { hits: groups, groups: await pageOfGroups(reader, page) };
}

export const checkGroupPage = preparePageCheck('group');

/** A set of groups and everything above it, as `found`. */
export const climb = (start: SQL): SQL => sql`WITH RECURSIVE ${closure('found', start, groupLinks.up)}`;

/** Join order from the found ids to the groups: otherwise the planner scans all groups. */
export const foundGroups = sql`found CROSS JOIN "group" USING (id)`;

const rolesAbove = query(
  sql`${climb(sql`SELECT group_id FROM group_user WHERE user_id = ${value('userId')}`)}
    SELECT name FROM ${foundGroups} WHERE role = 1`,
  { name: group.name },
);

/** The roles that a user's groups lead to, however far up. */
export async function effectiveRoles(store: Store, userId: string): Promise<ReadonlySet<string>> {
  const rows = await rolesAbove(store, { userId });
  return new Set(rows.map((row) => row.name));
}

/** Whether membership in one of these groups brings one of these roles, and the revision of the graph that says so. */
export const leadsToRoles = query(
  sql`${climb(sql`SELECT id FROM "group" WHERE name IN ${valuesOf('names')}`)}
    SELECT (SELECT value FROM counter WHERE name = 'group-graph'),
      EXISTS (SELECT 1 FROM ${foundGroups} WHERE name IN ${valuesOf('roles')})`,
  { revision: sql<number>``, leads: sql<number>`` },
);

const insertRow = statement((db) =>
  db.insert(group).values({
    id: value('id'),
    name: value('name'),
    description: value('description'),
    role: 0,
    version: 1,
    createdAt: value('createdAt'),
    modifiedAt: value('createdAt'),
  }),
);

const count = statement(
  sql`INSERT INTO ${writes('counter')} (name, value) VALUES ('groups', ${value('by')})
    ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
);

interface NewGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: number;
}

export const insertGroup = (row: NewGroup, refusal: ServiceError): Statement[] => [
  insertRow({ ...row }, refusal),
  count({ by: 1 }),
];

const removals = [
  sql`DELETE FROM ${writes('group_user')} WHERE group_id = ${value('id')}`,
  sql`DELETE FROM ${writes('group_group')} WHERE parent_id = ${value('id')}`,
  sql`DELETE FROM ${writes('group_group')} WHERE child_id = ${value('id')}`,
  sql`DELETE FROM ${writes('group')} WHERE id = ${value('id')}`,
].map((template) => statement(template));

/** The group and all that hangs on it. */
export const deleteGroup = (id: string): Statement[] => [
  ...forgetEntity('group', id),
  ...removals.map((removal) => removal({ id })),
  count({ by: -1 }),
];

/** For a commit with events about groups. */
export const noteGroupsModified = statement(
  sql`UPDATE ${writes('group')} SET modified_at = ${value('now')} WHERE name IN ${valuesOf('names')}`,
);

const setName = updateBy(group, 'id', 'name');
export const renameRow = (id: string, name: string, refusal: ServiceError): Statement => setName({ id, name }, refusal);

export const describeGroup = statement((db) =>
  db
    .update(group)
    .set({ description: sql`${value('description')}` })
    .where(eq(group.id, value('id'))),
);

const groupUnchanged = expectVersion(group.id, group.version);
const nextVersion = statement(sql`UPDATE ${writes('group')} SET version = version + 1 WHERE id = ${value('id')}`);

/** Increments the version. Fails if the group has changed since it was read. */
export const advance = (row: GroupRow, refusal: ServiceError): Statement[] => [
  groupUnchanged(row.id, row.version, refusal),
  nextVersion({ id: row.id }),
];

export const groupMustExist = mustExist(group.id);

/** Increments the version without comparing it, since concurrent additions to a group do not conflict. */
export const moveOn = (row: GroupRow, refusal: ServiceError): Statement[] => [
  groupMustExist(row.id, refusal),
  nextVersion({ id: row.id }),
];

const graphRevision = sql`(SELECT value FROM counter WHERE name = 'group-graph')`;

/** Guards that the group graph is unchanged since it was read. */
export const expectGraph = guard(sql`${graphRevision} = ${value('revision')}`);

/** Increments the revision of the cached effective roles. */
export const graphChanged = statement(
  sql`UPDATE ${writes('counter')} SET value = value + 1 WHERE name = 'group-graph'`,
);
