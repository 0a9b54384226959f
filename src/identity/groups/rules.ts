import { type Happening, happened } from '../../events/catalogue.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Statement, Work } from '../../store/contract.ts';
import { type KeyValues, setKeyValues } from '../key-values/store.ts';
import { checkGroupName } from '../names.ts';
import { noSuchUser } from '../users/rules.ts';
import {
  addEdge,
  addMember,
  advance,
  describeGroup,
  expectGraph,
  type GroupRow,
  graphChanged,
  insertGroup,
  removeEdge,
  removeMember,
} from './store.ts';

/** Names to bring into a relation, and names to take out of it. */
export interface Wish {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface PutGroup {
  readonly name: string;
  readonly description: string | undefined;
  readonly role: boolean | undefined;
  readonly parents: Wish;
  readonly children: Wish;
  readonly users: Wish;
  readonly metadata: KeyValues;
  /** Also drop what is not listed. */
  readonly clear: boolean;
}

/** What was read: the group, if there is one, and the relations that the command may touch. */
export interface GroupState {
  readonly row: GroupRow | undefined;
  readonly parents: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  /** Whether this change decides who may be, or act for, anybody; and the graph that says so. */
  readonly power: { readonly leads: boolean; readonly revision: number };
}

/** The account that an installation begins with: were it to lose its role, nobody might be left to give it back. */
const firstAdministrator = 'admin';

/** Creates or changes a group. `byAdministrator`: whether the caller may decide who is one. */
export function putGroup(
  command: PutGroup,
  state: GroupState,
  id: string,
  now: number,
  byAdministrator: boolean,
): Work {
  const { name, description } = command;
  const { row } = state;
  if (!row) checkGroupName(name, 'path');
  if (command.role !== undefined && command.role !== (row?.role === 1)) throw roleFixed(name);

  const parents = difference(command.parents, state.parents, command.clear);
  const children = difference(command.children, state.children, command.clear);
  const users = difference(command.users, state.users, command.clear);
  const regroups = [parents, children].some((wish) => wish.add.length + wish.remove.length > 0);
  const touchesMembers = regroups || users.add.length + users.remove.length > 0;
  if (touchesMembers && state.power.leads && !byAdministrator) throw administratorsOnly(name);
  if (name === '_administrator' && users.remove.includes(firstAdministrator)) throw keepsAdministrator();

  const changes: Statement[] = [
    ...(row ? advance(row, changedMeanwhile(name)) : [createRow(name, description, id, now)]),
    // Who is not an administrator was let through because the graph said so: it must still say so.
    ...(touchesMembers && !byAdministrator
      ? [expectGraph({ revision: state.power.revision }, changedMeanwhile(name))]
      : []),
    ...(row && (description !== undefined || command.clear)
      ? [describeGroup({ id, description: description ?? null })]
      : []),
    ...parents.remove.map((parent) => removeEdge({ parent, child: name })),
    ...children.remove.map((child) => removeEdge({ parent: name, child })),
    ...parents.add.flatMap((parent) => addEdge({ parent, child: name })),
    ...children.add.flatMap((child) => addEdge({ parent: name, child })),
    ...(regroups ? [graphChanged({})] : []),
    ...users.remove.flatMap((user) => removeMember(id, user)),
    ...users.add.flatMap((user) => addMember(id, user, noSuchUser(user))),
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
  const created = row ? [] : [happened('group/create', name, { group: name })];
  const described = row && relations.length === 0 ? [happened('group/modify', name, { group: name })] : [];
  return { changes, events: [...created, ...described, ...relations] };
}

/** What of a wish is not so already. With `clear`, whatever is there and not listed goes. */
function difference(wish: Wish, there: ReadonlySet<string>, clear: boolean): Wish {
  const wanted = new Set(wish.add);
  const unwanted = clear ? [...there].filter((name) => !wanted.has(name)) : wish.remove;
  return {
    add: [...wanted].filter((name) => !there.has(name)),
    remove: [...new Set(unwanted)].filter((name) => there.has(name)),
  };
}

function membership(
  group: string,
  mode: 'ADD' | 'REMOVE',
  affected: { affectedGroup: string } | { affectedUser: string },
): Happening {
  return happened('group/modify', group, { group, mode, ...affected });
}

function createRow(name: string, description: string | undefined, id: string, now: number): Statement {
  return insertGroup({ id, name, description: description ?? null, role: 0, createdAt: now }, groupExists(name));
}

export function groupExists(name: string): ServiceError {
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

function administratorsOnly(name: string): ServiceError {
  const explanation = 'Expected the role _administrator: members of this group may be, or act for, anybody';
  return new ServiceError('not-allowed', { context: 'role', id: name, explanation });
}

function keepsAdministrator(): ServiceError {
  const explanation = `Expected "${firstAdministrator}" to keep the role _administrator`;
  return new ServiceError('not-allowed', { context: '/GroupDocument/userList', id: firstAdministrator, explanation });
}

/** Tried again with what is there now; the caller only meets it when that happens many times over. */
function changedMeanwhile(name: string): ServiceError {
  const explanation = 'Somebody else changed the group at the same time: try again';
  return new ServiceError('changed-meanwhile', { type: 'Group', id: name, explanation });
}
