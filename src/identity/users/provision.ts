import { type Happening, happened } from '../../events/catalogue.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { administrator } from '../../security/subject.ts';
import type { UserInfo } from '../../spi/index.ts';
import type { Work } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import { groupsAmong } from '../groups/store.ts';
import { keyValuesOf, setKeyValues } from '../key-values/store.ts';
import { createUser, noSuchGroup } from './rules.ts';
import {
  advanceUser,
  findUser,
  joinGroup,
  leaveGroup,
  relationsOf,
  rename,
  setEnabled,
  type UserRow,
} from './store.ts';

/** Brings a service user in line with what a user-info provider says, after a login through a custom realm. */
export type Provision = (info: UserInfo, options: { readonly enable: boolean }) => Promise<'ready' | 'disabled'>;

/** What of the user is there already. */
interface Known {
  readonly row: UserRow;
  readonly groups: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
}

const attempts = 4;
const actor = { user: 'system' };

export function createProvision(store: Store, clock: Clock, log: Log): Provision {
  return async (info, { enable }) => {
    for (let attempt = 1; ; attempt++) {
      const row = await findUser(store, { name: info.userName });
      if (row && row.enabled !== 1 && !enable) return 'disabled';
      const groups = await existing(info);
      const work = row ? update(await read(row), { ...info, groups }) : await create({ ...info, groups });
      if (work.changes.length === 0) return 'ready';
      try {
        await store.commit(work, actor);
        return 'ready';
      } catch (error) {
        // A first login at the same moment made the user, or somebody changed it: look again.
        const stale = error instanceof ServiceError && ['changed-meanwhile', 'already-exists'].includes(error.code);
        if (!stale || attempt === attempts) throw error;
      }
    }
  };

  async function existing({ userName, groups }: UserInfo): Promise<readonly string[] | undefined> {
    if (!groups) return undefined;
    const rows = await groupsAmong(store, { names: JSON.stringify(groups) });
    const there = new Set(rows.map((row) => row.name));
    const missing = groups.filter((name) => !there.has(name));
    if (missing.length > 0) log.write('warn', 'groups-unknown', { user: userName, groups: missing });
    return [...there];
  }

  async function read(row: UserRow): Promise<Known> {
    const [relations, metadata] = await Promise.all([
      relationsOf(store, [row.id]),
      keyValuesOf(store, 'user', [row.id]),
    ]);
    return {
      row,
      groups: relations.groups.get(row.id)?.map((group) => group.name) ?? [],
      metadata: new Map(metadata.get(row.id)?.map(({ key, value }) => [key, value])),
    };
  }

  async function create({ userName, realName, groups, metadata }: Expected): Promise<Work> {
    const command = {
      name: userName,
      realName: realName ?? null,
      password: null,
      aliases: [],
      groups: groups ?? [],
      metadata: Object.entries(metadata ?? {}),
    };
    return createUser(command, await store.nextId('user'), clock.now());
  }
}

type Expected = Omit<UserInfo, 'groups'> & { readonly groups: readonly string[] | undefined };

/** Whatever a directory says of its own `admin`: the first administrator stays one. */
const kept = (user: string, group: string): boolean => user === 'admin' && group === administrator;

/** Nothing where nothing differs: a stateless login asks on every request. Groups that are not named are left. */
function update({ row, groups, metadata }: Known, info: Expected): Work {
  const { id, name } = row;
  const renamed = info.realName !== undefined && info.realName !== (row.realName ?? undefined);
  const enabled = row.enabled !== 1;
  const joined = (info.groups ?? []).filter((group) => !groups.includes(group));
  const left = info.groups ? groups.filter((group) => !info.groups?.includes(group) && !kept(name, group)) : [];
  const changedKeys = Object.entries(info.metadata ?? {}).filter(([key, value]) => metadata.get(key) !== value);
  if (!renamed && !enabled && joined.length + left.length + changedKeys.length === 0)
    return { changes: [], events: [] };

  const membership = (group: string, mode: 'ADD' | 'REMOVE'): Happening =>
    happened('group/modify', group, { group, mode, affectedUser: name });
  const aspects = [...(renamed ? (['realName'] as const) : []), ...(enabled ? (['enabled'] as const) : [])];
  return {
    changes: [
      ...advanceUser(row, new ServiceError('changed-meanwhile', { type: 'User', id: name })),
      ...(renamed ? [rename({ id, realName: info.realName ?? null })] : []),
      ...(enabled ? setEnabled(id, true) : []),
      ...left.flatMap((group) => leaveGroup(group, id)),
      ...joined.flatMap((group) => joinGroup(group, id, noSuchGroup(group))),
      ...setKeyValues('user', id, changedKeys, false),
    ],
    events: [
      ...(aspects.length > 0 ? [happened('user/modify', name, { user: name, changed: aspects })] : []),
      ...left.map((group) => membership(group, 'REMOVE')),
      ...joined.map((group) => membership(group, 'ADD')),
    ],
  };
}
