import { sql } from 'drizzle-orm';
import { groupBy } from '../../lib/group-by.ts';
import { administrator } from '../../security/subject.ts';
import { prepareSqlQuery, type Reader } from '../../store/statement.ts';
import { Grants, type Situation } from './grants.ts';
import { type Operation, type Place, placeKey } from './levels.ts';
import { type Applied, inOrder, type Principals } from './precedence.ts';
import { accessEntry } from './tables.ts';

const value = sql.placeholder;

/** A way up longer than this ends: no member can be above itself, so the tree is no deeper. */
const deepest = 250;

/** The entries that reach some entities. Each has the shortest way on which it does. */
const entriesThatReach = prepareSqlQuery(
  sql`WITH RECURSIVE up (root, kind, type, id, distance) AS (
      SELECT key, value ->> 0, value ->> 0, value ->> 1, 0 FROM json_each(${value('places')})
      UNION
      SELECT root, up.kind, over.type, over.id, distance + 1 FROM up
        CROSS JOIN access_container AS over ON over.member_type = up.type AND over.member_id = up.id
        WHERE distance < ${deepest}
    )
    SELECT root, entry.id, entry.entity_type, entry.entity_id, min(distance), entry.user_id, entry.group_id,
        entry.permission, entry.priority, entry.operation, entry.extradata, entry.grantor_id, entry.rooted
      FROM up CROSS JOIN access_entry AS entry ON entry.entity_type = up.type AND entry.entity_id = up.id
      WHERE entry.reach & CASE WHEN distance = 0 THEN 1
        ELSE (CASE up.kind WHEN 'item' THEN 2 WHEN 'collection' THEN 8 ELSE 32 END) << (distance > 1) END
      GROUP BY root, entry.entity_type, entry.entity_id, entry.id`,
  {
    root: sql<number>``,
    id: accessEntry.id,
    type: accessEntry.entityType,
    entityId: accessEntry.entityId,
    distance: sql<number>``,
    userId: accessEntry.userId,
    groupId: accessEntry.groupId,
    permission: sql<Applied['permission']>``,
    priority: accessEntry.priority,
    operation: accessEntry.operation,
    extradata: accessEntry.extradata,
    grantorId: accessEntry.grantorId,
    rooted: accessEntry.rooted,
  },
);

/** Users with their groups, however far up, and how many groups are between. */
const groupsOfUsers = prepareSqlQuery(
  sql`WITH RECURSIVE above (root, id, distance) AS (
      SELECT user_id, group_id, 0 FROM json_each(${value('users')}) AS given
        CROSS JOIN group_user ON user_id = given.value
      UNION
      SELECT root, parent_id, distance + 1 FROM above CROSS JOIN group_group ON child_id = above.id
        WHERE distance < ${deepest}
    )
    SELECT root, id, min(distance) FROM above GROUP BY root, id`,
  { userId: sql<string>``, groupId: sql<string>``, distance: sql<number>`` },
);

const usersAmong = prepareSqlQuery(
  sql`SELECT user.id, user.enabled, (SELECT id FROM "group" WHERE name = ${administrator})
    FROM json_each(${value('users')}) AS given CROSS JOIN user ON user.id = given.value`,
  { id: sql<string>``, enabled: sql<number>``, administrators: sql<string | null>`` },
);

/** Users that are gone are not among them. */
export async function principalsOf(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Principals>> {
  if (ids.length === 0) return new Map();
  const users = JSON.stringify([...new Set(ids)]);
  const groups = groupBy(await groupsOfUsers(reader, { users }), ({ userId }) => userId);
  return new Map(
    (await usersAmong(reader, { users })).map(({ id, enabled, administrators }) => {
      const above = new Map((groups.get(id) ?? []).map(({ groupId, distance }) => [groupId, distance]));
      const isAdministrator = administrators !== null && above.has(administrators);
      return [id, { userId: id, enabled: enabled === 1, administrator: isAdministrator, groups: above }];
    }),
  );
}

/** The access to some entities, as it is now. */
export interface AccessTo extends Situation {
  readonly grants: Grants;
}

/** Reads what decides about entities, and about the grantors of what decides. */
export async function accessTo(reader: Reader, places: readonly Place[], users: readonly string[]): Promise<AccessTo> {
  const entries = new Map(await reaching(reader, places));
  // What reaches the place of an inherited grant reaches the entity below, too: so no third read is needed.
  const more = new Map<string, Place>();
  const grantors = new Set(users);
  for (const { type, entityId: id, rooted, grantorId } of [...entries.values()].flat()) {
    if (rooted === 1 || grantorId === null) continue;
    grantors.add(grantorId);
    if (!entries.has(placeKey({ type, id }))) more.set(placeKey({ type, id }), { type, id });
  }
  for (const [key, list] of await reaching(reader, [...more.values()])) {
    entries.set(key, list);
    for (const { rooted, grantorId } of list) if (rooted === 0 && grantorId !== null) grantors.add(grantorId);
  }
  const situation = { entries, users: await principalsOf(reader, [...grantors]) };
  return { ...situation, grants: new Grants(situation) };
}

async function reaching(
  reader: Reader,
  places: readonly Place[],
): Promise<readonly (readonly [string, readonly Applied[]])[]> {
  if (places.length === 0) return [];
  const rows = await entriesThatReach(reader, { places: JSON.stringify(places.map(({ type, id }) => [type, id])) });
  const byRoot = groupBy(rows, ({ root }) => root);
  return places.map((place, index) => [placeKey(place), byRoot.get(index) ?? []]);
}

/** The entry that decides about an operation of a user on an entity. Undefined: none does, so nothing is allowed. */
export function decidingEntry(
  access: AccessTo,
  place: Place,
  principals: Principals,
  asked: Operation | undefined,
): Applied | undefined {
  return entriesFor(access, place, principals, asked).find((entry) => access.grants.isOn(entry));
}

/** All entries that speak for a user and an operation, in the order in which they decide, also those that are off. */
export const entriesFor = (access: AccessTo, place: Place, principals: Principals, asked: Operation | undefined) =>
  inOrder(access.entries.get(placeKey(place)) ?? [], principals, asked);
