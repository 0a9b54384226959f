import { groupBy } from '../../core/lib/group-by.ts';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { VersionCache } from '../../core/store/until-commit.ts';
import { Grants, type Situation } from './grants.ts';
import { type AccessTarget, type Guarded, type Operation, targetKey } from './levels.ts';
import { type AppliedEntry, inOrder, type Principals } from './precedence.ts';
import { accessRevision, entriesThatReach, groupsOfUsers, placed, usersAmong } from './reading-sql.ts';

/** Users with their groups, optionally only with the given groups. Deleted users are left out. */
async function principalsOf(
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
  targets: readonly AccessTarget[],
  users: readonly string[],
): Promise<AccessTo> {
  const entries = new Map(await reaching(reader, targets));
  // Two reads are enough: entries that reach the origin of an inherited grant also reach the entity below.
  const more = new Map<string, AccessTarget>();
  const grantors = new Set(users);
  for (const { type, entityId: id, rooted, grantorId } of [...entries.values()].flat()) {
    if (rooted === 1 || grantorId === null) continue;
    grantors.add(grantorId);
    if (!entries.has(targetKey({ type, id }))) more.set(targetKey({ type, id }), { type, id });
  }
  for (const [key, list] of await reaching(reader, [...more.values()])) {
    entries.set(key, list);
    for (const { rooted, grantorId } of list) if (rooted === 0 && grantorId !== null) grantors.add(grantorId);
  }
  const groups = [...entries.values()].flat().flatMap(({ groupId }) => groupId ?? []);
  const situation = { entries, users: await principalsOf(reader, [...grantors], groups) };
  return { grants: new Grants(situation), ...situation };
}

/** Entries that decide about an entity, and about all others of its context. */
interface Deciding {
  readonly access: AccessTo;
  /** Entity for which the entries were read. */
  readonly target: AccessTarget;
}

/** Limits of the cache: contexts, and the entries that are kept for one. */
const [maxContexts, maxEntries] = [2_000, 100];
const byContext = new VersionCache<Deciding>(
  maxContexts,
  (_, { access }) =>
    Array.from(access.entries.values(), ({ length }) => length).reduce((all, some) => all + some, 0) <= maxEntries,
);

/** Limits of the cache: users, and the groups of one. */
const [maxUsers, maxGroups] = [10_000, 1_000];
const byUser = new VersionCache<Principals>(maxUsers, (_, { groups }) => groups.size <= maxGroups);

/** Entries and groups that decide about some entities for one user. */
export interface Decisions {
  /** Undefined: unknown to the service, so no entry applies. */
  readonly principals: Principals | undefined;
  /** Undefined: the entity was not asked for. */
  of(target: AccessTarget): Deciding | undefined;
}

const aboutNothing: Decisions = { principals: undefined, of: () => undefined };

/**
 * Reads what decides about entities for a user. Entries are kept by context and groups by user, each until the revision
 * of access changes: one row of each entity is left to read.
 */
export function decisionsOn(
  reader: Reader,
  targets: readonly AccessTarget[],
  userId: string | undefined,
): Maybe<Decisions> {
  if (targets.length === 0) return aboutNothing;
  return after(placedRows(reader, targets), (rows) => {
    const [row] = rows.values();
    const principalsNow = () => (userId === undefined ? undefined : principalsFor(reader, userId, row?.revision));
    // Reads follow each other: where the first fails, nobody would wait for the second.
    return after(decidingOn(reader, targets, rows), (of) =>
      after(principalsNow(), (principals) => ({ principals, of })),
    );
  });
}

function decidingOn(
  reader: Reader,
  targets: readonly AccessTarget[],
  rows: ReadonlyMap<string, PlacedRow>,
): Maybe<Decisions['of']> {
  const keyFor = (target: AccessTarget): string => {
    const key = targetKey(target);
    const row = rows.get(key);
    return row && isShared(row) ? String(row.context) : key;
  };
  const decidingByKey = new Map<string, Deciding>();
  const missing = new Map<string, AccessTarget>();
  for (const target of targets) {
    const key = keyFor(target);
    if (decidingByKey.has(key) || missing.has(key)) continue;
    const row = rows.get(targetKey(target));
    const cached = row && byContext.find(reader, row.revision, key);
    if (cached) decidingByKey.set(key, cached);
    else missing.set(key, target);
  }
  const of = (target: AccessTarget) => decidingByKey.get(keyFor(target));
  if (missing.size === 0) return of;
  return accessTo(reader, [...missing.values()], []).then((access) => {
    for (const [key, target] of missing) {
      const deciding = { access: partOf(access, target), target };
      decidingByKey.set(key, deciding);
      const row = rows.get(targetKey(target));
      if (row && isShared(row)) byContext.keep(reader, row.revision, key, deciding);
    }
    return of;
  });
}

/** The entries of one entity alone, unless they depend on entries of others. */
function partOf(access: AccessTo, target: AccessTarget): AccessTo {
  const entries = access.entries.get(targetKey(target)) ?? [];
  if (access.entries.size === 1 || entries.some((entry) => entry.rooted === 0 && entry.grantorId !== null))
    return access;
  const situation = { entries: new Map([[targetKey(target), entries]]), users: new Map() };
  return { grants: new Grants(situation), ...situation };
}

/** A user with all groups. `revision`: that of access, where it was read before. */
export const principalsFor = (reader: Reader, userId: string, revision?: number): Maybe<Principals | undefined> =>
  after(revision ?? after(accessRevision(reader), (now) => now.revision), (version) => {
    const cached = byUser.find(reader, version, userId);
    if (cached) return cached;
    return principalsOf(reader, [userId]).then((users) => {
      const principals = users.get(userId);
      return principals && byUser.keep(reader, version, userId, principals);
    });
  });

/** Starts the read with which a check of one entity begins, for `Store.ahead`. */
export const placedAhead = (reader: Reader, type: string, id: string): unknown => placedRow(reader, { type, id });

type PlacedRow = { readonly context: number | null; readonly isApart: number; readonly revision: number };

const isShared = ({ context, isApart }: PlacedRow): boolean => context !== null && isApart === 0;

/** Rows by the keys of entities. */
function placedRows(reader: Reader, targets: readonly AccessTarget[]): Maybe<ReadonlyMap<string, PlacedRow>> {
  const [only] = targets;
  return targets.length === 1
    ? after(placedRow(reader, only!), (row) => new Map(row && [[targetKey(only!), row]]))
    : placedRowsOf(reader, targets);
}

const placedRow = (reader: Reader, { type, id }: AccessTarget): Maybe<PlacedRow | undefined> =>
  Object.hasOwn(placed, type) ? placed[type as Guarded].one(reader, { id }) : undefined;

async function placedRowsOf(reader: Reader, targets: readonly AccessTarget[]): Promise<ReadonlyMap<string, PlacedRow>> {
  const rows = new Map<string, PlacedRow>();
  for (const [type, some] of groupBy(targets, (target) => target.type)) {
    if (!Object.hasOwn(placed, type)) continue;
    for (const row of await placed[type as Guarded].many(reader, { ids: some.map(({ id }) => id) }))
      rows.set(targetKey({ type, id: row.id }), row);
  }
  return rows;
}

async function reaching(
  reader: Reader,
  targets: readonly AccessTarget[],
): Promise<readonly (readonly [string, readonly AppliedEntry[]])[]> {
  if (targets.length === 0) return [];
  const rows = await entriesThatReach(reader, { places: targets.map(({ type, id }) => [type, id]) });
  const byRoot = groupBy(rows, ({ root }) => root);
  return targets.map((target, index) => [targetKey(target), byRoot.get(index) ?? []]);
}

/** Entry that decides about an operation of a user on an entity. Undefined: none, so nothing is allowed. */
export function decidingEntry(
  access: AccessTo,
  target: AccessTarget,
  principals: Principals,
  operation: Operation | undefined,
): AppliedEntry | undefined {
  return entriesFor(access, target, principals, operation).find((entry) => access.grants.isOn(entry));
}

/** Entries that apply to a user and an operation, in order of precedence, including inactive grants. */
export const entriesFor = (
  access: AccessTo,
  target: AccessTarget,
  principals: Principals,
  operation: Operation | undefined,
) => inOrder(access.entries.get(targetKey(target)) ?? [], principals, operation);
