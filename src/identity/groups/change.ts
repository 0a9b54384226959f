import { existing } from '../../core/lib/checks.ts';
import type { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { isChanged } from '../../core/lib/retry-when-changed.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import { onlyActs } from '../../http/acting.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import type { EntityKind } from '../../room/entity.ts';
import { type Caller, changeAsCaller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import type { MembershipChange } from '../memberships/rules.ts';
import { childrenAmong, childrenOf, membersAmong, membersOf, parentsAmong, parentsOf } from '../memberships/store.ts';
import type { IdentityParts } from '../parts.ts';
import { privilegesOf } from '../privileges.ts';
import { noSuchGroup } from '../users/rules.ts';
import { type GroupState, type GroupWriter, type PutGroup, putGroup } from './rules.ts';
import { findGroup, type GroupRow, groupMustExist } from './store.ts';

/** Groups as entities. Events call them by name. */
export const groupKind = (store: Store): EntityKind<GroupRow> => ({
  type: 'group',
  noun: 'Group',
  find: (name) => findGroup(store, { name }),
  mustExist: groupMustExist,
  nameInEvents: ({ name }) => name,
});

/** By name; 404 where there is none. */
export async function groupNamed({ store }: Pick<IdentityParts, 'store'>, name: string): Promise<GroupRow> {
  return existing(await findGroup(store, { name }), noSuchGroup, name);
}

/** Groups in paths. */
export const groupAt = (parts: Pick<IdentityParts, 'store'>): PathEntity<GroupRow> => ({
  kind: 'group',
  find: (name) => groupNamed(parts, name),
});

/** Whether the group must be there already, or is made when it is not. */
type Expected = 'there' | 'either';

export async function changeGroup(parts: IdentityParts, call: Caller, command: PutGroup, expected: Expected) {
  const by = { administers: await subjectOf(call).has(administrator), onlyActs: await onlyActs(call) };
  await putGroupIn(parts.store, { command, expected, by, now: () => parts.clock.now() }, call);
}

interface Change {
  readonly command: PutGroup;
  readonly expected: Expected;
  readonly by: GroupWriter;
  now(): number;
}

type Writer = ThisParameterType<typeof changeAsCaller>;

/** Writes a group, in the name of a caller or of a command. */
export async function putGroupIn(store: Store, change: Change, writer: Writer) {
  // A concurrent change: another version of the group, or its creation.
  const stale = (error: ServiceError) =>
    !change.command.isExact && (isChanged(error) || (change.expected === 'either' && error.code === 'already-exists'));
  await changeAsCaller.call(writer, async () => (await planGroup(store, change)).plan, stale);
}

/** Work of a change by the current state, and the id of its group. */
export async function planGroup(store: Store, { command, expected, by, now }: Change) {
  const state = await read(store, command);
  if (expected === 'there' && !state.row) throw noSuchGroup(command.name);
  const id = state.row?.id ?? (await store.nextId('group'));
  return { id, plan: putGroup(command, state, id, now(), by) };
}

/** Only what the command can touch: all of a relation when it is to be cleared, else the names it mentions. */
async function read(store: Store, command: PutGroup): Promise<GroupState> {
  const row = await findGroup(store, { name: command.name });
  const power = await privilegesOf(store, [command.name, ...command.parents.add, ...command.parents.remove]);
  if (!row) {
    const none: ReadonlySet<string> = new Set();
    return { row, parents: none, children: none, users: none, usersByLogin: none, power };
  }
  const [parents, children, users] = await Promise.all([
    relation(row, command.parents, parentsOf, parentsAmong),
    relation(row, command.children, childrenOf, childrenAmong),
    relation(row, command.users, membersOf, membersAmong),
  ]);
  return {
    ...{ row, power },
    parents: namesOf(parents),
    children: namesOf(children),
    users: namesOf(users),
    usersByLogin: namesOf(users.filter(({ source }) => source === 'login')),
  };

  async function relation<R>(
    of: GroupRow,
    change: MembershipChange,
    all: (reader: Reader, values: { id: string; limit: number }) => Maybe<readonly R[]>,
    among: (reader: Reader, values: { id: string; names: readonly string[] }) => Maybe<readonly R[]>,
  ): Promise<readonly R[]> {
    const names = [...change.add, ...change.remove];
    return command.clear ? all(store, { id: of.id, limit: -1 }) : among(store, { id: of.id, names });
  }
}

const namesOf = (rows: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(rows.map((row) => row.name));

/** State of groups to be deleted. The revision is read first, to detect concurrent changes. */
export async function leavingGroups(store: Store, rows: readonly GroupRow[]) {
  const names = rows.map((row) => row.name);
  const power = await privilegesOf(store, names);
  const leaving = await Promise.all(
    rows.map(async (row) => ({
      row,
      parents: (await parentsOf(store, { id: row.id, limit: -1 })).map((parent) => parent.name),
    })),
  );
  return { power, leaving };
}
