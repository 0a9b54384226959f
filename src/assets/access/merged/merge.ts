import type { Value } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Reading } from '../../../core/store/store.ts';
import { choice, type QueryOf, text } from '../../../http/parameters/index.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { type AccessTarget, type Guarded, levels, type Operation, operationTypes, targetKey } from '../levels.ts';
import type { AppliedEntry, Principals } from '../precedence.ts';
import { type AccessTo, accessTo, entriesFor } from '../reading.ts';
import type { accessControlMergedGroupDocument, mergedAccess } from './documents.ts';
import { groupsAbove, groupsWithUsers, namesOf, usersOf } from './store.ts';

/** Maximum users of one merged view. */
const max = 1000;

/** Users to whom any of the entries applies. */
async function usersReached(reader: Reader, entries: readonly AppliedEntry[]) {
  const users = entries.flatMap(({ userId }) => userId ?? []);
  const groups = entries.flatMap(({ groupId }) => groupId ?? []);
  const rows = await usersOf(reader, { users, groups, end: max + 1 });
  if (rows.length <= max) return rows;
  throw tooManyUsers(`entries speak for more than ${max} users`);
}

const tooManyUsers = (what: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'parameter',
    id: 'username',
    explanation: `Expected the parameter username: ${what}`,
  });

/** Names of users and groups, which may have equal ids. */
export interface UserNames {
  user(id: string): string | undefined;
  group(id: string): string | undefined;
}

/** Names of groups and grantors in entries. */
export async function namesFor(reader: Reader, entries: readonly AppliedEntry[]): Promise<UserNames> {
  const users = [...new Set(entries.flatMap(({ grantorId }) => grantorId ?? []))];
  const groups = [...new Set(entries.flatMap(({ groupId }) => groupId ?? []))];
  const names = new Map(
    (await namesOf(reader, { users, groups })).map(({ kind, id, name }) => [`${kind} ${id}`, name]),
  );
  return { user: (id) => names.get(`user ${id}`), group: (id) => names.get(`group ${id}`) };
}

async function populated(reader: Reader, groups: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await groupsWithUsers(reader, { groups })).map(({ id }) => id));
}

/** Groups with the groups above them, as if each were a user in it alone. */
async function aboveGroups(
  reader: Reader,
  groups: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const distances = new Map<string, Map<string, number>>(groups.map((id) => [id, new Map()]));
  for (const { root, id, distance } of await groupsAbove(reader, { groups })) {
    distances.get(root)!.set(id, distance);
  }
  return distances;
}

type MergedAccess = Value<typeof mergedAccess>;
type MergedGroupAccess = NonNullable<Value<typeof accessControlMergedGroupDocument>['access']>[number];

/** Row limit of one merged view. */
const maxRows = 5000;

interface User {
  readonly id: string;
  readonly name: string;
}

/** Entries on an entity for one user, in order of precedence. `operation`: only those that apply to the operation. */
async function mergedForUser(
  reader: Reader,
  target: AccessTarget,
  user: User,
  operation?: Operation,
): Promise<readonly MergedAccess[]> {
  const access = await accessTo(reader, [target], [user.id]);
  return accessOfUser(access, target, user, operation, await namesIn(reader, access, target));
}

/**
 * Entries on an entity for each user to whom any applies, in order of precedence. `readsUsers`: whether the caller
 * learns which of them are administrators.
 */
async function mergedForAll(
  reader: Reader,
  target: AccessTarget,
  readsUsers: boolean,
): Promise<readonly MergedAccess[]> {
  const { entries } = await accessTo(reader, [target], []);
  const users = await usersReached(reader, [...entries.values()][0] ?? []);
  const access = await accessTo(
    reader,
    [target],
    users.map(({ id }) => id),
  );
  const names = await namesIn(reader, access, target);
  const merged: MergedAccess[] = [];
  for (const user of users) {
    const rows = accessOfUser(access, target, user, undefined, names);
    merged.push(...(readsUsers ? rows : rows.filter(({ superUser }) => !superUser)));
    if (merged.length > maxRows) throw tooManyUsers(`the answer has more than ${maxRows} entries`);
    await yieldTurn();
  }
  return merged;
}

interface MergedRequest {
  readonly target: AccessTarget;
  /** Undefined: all users. */
  readonly user?: User | undefined;
  readonly operation?: Operation | undefined;
  readonly readsUsers: boolean;
}

/** Merged access for one user or for all, in one visit to a reader thread. */
export const mergedReading: Reading<MergedRequest, readonly MergedAccess[]> = {
  name: 'merged access',
  // On the serving thread each of its reads would be a visit.
  isLong: () => true,
  run(reader, { target, user, operation, readsUsers }) {
    // The reader thread serves nobody else meanwhile, so it reads without a further thread.
    const by = reader.isReaderThread && reader.lookups ? { ...reader, read: reader.lookups.read } : reader;
    return user ? mergedForUser(by, target, user, operation) : mergedForAll(by, target, readsUsers);
  },
};

const namesIn = (reader: Reader, access: AccessTo, target: AccessTarget): Promise<UserNames> =>
  namesFor(reader, access.entries.get(targetKey(target)) ?? []);

function accessOfUser(
  access: AccessTo,
  target: AccessTarget,
  { id, name }: User,
  operation: Operation | undefined,
  names: UserNames,
): readonly MergedAccess[] {
  const principals = access.users.get(id);
  if (!principals) return [];
  const ordered = entriesFor(access, target, principals, operation);
  const deciding = operation && !principals.administrator && ordered.find((entry) => access.grants.isOn(entry));
  const entries = ordered.map((entry) => ({
    superUser: false,
    matches: entry === deciding,
    username: name,
    ...told(access, entry, names),
  }));
  if (!principals.administrator) return entries;
  const all = { permission: 'OWNER', type: 'GENERIC', priority: 0, effectivePermission: 'OWNER' };
  return [{ ...all, superUser: true, matches: operation !== undefined, username: name }, ...entries];
}

function told(access: AccessTo, entry: AppliedEntry, names: UserNames) {
  const { id, type, entityId, distance, groupId, permission, priority, operation, extradata, grantorId } = entry;
  const isOn = access.grants.isOn(entry);
  const grantor = grantorId === null ? undefined : (names.user(grantorId) ?? grantorId);
  const group = groupId === null ? undefined : names.group(groupId);
  return {
    ...(grantor !== undefined && { grantor }),
    permission,
    type: operation ?? 'GENERIC',
    ...(extradata !== null && { extradata }),
    ...(group !== undefined && { group }),
    ...(distance > 0 && type !== 'item' && { [type]: entityId }),
    ...(!isOn && grantor !== undefined && { originalDisabledGrantor: [grantor] }),
    priority,
    id,
    effectivePermission: isOn ? permission : 'NONE',
  };
}

/** Access of groups. `full`: every entry; otherwise only the deciding entry for each type of operation. */
export async function mergedForGroups(
  reader: Reader,
  target: AccessTarget,
  full: boolean,
): Promise<readonly MergedGroupAccess[]> {
  const access = await accessTo(reader, [target], []);
  const own = access.entries.get(targetKey(target)) ?? [];
  const ids = [...new Set(own.flatMap(({ groupId }) => groupId ?? []))];
  const [names, shown, above] = [
    await namesIn(reader, access, target),
    await populated(reader, ids),
    await aboveGroups(reader, ids),
  ];
  const groups = ids.filter((id) => names.group(id) !== undefined && (full || shown.has(id)));
  return groups
    .toSorted((one, other) => (names.group(one)! < names.group(other)! ? -1 : 1))
    .flatMap((id) => {
      const principals: Principals = { userId: '', enabled: true, administrator: false, groups: above.get(id)! };
      return entriesOfGroup(access, target, principals, full).map((entry) => ({
        ...told(access, entry, names),
        group: names.group(id)!,
      }));
    });
}

function entriesOfGroup(
  access: AccessTo,
  target: AccessTarget,
  principals: Principals,
  full: boolean,
): readonly AppliedEntry[] {
  if (full) return entriesFor(access, target, principals, undefined);
  const all = entriesFor(access, target, principals, undefined);
  const deciding = new Set<AppliedEntry>();
  for (const type of operationTypes) {
    const details = new Set(all.flatMap((entry) => (entry.operation === type ? [entry.extradata ?? undefined] : [])));
    for (const extradata of new Set([undefined, ...details])) {
      const operation = { type, ...(extradata !== undefined && { extradata }) };
      const first = entriesFor(access, target, principals, operation).find((entry) => access.grants.isOn(entry));
      if (first) deciding.add(first);
    }
  }
  return all.filter((entry) => deciding.has(entry));
}

/** Query parameters for effective access entries in documents of entities. */
export const mergedView = {
  mergedType: choice('For merged access: kind of operation', operationTypes, { defaultValue: 'GENERIC' }),
  mergedPermission: choice('For merged access: required level', levels, { defaultValue: 'NONE' }),
  mergedExtradata: text('For merged access: field, shape tag, or type of the container'),
};

/** Access entries that apply to the caller by id, in order of precedence. */
export async function mergedAccessOf(
  reader: Reader,
  call: Caller,
  type: Guarded,
  ids: readonly string[],
  { mergedType, mergedPermission: permission, mergedExtradata: extradata }: QueryOf<typeof mergedView>,
) {
  const { user, name: username } = subjectOf(call);
  const operation = { type: mergedType, ...(extradata !== undefined && { extradata }) };
  const entries = await askEach(ids, (id) => (user ? mergedForUser(reader, { type, id }, user, operation) : []));
  return new Map(
    ids.map((item, index) => [
      item,
      { query: { username, permission, ...operation, item }, access: entries[index] ?? [] },
    ]),
  );
}
