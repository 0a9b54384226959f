import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import { Grants, type Situation } from './grants.ts';
import { type AccessTarget, type Operation, placeKey } from './levels.ts';
import { type AppliedEntry, inOrder, type Principals } from './precedence.ts';
import { entriesThatReach, groupsOfUsers, usersAmong } from './reading-sql.ts';

/** Users with their groups, optionally only with the given groups. Deleted users are left out. */
export async function principalsOf(
  reader: Reader,
  ids: readonly string[],
  only?: readonly string[],
): Promise<ReadonlyMap<string, Principals>> {
  if (ids.length === 0) return new Map();
  const users = [...new Set(ids)];
  const groups = only ? JSON.stringify([...new Set(only)]) : null;
  const byUser = groupBy(await groupsOfUsers(reader, { users, groups }), ({ userId }) => userId);
  return new Map(
    (await usersAmong(reader, { users })).map(({ id, enabled, administrators }) => {
      const above = new Map((byUser.get(id) ?? []).map(({ groupId, distance }) => [groupId, distance]));
      const isAdministrator = administrators !== null && above.has(administrators);
      return [id, { userId: id, enabled: enabled === 1, administrator: isAdministrator, groups: above }];
    }),
  );
}

/** Current access to some entities. */
export interface AccessTo extends Situation {
  readonly grants: Grants;
}

/** Reads the entries that decide about entities, and about the grantors of these entries. */
export async function accessTo(
  reader: Reader,
  places: readonly AccessTarget[],
  users: readonly string[],
): Promise<AccessTo> {
  const entries = new Map(await reaching(reader, places));
  // Two reads are enough: entries that reach the origin of an inherited grant also reach the entity below.
  const more = new Map<string, AccessTarget>();
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
  const groups = [...entries.values()].flat().flatMap(({ groupId }) => groupId ?? []);
  const situation = { entries, users: await principalsOf(reader, [...grantors], groups) };
  return { grants: new Grants(situation), ...situation };
}

async function reaching(
  reader: Reader,
  places: readonly AccessTarget[],
): Promise<readonly (readonly [string, readonly AppliedEntry[]])[]> {
  if (places.length === 0) return [];
  const rows = await entriesThatReach(reader, { places: places.map(({ type, id }) => [type, id]) });
  const byRoot = groupBy(rows, ({ root }) => root);
  return places.map((place, index) => [placeKey(place), byRoot.get(index) ?? []]);
}

/** Entry that decides about an operation of a user on an entity. Undefined: none, so nothing is allowed. */
export function decidingEntry(
  access: AccessTo,
  place: AccessTarget,
  principals: Principals,
  operation: Operation | undefined,
): AppliedEntry | undefined {
  return entriesFor(access, place, principals, operation).find((entry) => access.grants.isOn(entry));
}

/** Entries that apply to a user and an operation, in order of precedence, including inactive grants. */
export const entriesFor = (
  access: AccessTo,
  place: AccessTarget,
  principals: Principals,
  operation: Operation | undefined,
) => inOrder(access.entries.get(placeKey(place)) ?? [], principals, operation);
