import type { Clock } from '../../core/lib/clock.ts';
import type { ServiceError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { changedMeanwhile, isChangedOrGone, retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { keyValuesOf, setKeyValues } from '../../room/entities/key-values/store.ts';
import { administrator, type Created } from '../../security/subject.ts';
import type { UserInfo } from '../../spi/index.ts';
import { changesNothing, type MembershipChange, memberships } from '../memberships/rules.ts';
import {
  groupByLogin,
  groupsAmong,
  joinGroup,
  type LoginOfGroup,
  leaveGroup,
  type MembershipRow,
  membershipsOf,
} from '../memberships/store.ts';
import { firstAdministrator } from '../power.ts';
import { createUser, modified } from './rules.ts';
import { advanceUser, findUser, setEnabled, type UserRow, updateRealName } from './store.ts';

/** Brings a service user in line with what a user-info provider says, after a login through a custom realm. */
export type Provision = (
  info: UserInfo,
  options: { readonly enable: boolean; readonly realm: string; readonly created?: Created | undefined },
) => Promise<'ready' | 'disabled'>;

/** Current state of the user. */
interface ProvisionedUser {
  readonly row: UserRow;
  readonly memberships: readonly MembershipRow[];
  readonly metadata: ReadonlyMap<string, string>;
}

export function createProvision(store: Store, clock: Clock, log: Log, mostBytes: number): Provision {
  return (info, { enable, realm, created = () => [] }) =>
    retryWhenChanged(async () => {
      const row = await findUser(store, { name: info.userName });
      if (row && row.enabled !== 1 && !enable) return 'disabled';
      const expected = { ...info, groups: await existing(info), realm };
      const work = row ? update(await read(row), expected, mostBytes) : await create(expected, created);
      if (work.changes.length > 0) await store.commit(work, systemActor);
      return 'ready';
    }, isStale);

  async function existing({ userName, groups }: UserInfo): Promise<readonly string[] | undefined> {
    if (!groups) return undefined;
    const rows = await groupsAmong(store, { names: groups });
    const present = new Set(rows.map((row) => row.name));
    const missing = groups.filter((name) => !present.has(name));
    if (missing.length > 0) log.write('warn', 'groups-unknown', { user: userName, groups: missing });
    return [...present];
  }

  async function read(row: UserRow): Promise<ProvisionedUser> {
    const [memberships, metadata] = await Promise.all([
      membershipsOf(store, { id: row.id, limit: -1 }),
      keyValuesOf(store, 'user', [row.id]),
    ]);
    return {
      row,
      memberships,
      metadata: new Map(metadata.get(row.id)?.map(({ key, value }) => [key, value])),
    };
  }

  async function create(expected: Expected, created: Created): Promise<CommitPlan> {
    const { userName, realName, groups = [], metadata } = expected;
    const command = {
      name: userName,
      realName: realName ?? null,
      password: null,
      aliases: [],
      groups,
      metadata: { pairs: Object.entries(metadata ?? {}), mostBytes },
    };
    const id = await store.nextId('user');
    const work = createUser(command, id, clock.now());
    const logins = groups.map((group) => groupByLogin(group, id, loginOf(group, expected)));
    return { ...work, changes: [...work.changes, ...logins, ...created({ id, name: userName })] };
  }
}

/** Conflict: a concurrent first login created the user, or the user or a group was changed. Reads again. */
const isStale = (error: ServiceError): boolean => isChangedOrGone(error) || error.code === 'already-exists';

type Expected = Omit<UserInfo, 'groups'> & { readonly groups: readonly string[] | undefined; readonly realm: string };

/** Longest text of a claim that is kept. */
const longestClaim = 200;

/** Login by which a user is in a group. */
function loginOf(group: string, { groupSources = {}, realm }: Expected): LoginOfGroup {
  const claim = Object.hasOwn(groupSources, group) ? groupSources[group] : undefined;
  // A provider of a plugin may answer anything.
  const text = typeof claim === 'string' ? claim.replace(/[\0-\x1f\x7f]/g, ' ').slice(0, longestClaim) : null;
  return { realm, claim: text };
}

/**
 * Membership that logins never change: the first administrator keeps the role, whatever a directory says of its
 * `admin`.
 */
const isFixedMembership = (user: string, group: string): boolean =>
  user === firstAdministrator && group === administrator;

/** Nothing where nothing differs: a stateless login asks on every request. Groups that are not named are left. */
function update({ row, memberships: rows, metadata }: ProvisionedUser, info: Expected, mostBytes: number): CommitPlan {
  const { id, name } = row;
  const groups = rows.map((membership) => membership.name);
  const renamed = info.realName !== undefined && info.realName !== (row.realName ?? undefined);
  const enabled = row.enabled !== 1;
  const wanted: MembershipChange = {
    add: (info.groups ?? []).filter((group) => !groups.includes(group)),
    remove: info.groups
      ? groups.filter((group) => !info.groups?.includes(group) && !isFixedMembership(name, group))
      : [],
  };
  const rowOf = new Map(rows.map((membership) => [membership.name, membership]));
  const logins = (info.groups ?? []).flatMap((group) => {
    const [before, login] = [rowOf.get(group), loginOf(group, info)];
    const isKept = before?.source === 'login' && before.realm === login.realm && before.claim === login.claim;
    return isKept ? [] : [groupByLogin(group, id, login)];
  });
  const changedKeys = Object.entries(info.metadata ?? {}).filter(([key, value]) => metadata.get(key) !== value);
  if (!renamed && !enabled && changesNothing(wanted) && changedKeys.length === 0) return changing(...logins);

  const aspects = [...(renamed ? (['realName'] as const) : []), ...(enabled ? (['enabled'] as const) : [])];
  const changed = changedMeanwhile('User', name);
  return {
    changes: [
      ...advanceUser(row, changed),
      ...(renamed ? [updateRealName({ id, realName: info.realName ?? null })] : []),
      ...(enabled ? setEnabled(id, true) : []),
      ...wanted.remove.flatMap((group) => leaveGroup(group, id, changed)),
      ...wanted.add.flatMap((group) => joinGroup(group, id, changed)),
      ...logins,
      ...setKeyValues('user', id, { pairs: changedKeys, mostBytes }, false),
    ],
    events: [...(aspects.length > 0 ? [modified(name, aspects)] : []), ...memberships(name, wanted)],
  };
}
