import type { Clock } from '../../core/lib/clock.ts';
import type { ServiceError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { changedMeanwhile, isChangedOrGone, retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import { storable } from '../../core/lib/storable.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { keyValuesOf, setKeyValues } from '../../room/entities/key-values/store.ts';
import { hook } from '../../room/hook.ts';
import { runAsRole } from '../../security/run-as.ts';
import type { Created, Provisioned } from '../../security/subject.ts';
import type { UserInfo } from '../../spi/index.ts';
import { changesNothing, type MembershipChange, memberships } from '../memberships/rules.ts';
import {
  groupByLogin,
  groupsAmong,
  type LoginOfGroup,
  leaveGroup,
  type MembershipRow,
  membershipsOf,
} from '../memberships/store.ts';
import { createUser, modified, noSuchGroup } from './rules.ts';
import {
  advanceUser,
  findUser,
  isNamedByLogin,
  realNameByLogin,
  setEnabled,
  type UserRow,
  usersAlike,
} from './store.ts';

/** Whether a provider brought a user by SCIM, by the id of the user. */
export const provisionedHook = hook<(userId: string) => Promise<boolean>>('scim');

/** Brings a service user in line with what a user-info provider says, after a login through a custom realm. */
export type Provision = (
  info: UserInfo,
  options: { readonly enable: boolean; readonly realm: string; readonly created?: Created | undefined },
) => Promise<Provisioned>;

/** Current state of the user. */
interface ProvisionedUser {
  readonly row: UserRow;
  /** Whether the real name may be that of the login: there is none, or a login wrote it. */
  readonly isNamedByLogin: boolean;
  readonly memberships: readonly MembershipRow[];
  readonly metadata: ReadonlyMap<string, string>;
}

export function createProvision(store: Store, clock: Clock, log: Log, mostBytes: number): Provision {
  return (info, { enable, realm, created = () => [] }) =>
    retryWhenChanged(async () => {
      const row = await findUser(store, { name: info.userName });
      if (!row && (await usersAlike(store, info.userName)).length > 0) return 'taken';
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
    const [memberships, metadata, named] = await Promise.all([
      membershipsOf(store, { id: row.id, limit: -1 }),
      keyValuesOf(store, 'user', [row.id]),
      isNamedByLogin(store, { id: row.id }),
    ]);
    return {
      row,
      isNamedByLogin: named !== undefined,
      memberships,
      metadata: new Map(metadata.get(row.id)?.map(({ key, value }) => [key, value])),
    };
  }

  async function create(expected: Expected, created: Created): Promise<CommitPlan> {
    const { userName, realName, groups = [], metadata } = expected;
    const command = {
      name: userName,
      realName: null,
      password: null,
      aliases: [],
      groups: [],
      metadata: { pairs: Object.entries(metadata ?? {}), mostBytes },
      runAs: groups.includes(runAsRole),
      isOfProvider: true,
    };
    const id = await store.nextId('user');
    const work = createUser(command, id, clock.now());
    return {
      changes: [
        ...work.changes,
        ...(realName === undefined ? [] : [realNameByLogin({ id, realName })]),
        ...groups.flatMap((group) => groupByLogin(group, id, loginOf(group, expected), noSuchGroup(group))),
        ...created({ id, name: userName }),
      ],
      events: [...work.events, ...memberships(userName, { add: groups, remove: [] })],
    };
  }
}

/** Conflict: a concurrent first login created the user, or the user or a group was changed. Reads again. */
const isStale = (error: ServiceError): boolean => isChangedOrGone(error) || error.code === 'already-exists';

type Expected = Omit<UserInfo, 'groups'> & { readonly groups: readonly string[] | undefined; readonly realm: string };

/** Longest text of a claim that is kept. */
const maxClaim = 200;

/** Login by which a user is in a group. */
function loginOf(group: string, { groupSources = {}, realm }: Expected): LoginOfGroup {
  const claim = Object.hasOwn(groupSources, group) ? groupSources[group] : undefined;
  // A provider of a plugin may answer anything.
  const text = typeof claim === 'string' ? storable(claim.replace(/[\0-\x1f\x7f]/g, ' '), maxClaim) : null;
  return { realm, claim: text };
}

/**
 * Nothing where nothing differs: a stateless login asks on every request. The login takes the user out of groups that a
 * login gave. Names and memberships by a caller of the API, or by SCIM, stay.
 */
function update(
  { row, isNamedByLogin, memberships: rows, metadata }: ProvisionedUser,
  info: Expected,
  mostBytes: number,
): CommitPlan {
  const { id, name } = row;
  const groups = rows.map((membership) => membership.name);
  const byLogin = rows.filter(({ source }) => source === 'login');
  const renamed = isNamedByLogin && info.realName !== undefined && info.realName !== (row.realName ?? undefined);
  const enabled = row.enabled !== 1;
  const wanted: MembershipChange = {
    add: (info.groups ?? []).filter((group) => !groups.includes(group)),
    remove: byLogin.map((membership) => membership.name).filter((group) => info.groups?.includes(group) === false),
  };
  const changed = changedMeanwhile('User', name);
  const putGroup = (group: string) => groupByLogin(group, id, loginOf(group, info), changed);
  const moved = byLogin.flatMap(({ name: group, realm, claim }) => {
    const login = loginOf(group, info);
    const isKept = !info.groups?.includes(group) || (realm === login.realm && claim === login.claim);
    return isKept ? [] : putGroup(group);
  });
  const changedKeys = Object.entries(info.metadata ?? {}).filter(([key, value]) => metadata.get(key) !== value);
  if (!renamed && !enabled && changesNothing(wanted) && changedKeys.length === 0) return changing(...moved);

  const aspects = [...(renamed ? (['realName'] as const) : []), ...(enabled ? (['enabled'] as const) : [])];
  return {
    changes: [
      ...advanceUser(row, changed),
      ...(renamed ? [realNameByLogin({ id, realName: info.realName ?? null })] : []),
      ...(enabled ? setEnabled(id, true) : []),
      ...wanted.remove.flatMap((group) => leaveGroup(group, id, changed)),
      ...wanted.add.flatMap(putGroup),
      ...moved,
      ...setKeyValues('user', id, { pairs: changedKeys, mostBytes }, false),
    ],
    events: [...(aspects.length > 0 ? [modified(name, aspects)] : []), ...memberships(name, wanted)],
  };
}
