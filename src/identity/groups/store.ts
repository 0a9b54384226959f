import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { expectVersion, prepareGuard } from '../../store/guard.ts';
import { group, groupGroup, groupUser, user } from '../../store/schema.ts';
import {
  prepareLookup,
  prepareQuery,
  prepareSqlQuery,
  prepareSqlStatement,
  prepareStatement,
} from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

const value = sql.placeholder;

export const findGroup = prepareLookup((db) =>
  db
    .select({
      id: group.id,
      name: group.name,
      description: group.description,
      role: group.role,
      version: group.version,
    })
    .from(group)
    .where(eq(group.name, value('name'))),
);

export type GroupRow = NonNullable<Awaited<ReturnType<typeof findGroup>>>;

const relative = { id: group.id, name: group.name, role: group.role };

export const parentsOf = prepareQuery((db) =>
  db
    .select(relative)
    .from(groupGroup)
    .innerJoin(group, eq(group.id, groupGroup.parentId))
    .where(eq(groupGroup.childId, value('id')))
    .orderBy(asc(group.name))
    .limit(value('limit')),
);

export const childrenOf = prepareQuery((db) =>
  db
    .select(relative)
    .from(groupGroup)
    .innerJoin(group, eq(group.id, groupGroup.childId))
    .where(eq(groupGroup.parentId, value('id')))
    .orderBy(asc(group.name))
    .limit(value('limit')),
);

export const membersOf = prepareQuery((db) =>
  db
    .select({ id: user.id, name: user.name, realName: user.realName, enabled: user.enabled })
    .from(groupUser)
    .innerJoin(user, eq(user.id, groupUser.userId))
    .where(eq(groupUser.groupId, value('id')))
    .orderBy(asc(user.name))
    .limit(value('limit')),
);

/** Which of the given names stand in a relation to a group: from the names, however large the group is. */
const given = sql`json_each(${value('names')}) AS given`;
const member = { name: user.name };
const related = { name: group.name };

export const parentsAmong = prepareSqlQuery(
  sql`SELECT "group".name FROM ${given} JOIN "group" ON "group".name = given.value
    JOIN group_group ON parent_id = "group".id AND child_id = ${value('id')}`,
  related,
);

export const childrenAmong = prepareSqlQuery(
  sql`SELECT "group".name FROM ${given} JOIN "group" ON "group".name = given.value
    JOIN group_group ON child_id = "group".id AND parent_id = ${value('id')}`,
  related,
);

export const membersAmong = prepareSqlQuery(
  sql`SELECT user.name FROM ${given} JOIN user ON user.name = given.value
    JOIN group_user ON user_id = user.id AND group_id = ${value('id')}`,
  member,
);

export const groupsAmong = prepareSqlQuery(
  sql`SELECT "group".name FROM ${given} JOIN "group" ON "group".name = given.value`,
  related,
);

/** A set of groups and everything above it. */
const climb = (start: SQL): SQL => sql`WITH RECURSIVE above (id) AS (
    ${start}
    UNION
    SELECT parent_id FROM group_group JOIN above ON child_id = above.id
  )`;

const rolesAbove = prepareSqlQuery(
  sql`${climb(sql`SELECT group_id FROM group_user WHERE user_id = ${value('userId')}`)}
    SELECT name FROM above JOIN "group" USING (id) WHERE role = 1`,
  { name: group.name },
);

/** The roles that a user's groups lead to, however far up. */
export async function effectiveRoles(store: Store, userId: string): Promise<ReadonlySet<string>> {
  const rows = await rolesAbove(store, { userId });
  return new Set(rows.map((row) => row.name));
}

/** Whether membership in one of these groups brings one of these roles, and the revision of the graph that says so. */
export const leadsToRoles = prepareSqlQuery(
  sql`${climb(sql`SELECT id FROM "group" WHERE name IN (SELECT value FROM json_each(${value('names')}))`)}
    SELECT (SELECT value FROM counter WHERE name = 'group-graph'),
      EXISTS (SELECT 1 FROM above JOIN "group" USING (id) WHERE name IN (SELECT value FROM json_each(${value('roles')})))`,
  { revision: sql<number>``, leads: sql<number>`` },
);

export const insertGroup = prepareStatement((db) =>
  db.insert(group).values({
    id: value('id'),
    name: value('name'),
    description: value('description'),
    role: value('role'),
    version: 1,
    createdAt: value('createdAt'),
  }),
);

export const describeGroup = prepareStatement((db) =>
  db
    .update(group)
    .set({ description: sql`${value('description')}` })
    .where(eq(group.id, value('id'))),
);

const groupUnchanged = expectVersion(group.id, group.version);
const nextVersion = prepareSqlStatement(sql`UPDATE "group" SET version = version + 1 WHERE id = ${value('id')}`);

/** What was decided holds only as long as the group is what was read. */
export const advance = (row: GroupRow, refusal: ServiceError): Statement[] => [
  groupUnchanged(row.id, row.version, refusal),
  nextVersion({ id: row.id }),
];

const graphRevision = sql`(SELECT value FROM counter WHERE name = 'group-graph')`;

/** The same for what was read of the graph. */
export const expectGraph = prepareGuard(sql`${graphRevision} = ${value('revision')}`);

/** Moves on the revision under which effective roles are remembered. */
export const graphChanged = prepareSqlStatement(sql`UPDATE counter SET value = value + 1 WHERE name = 'group-graph'`);

const userNamed = sql`(SELECT id FROM user WHERE name = ${value('user')})`;
const groupNamed = (name: string): SQL => sql`(SELECT id FROM "group" WHERE name = ${value(name)})`;

const insertMember = prepareSqlStatement(
  sql`INSERT INTO group_user (group_id, user_id) VALUES (${value('id')}, ${userNamed})`,
);
const deleteMember = prepareSqlStatement(
  sql`DELETE FROM group_user WHERE group_id = ${value('id')} AND user_id = ${userNamed}`,
);
const touchUser = prepareSqlStatement(sql`UPDATE user SET version = version + 1 WHERE id = ${userNamed}`);

/** No such user leaves NULL where none may be, which is the refusal. */
export const addMember = (id: string, name: string, refusal: ServiceError): Statement[] => [
  insertMember({ id, user: name }, refusal),
  touchUser({ user: name }),
];

export const removeMember = (id: string, name: string): Statement[] => [
  deleteMember({ id, user: name }),
  touchUser({ user: name }),
];

/** One group inside another, by name. */
export interface Edge {
  readonly parent: string;
  readonly child: string;
}

export const groupThere = prepareGuard(sql`${groupNamed('name')} IS NOT NULL`);
const notRole = prepareGuard(sql`NOT EXISTS (SELECT 1 FROM "group" WHERE name = ${value('name')} AND role = 1)`);
const noCircle = prepareGuard(
  sql`NOT EXISTS (${climb(sql`SELECT id FROM "group" WHERE name = ${value('parent')}`)}
    SELECT 1 FROM above WHERE id = ${groupNamed('child')})`,
);
const insertEdge = prepareSqlStatement(
  sql`INSERT INTO group_group (parent_id, child_id) VALUES (${groupNamed('parent')}, ${groupNamed('child')})`,
);
const deleteEdge = prepareSqlStatement(
  sql`DELETE FROM group_group WHERE parent_id = ${groupNamed('parent')} AND child_id = ${groupNamed('child')}`,
);

/** Refused inside the commit when an end is missing, the child is a role, or the edge would close a circle. */
export function addEdge({ parent, child }: Edge): Statement[] {
  const missing = (name: string) => new ServiceError('no-such-entity', { type: 'Group', id: name });
  const explanation = `Expected no circle: "${child}" is "${parent}", or is above it already`;
  return [
    groupThere({ name: parent }, missing(parent)),
    groupThere({ name: child }, missing(child)),
    notRole({ name: child }, roleInside(child)),
    noCircle({ parent, child }, new ServiceError('group-cycle', { type: 'Group', id: child, explanation })),
    insertEdge({ parent, child }),
  ];
}

export const removeEdge = (edge: Edge): Statement => deleteEdge({ ...edge });

function roleInside(name: string): ServiceError {
  const explanation = 'Expected a group: a role cannot be inside another group';
  return new ServiceError('bad-value', { context: 'GroupDocument', id: name, explanation });
}
