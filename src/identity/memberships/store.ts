import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { ServiceError } from '../../core/lib/errors.ts';
import { closure } from '../../core/store/closure-sql.ts';
import type { Statement } from '../../core/store/contract.ts';
import { guard } from '../../core/store/guard.ts';
import { eachOf, query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import type { Page } from '../../http/parameters/index.ts';
import { climb, foundGroups } from '../groups/store.ts';
import { group, groupGroup, groupLinks, groupUser, user } from '../tables.ts';

/** Memberships of users in groups, and of groups in groups. */

const relative = { id: group.id, name: group.name, role: group.role };

export const parentsOf = query((db) =>
  db
    .select(relative)
    .from(groupGroup)
    .innerJoin(group, eq(group.id, groupGroup.parentId))
    .where(eq(groupGroup.childId, value('id')))
    .orderBy(asc(group.name))
    .limit(value('limit')),
);

export const childrenOf = query((db) =>
  db
    .select(relative)
    .from(groupGroup)
    .innerJoin(group, eq(group.id, groupGroup.childId))
    .where(eq(groupGroup.parentId, value('id')))
    .orderBy(asc(group.name))
    .limit(value('limit')),
);

export const membersOf = query((db) =>
  db
    .select({ id: user.id, name: user.name, realName: user.realName, enabled: user.enabled, source: groupUser.source })
    .from(groupUser)
    .innerJoin(user, eq(user.id, groupUser.userId))
    .where(eq(groupUser.groupId, value('id')))
    .orderBy(asc(user.name))
    .limit(value('limit')),
);

/**
 * Relations of a group with the given names. CROSS JOIN keeps the order of tables: the names come first, so the size of the
 * group does not count.
 */
const names = sql`${eachOf('names')} AS given`;
const related = { name: group.name };

export const parentsAmong = query(
  sql`SELECT "group".name FROM ${names} CROSS JOIN "group" ON "group".name = given.value
    CROSS JOIN group_group ON parent_id = "group".id AND child_id = ${value('id')}`,
  related,
);

export const childrenAmong = query(
  sql`SELECT "group".name FROM ${names} CROSS JOIN "group" ON "group".name = given.value
    CROSS JOIN group_group ON child_id = "group".id AND parent_id = ${value('id')}`,
  related,
);

export const membersAmong = query(
  sql`SELECT user.name, source FROM ${names} CROSS JOIN user ON user.name = given.value
    CROSS JOIN group_user ON user_id = user.id AND group_id = ${value('id')}`,
  { name: user.name, source: groupUser.source },
);

export const groupsAmong = query(
  sql`SELECT "group".name FROM ${names} JOIN "group" ON "group".name = given.value`,
  related,
);

const groupNamed = (name: string): SQL => sql`(SELECT id FROM "group" WHERE name = ${value(name)})`;
const userNamed = sql`(SELECT id FROM user WHERE name = ${value('user')})`;

const groupThere = guard(sql`${groupNamed('name')} IS NOT NULL`);
const touchGroup = statement(sql`UPDATE ${writes('group')} SET version = version + 1 WHERE name = ${value('name')}`);
const touchUser = statement(sql`UPDATE ${writes('user')} SET version = version + 1 WHERE id = ${userNamed}`);

/**
 * Changes of memberships. A concurrent change throws `changed`: added members must be absent, removed ones present.
 * Versions of both ends are incremented, so that requests that read all members of one end read again.
 */

const userThere = guard(sql`${userNamed} IS NOT NULL`);
const memberThere = guard(
  sql`EXISTS (SELECT 1 FROM group_user WHERE group_id = ${value('id')} AND user_id = ${userNamed})`,
);
const insertMember = statement(
  sql`INSERT INTO ${writes('group_user')} (group_id, user_id) VALUES (${value('id')}, ${userNamed})`,
);
const insertProvisioned = statement(
  sql`INSERT INTO ${writes('group_user')} (group_id, user_id, source) VALUES (${value('id')}, ${userNamed}, 'scim')`,
);
const deleteMember = statement(
  sql`DELETE FROM ${writes('group_user')} WHERE group_id = ${value('id')} AND user_id = ${userNamed}`,
);

export const addMember = (
  id: string,
  user: string,
  missing: ServiceError,
  changed: ServiceError,
  isProvisioned = false,
): Statement[] => [
  userThere({ user }, missing),
  (isProvisioned ? insertProvisioned : insertMember)({ id, user }, changed),
  touchUser({ user }),
];

const adopt = statement(
  sql`UPDATE ${writes('group_user')} SET source = ${value('source')}, realm = NULL, claim = NULL
    WHERE group_id = ${value('id')} AND user_id = ${userNamed} AND source = 'login'`,
);

/** From now on a member by the caller, whom no login takes out. */
export const adoptMember = (id: string, user: string, isProvisioned = false): Statement =>
  adopt({ id, user, source: isProvisioned ? 'scim' : null });

export const removeMember = (id: string, user: string, changed: ServiceError): Statement[] => [
  memberThere({ id, user }, changed),
  deleteMember({ id, user }),
  touchUser({ user }),
];

const joinByName = statement(
  sql`INSERT INTO ${writes('group_user')} (group_id, user_id) VALUES (${groupNamed('name')}, ${value('userId')})`,
);
const leaveByName = statement(
  sql`DELETE FROM ${writes('group_user')} WHERE user_id = ${value('userId')} AND group_id = ${groupNamed('name')}`,
);

/** A membership by the group's name: no such group leaves NULL where none may be, which is the refusal. */
export const joinGroup = (name: string, userId: string, refusal: ServiceError): Statement[] => [
  joinByName({ name, userId }, refusal),
  touchGroup({ name }),
];

/** Login that gives a group: the realm or provider, and the claim that it went by. */
export interface LoginOfGroup {
  readonly realm: string | null;
  readonly claim: string | null;
}

const putByLogin = statement(
  sql`INSERT INTO ${writes('group_user')} (group_id, user_id, source, realm, claim)
    VALUES (${groupNamed('name')}, ${value('userId')}, 'login', ${value('realm')}, ${value('claim')})
    ON CONFLICT DO UPDATE SET realm = excluded.realm, claim = excluded.claim WHERE source = 'login'`,
);

/** A membership by a login, with what gives it, for those who ask. One that somebody else gave stays as it is. */
export const groupByLogin = (
  name: string,
  userId: string,
  { realm, claim }: LoginOfGroup,
  refusal: ServiceError,
): Statement[] => [putByLogin({ name, userId, realm, claim }, refusal), touchGroup({ name })];

/** Groups and roles that a user is in directly, with what wrote each membership. */
export const membershipsOf = query((db) =>
  db
    .select({
      name: group.name,
      role: group.role,
      source: groupUser.source,
      realm: groupUser.realm,
      claim: groupUser.claim,
    })
    .from(groupUser)
    .innerJoin(group, eq(group.id, groupUser.groupId))
    .where(eq(groupUser.userId, value('id')))
    .orderBy(asc(group.name))
    .limit(value('limit')),
);
export type MembershipRow = Awaited<ReturnType<typeof membershipsOf>>[number];

/** A group that is gone by now was not left: then `changed` is the refusal. */
export const leaveGroup = (name: string, userId: string, changed: ServiceError): Statement[] => [
  groupThere({ name }, changed),
  leaveByName({ name, userId }),
  touchGroup({ name }),
];

/** Membership of a group in another, by name. */
interface Edge {
  readonly parent: string;
  readonly child: string;
}

const notRole = guard(sql`NOT EXISTS (SELECT 1 FROM "group" WHERE name = ${value('name')} AND role = 1)`);
const noCircle = guard(
  sql`NOT EXISTS (${climb(sql`SELECT id FROM "group" WHERE name = ${value('parent')}`)}
    SELECT 1 FROM found WHERE id = ${groupNamed('child')})`,
);
const edgeThere = guard(
  sql`EXISTS (SELECT 1 FROM group_group WHERE parent_id = ${groupNamed('parent')} AND child_id = ${groupNamed('child')})`,
);
const insertEdge = statement(
  sql`INSERT INTO ${writes('group_group')} (parent_id, child_id) VALUES (${groupNamed('parent')}, ${groupNamed('child')})`,
);
const deleteEdge = statement(
  sql`DELETE FROM ${writes('group_group')} WHERE parent_id = ${groupNamed('parent')} AND child_id = ${groupNamed('child')}`,
);
const touchEnds = ({ parent, child }: Edge): Statement[] => [touchGroup({ name: parent }), touchGroup({ name: child })];

/** Refused inside the commit when an end is missing, the child is a role, or the edge would close a circle. */
export function addEdge(edge: Edge, changed: ServiceError): Statement[] {
  const { parent, child } = edge;
  const missing = (name: string) => new ServiceError('no-such-entity', { type: 'Group', id: name });
  const explanation = `Expected no circle: "${child}" is "${parent}", or is above it already`;
  return [
    groupThere({ name: parent }, missing(parent)),
    groupThere({ name: child }, missing(child)),
    notRole({ name: child }, roleInside(child)),
    noCircle({ parent, child }, new ServiceError('group-cycle', { type: 'Group', id: child, explanation })),
    insertEdge({ parent, child }, changed),
    ...touchEnds(edge),
  ];
}

export const removeEdge = (edge: Edge, changed: ServiceError): Statement[] => [
  edgeThere({ ...edge }, changed),
  deleteEdge({ ...edge }),
  ...touchEnds(edge),
];

function roleInside(name: string): ServiceError {
  const explanation = 'Expected a group: a role cannot be inside another group';
  return new ServiceError('bad-value', { context: 'GroupDocument', id: name, explanation });
}

/** Sets of groups and users that follow from memberships, page by page. */

const id = value('id');

const page = sql`LIMIT ${value('limit')} OFFSET ${value('offset')}`;
const count = { hits: sql<number>`` };

const groupsIn = (idQuery: SQL) => {
  const from = sql`FROM ${foundGroups} WHERE role >= ${value('least')} AND role <= ${value('max')}`;
  return {
    hits: query(sql`${idQuery} SELECT COUNT(*) ${from}`, count),
    page: query(sql`${idQuery} SELECT id, name, role ${from} ORDER BY name ${page}`, {
      id: group.id,
      name: group.name,
      role: group.role,
    }),
  };
};

const usersIn = (idQuery: SQL) => {
  const from = sql`FROM user WHERE id IN (SELECT user_id FROM group_user JOIN found ON group_id = found.id)`;
  return {
    hits: query(sql`${idQuery} SELECT COUNT(*) ${from}`, count),
    page: query(sql`${idQuery} SELECT id, name, real_name, enabled ${from} ORDER BY name ${page}`, {
      id: user.id,
      name: user.name,
      realName: user.realName,
      enabled: user.enabled,
    }),
  };
};

const only = (start: SQL): SQL => sql`WITH found (id) AS (${start})`;
const descend = (start: SQL): SQL => sql`WITH RECURSIVE ${closure('found', start, groupLinks.down)}`;

const direct = sql`SELECT group_id FROM group_user WHERE user_id = ${id}`;
const above = sql`SELECT parent_id FROM group_group WHERE child_id = ${id}`;
const below = sql`SELECT child_id FROM group_group WHERE parent_id = ${id}`;

/** By the id of the user or group that they are about. */
const sets = {
  groupsOfUser: groupsIn(only(direct)),
  allGroupsOfUser: groupsIn(climb(direct)),
  parents: groupsIn(only(above)),
  ancestors: groupsIn(climb(above)),
  children: groupsIn(only(below)),
  descendants: groupsIn(descend(below)),
};
const members = {
  members: usersIn(only(sql`SELECT ${id}`)),
  membersBelow: usersIn(descend(sql`SELECT ${id}`)),
};

/** Groups, roles, or both when `role` is undefined. */
export async function groupsOf(
  reader: Reader,
  set: keyof typeof sets,
  of: string,
  role: boolean | undefined,
  part: Page,
) {
  const filter = { id: of, least: role === true ? 1 : 0, max: role === false ? 0 : 1 };
  const [counted, groups] = await Promise.all([
    sets[set].hits(reader, filter),
    sets[set].page(reader, { ...filter, ...part }),
  ]);
  return { hits: counted[0]?.hits ?? 0, groups };
}

export async function usersOf(reader: Reader, set: keyof typeof members, of: string, part: Page) {
  const [counted, users] = await Promise.all([
    members[set].hits(reader, { id: of }),
    members[set].page(reader, { id: of, ...part }),
  ]);
  return { hits: counted[0]?.hits ?? 0, users };
}

const edges = query(
  sql`SELECT parent_id, child_id FROM ${eachOf('ids')} AS given
    CROSS JOIN group_group ON child_id = given.value
    WHERE parent_id IN ${valuesOf('ids')} LIMIT ${value('limit')}`,
  { parent: group.id, child: group.id },
);

/** Memberships among the given groups. */
export const edgesAmong = (reader: Reader, ids: readonly string[], limit: number) => edges(reader, { ids, limit });

/** Groups above the groups of a user, each with a group of the user that is in it. */
export const edgesAbove = query(
  sql`${climb(direct)} SELECT above.name, above.role, below.name FROM found
    CROSS JOIN group_group ON child_id = found.id
    CROSS JOIN "group" AS above ON above.id = parent_id
    CROSS JOIN "group" AS below ON below.id = child_id
    ORDER BY below.name LIMIT ${value('limit')}`,
  { parent: group.name, role: group.role, child: group.name },
);

const inside = query(sql`${climb(direct)} SELECT COUNT(*) FROM ${foundGroups} WHERE name = ${value('group')}`, count);

/** Whether a user is in a group, directly or through others. */
export async function belongsTo(store: Store, userId: string, groupName: string): Promise<boolean> {
  return ((await inside(store, { id: userId, group: groupName }))[0]?.hits ?? 0) > 0;
}
