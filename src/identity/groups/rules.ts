import type { Happening } from '../../core/events/event-kinds.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { outlastsActing } from '../../http/acting.ts';
import { type KeyValues, noKeyValues, setKeyValues } from '../../room/entities/key-values/store.ts';
import { identityEvent } from '../events.ts';
import {
  changesNothing,
  type MembershipChange,
  membership,
  membershipDifference,
  noMembershipChange,
} from '../memberships/rules.ts';
import { addEdge, addMember, adoptMember, removeEdge, removeMember } from '../memberships/store.ts';
import { checkGroupName } from '../names.ts';
import { firstAdministrator, guardPrivileges, keepsAdministrator, type Privileges } from '../privileges.ts';
import { noSuchUser } from '../users/rules.ts';
import {
  advance,
  deleteGroup,
  describeGroup,
  expectGraph,
  type GroupRow,
  graphChanged,
  insertGroup,
  moveOn,
  renameRow,
} from './store.ts';

export interface PutGroup {
  readonly name: string;
  readonly description: string | undefined;
  readonly role: boolean | undefined;
  readonly parents: MembershipChange;
  readonly children: MembershipChange;
  readonly users: MembershipChange;
  readonly metadata: KeyValues;
  /** Whether members that are not listed are removed. */
  readonly clear: boolean;
  /** Whether each name must be a change, and no other change may come first. */
  readonly isExact?: boolean;
  /** Whether no login takes out the users who are named, also those whom a login put in. */
  readonly adopts?: boolean;
}

/** A command that changes nothing yet. */
export const putNothing = (name: string): PutGroup => ({
  name,
  description: undefined,
  role: undefined,
  parents: noMembershipChange,
  children: noMembershipChange,
  users: noMembershipChange,
  metadata: noKeyValues,
  clear: false,
});

/** State read for the command: the group, if it exists, and the relations that the command may change. */
export interface GroupState {
  readonly row: GroupRow | undefined;
  readonly parents: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  /** Users whom a login put in. */
  readonly usersByLogin: ReadonlySet<string>;
  readonly power: Privileges;
}

/** Caller of a group command. */
export interface GroupWriter {
  /** Whether its user decides who is an administrator. */
  readonly administers: boolean;
  /** Whether it only acts for its user. Then it writes no memberships: they are rights. */
  readonly onlyActs: boolean;
  /** Whether it is an identity provider, by SCIM. */
  readonly isProvider?: boolean;
}

/** Creates or changes a group. */
export function putGroup(command: PutGroup, state: GroupState, id: string, now: number, by: GroupWriter): CommitPlan {
  const { name, description } = command;
  const { row } = state;
  if (!row) checkGroupName(name, 'path');
  if (command.role !== undefined && command.role !== (row?.role === 1)) throw roleFixed(name);

  const parents = membershipDifference(command.parents, state.parents, command.clear);
  const partCount = new Set([...command.parents.add, ...command.parents.remove]).size;
  const changed = changedMeanwhile('Group', name);
  if (command.isExact && parents.add.length + parents.remove.length < partCount) throw changed;
  const children = membershipDifference(command.children, state.children, command.clear);
  const users = membershipDifference(command.users, state.users, command.clear);
  const regroups = !changesNothing(parents) || !changesNothing(children);
  const adopted = command.adopts ? command.users.add.filter((user) => state.usersByLogin.has(user)) : [];
  const touchesMembers = regroups || !changesNothing(users) || adopted.length > 0;
  if (touchesMembers && by.onlyActs) throw outlastsActing();
  const power = touchesMembers ? guardPrivileges(state.power, by.administers, name, changed) : [];
  if (name === '_administrator' && users.remove.includes(firstAdministrator))
    throw keepsAdministrator('/GroupDocument/userList');

  const redescribes = row && (description === undefined ? command.clear : description !== row.description);
  const modifies = row !== undefined && (redescribes || command.clear || command.metadata.pairs.length > 0);
  if (row && !modifies && !touchesMembers) return changing();

  const changes: Statement[] = [
    ...(row ? (command.clear ? advance : moveOn)(row, changed) : insertRow(name, description, id, now)),
    ...power,
    ...(redescribes ? [describeGroup({ id, description: description ?? null })] : []),
    ...parents.remove.flatMap((parent) => removeEdge({ parent, child: name }, changed)),
    ...children.remove.flatMap((child) => removeEdge({ parent: name, child }, changed)),
    ...parents.add.flatMap((parent) => addEdge({ parent, child: name }, changed)),
    ...children.add.flatMap((child) => addEdge({ parent: name, child }, changed)),
    ...(regroups ? [graphChanged({})] : []),
    ...users.remove.flatMap((user) => removeMember(id, user, changed)),
    ...users.add.flatMap((user) => addMember(id, user, noSuchUser(user), changed, by.isProvider)),
    ...adopted.map((user) => adoptMember(id, user, by.isProvider)),
    ...setKeyValues('group', id, command.metadata, command.clear),
  ];
  const relations: Happening[] = [
    ...parents.add.map((parent) => membership(parent, 'ADD', { affectedGroup: name })),
    ...parents.remove.map((parent) => membership(parent, 'REMOVE', { affectedGroup: name })),
    ...children.add.map((child) => membership(name, 'ADD', { affectedGroup: child })),
    ...children.remove.map((child) => membership(name, 'REMOVE', { affectedGroup: child })),
    ...users.add.map((user) => membership(name, 'ADD', { affectedUser: user })),
    ...users.remove.map((user) => membership(name, 'REMOVE', { affectedUser: user })),
  ];
  const created = row ? [] : [identityEvent('group/create', name, { group: name })];
  const described = modifies && relations.length === 0 ? [groupModified(name)] : [];
  return { changes, events: [...created, ...described, ...relations] };
}

export const groupModified = (name: string): Happening => identityEvent('group/modify', name, { group: name });

/** Gives a group another name. Who is in it, and what it permits, stays. */
export function renameGroup(row: GroupRow, name: string, power: Privileges, byAdministrator: boolean): CommitPlan {
  checkGroupName(name, 'displayName');
  const changed = changedMeanwhile('Group', row.name);
  return {
    changes: [
      ...guardPrivileges(power, byAdministrator, row.name, changed),
      renameRow(row.id, name, groupExists(name)),
    ],
    events: [identityEvent('group/modify', name, { group: name, formerName: row.name })],
  };
}

/** A group that is to go, and those that it is in. */
interface Leaving {
  readonly row: GroupRow;
  readonly parents: readonly string[];
}

/** Deletes all groups or none. Their former parents lose a member; no event is sent for single members. */
export function deleteGroups(leaving: readonly Leaving[], power: Privileges, byAdministrator: boolean): CommitPlan {
  const role = leaving.find(({ row }) => row.role === 1);
  if (role) throw roleStays(role.row.name);
  const changed = changedMeanwhile('Group', leaving.map(({ row }) => row.name).join(', '));
  const gone = new Set(leaving.map(({ row }) => row.name));
  return {
    changes: [
      // The state stays valid as long as the graph is unchanged: each relation changes its revision.
      expectGraph({ revision: power.revision }, changed),
      ...guardPrivileges(power, byAdministrator, leaving[0]?.row.name ?? '', changed),
      ...leaving.flatMap(({ row }) => [...advance(row, changed), ...deleteGroup(row.id)]),
      graphChanged({}),
    ],
    events: leaving.flatMap(({ row: { name }, parents }) => [
      ...parents
        .filter((parent) => !gone.has(parent))
        .map((parent) => membership(parent, 'REMOVE', { affectedGroup: name })),
      identityEvent('group/delete', name, { group: name }),
    ]),
  };
}

const insertRow = (name: string, description: string | undefined, id: string, now: number): Statement[] =>
  insertGroup({ id, name, description: description ?? null, createdAt: now }, groupExists(name));

function groupExists(name: string): ServiceError {
  return new ServiceError('already-exists', {
    type: 'Group',
    id: name,
    explanation: 'Expected a name that no group has',
  });
}

function roleFixed(name: string): ServiceError {
  const explanation = 'Expected "role" as it is: roles come with the release';
  return new ServiceError('role-fixed', { context: '/GroupDocument/role', id: name, explanation });
}

function roleStays(name: string): ServiceError {
  const explanation = 'Expected a group: roles come with the release, and stay';
  return new ServiceError('role-fixed', { context: 'name', id: name, explanation });
}
