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
import { groupsAmong, joinGroup, leaveGroup } from '../memberships/store.ts';
import { firstAdministrator } from '../power.ts';
import { createUser, modified } from './rules.ts';
import { advanceUser, findUser, namesAround, setEnabled, type UserRow, updateRealName } from './store.ts';

/** Brings a service user in line with what a user-info provider says, after a login through a custom realm. */
export type Provision = (
  info: UserInfo,
  options: { readonly enable: boolean; readonly created?: Created | undefined },
) => Promise<'ready' | 'disabled'>;

/** Current state of the user. */
interface ProvisionedUser {
  readonly row: UserRow;
  readonly groups: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
}

export function createProvision(store: Store, clock: Clock, log: Log, mostBytes: number): Provision {
  return (info, { enable, created = () => [] }) =>
    retryWhenChanged(async () => {
      const row = await findUser(store, { name: info.userName });
      if (row && row.enabled !== 1 && !enable) return 'disabled';
      const groups = await existing(info);
      const work = row
        ? update(await read(row), { ...info, groups }, mostBytes)
        : await create({ ...info, groups }, created);
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
    const [{ groups }, metadata] = await Promise.all([namesAround(store, row), keyValuesOf(store, 'user', [row.id])]);
    return {
      row,
      groups,
      metadata: new Map(metadata.get(row.id)?.map(({ key, value }) => [key, value])),
    };
  }

  async function create({ userName, realName, groups, metadata }: Expected, created: Created): Promise<CommitPlan> {
    const command = {
      name: userName,
      realName: realName ?? null,
      password: null,
      aliases: [],
      groups: groups ?? [],
      metadata: { pairs: Object.entries(metadata ?? {}), mostBytes },
    };
    const id = await store.nextId('user');
    const work = createUser(command, id, clock.now());
    return { ...work, changes: [...work.changes, ...created({ id, name: userName })] };
  }
}

/** Conflict: a concurrent first login created the user, or the user or a group was changed. Reads again. */
const isStale = (error: ServiceError): boolean => isChangedOrGone(error) || error.code === 'already-exists';

type Expected = Omit<UserInfo, 'groups'> & { readonly groups: readonly string[] | undefined };

/**
 * Membership that logins never change: the first administrator keeps the role, whatever a directory says of its
 * `admin`.
 */
const isFixedMembership = (user: string, group: string): boolean =>
  user === firstAdministrator && group === administrator;

/** Nothing where nothing differs: a stateless login asks on every request. Groups that are not named are left. */
function update({ row, groups, metadata }: ProvisionedUser, info: Expected, mostBytes: number): CommitPlan {
  const { id, name } = row;
  const renamed = info.realName !== undefined && info.realName !== (row.realName ?? undefined);
  const enabled = row.enabled !== 1;
  const wanted: MembershipChange = {
    add: (info.groups ?? []).filter((group) => !groups.includes(group)),
    remove: info.groups
      ? groups.filter((group) => !info.groups?.includes(group) && !isFixedMembership(name, group))
      : [],
  };
  const changedKeys = Object.entries(info.metadata ?? {}).filter(([key, value]) => metadata.get(key) !== value);
  if (!renamed && !enabled && changesNothing(wanted) && changedKeys.length === 0) return changing();

  const aspects = [...(renamed ? (['realName'] as const) : []), ...(enabled ? (['enabled'] as const) : [])];
  const changed = changedMeanwhile('User', name);
  return {
    changes: [
      ...advanceUser(row, changed),
      ...(renamed ? [updateRealName({ id, realName: info.realName ?? null })] : []),
      ...(enabled ? setEnabled(id, true) : []),
      ...wanted.remove.flatMap((group) => leaveGroup(group, id, changed)),
      ...wanted.add.flatMap((group) => joinGroup(group, id, changed)),
      ...setKeyValues('user', id, { pairs: changedKeys, mostBytes }, false),
    ],
    events: [...(aspects.length > 0 ? [modified(name, aspects)] : []), ...memberships(name, wanted)],
  };
}
