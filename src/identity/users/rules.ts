import type { Happening } from '../../core/events/event-kinds.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { nothing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { outlastsActing } from '../../http/acting.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { type KeyValues, setKeyValues } from '../../room/entities/key-values/store.ts';
import { runAsRole } from '../../security/run-as.ts';
import { administrator } from '../../security/subject.ts';
import { identityEvent, type UserAspect } from '../events.ts';
import { changesNothing, type MembershipChange, membershipDifference, memberships } from '../memberships/rules.ts';
import { joinGroup, leaveGroup } from '../memberships/store.ts';
import { checkUserName, foldedName } from '../names.ts';
import {
  checkNotFirst,
  firstAdministrator,
  guardPrivileges,
  keepsAdministrator,
  type Privileges,
} from '../privileges.ts';
import { type IdentitySettings, soundPasswordLength } from '../settings.ts';
import {
  addAlias,
  addName,
  advanceUser,
  aloneByName,
  dropAlias,
  insertUser,
  oneUserMore,
  rename,
  setEnabled,
  setRunAs,
  type UserRow,
  updatePassword,
  updateRealName,
} from './store.ts';

export interface CreateUser {
  readonly name: string;
  readonly realName: string | null;
  /** Password hash. Null: no login by password. */
  readonly password: string | null;
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
  readonly metadata: KeyValues;
  /** Whether the account may act for others. Left out: yes, if it is given the role for that at once. */
  readonly runAs?: boolean | undefined;
  /** Whether a provider makes the user, who then has the name alone, regardless of case. */
  readonly isOfProvider?: boolean;
}

/** A new user with its names, its memberships and its metadata: one commit, or a refusal that says which of them. */
export function createUser(command: CreateUser, id: string, now: number): CommitPlan {
  const { name, realName, password, metadata } = command;
  checkUserName(name, '/UserDocument/userName');
  const aliases = distinct(command.aliases);
  for (const alias of aliases) checkUserName(alias, '/UserDocument/alias');
  const groups = distinct(command.groups);
  const runAs = (command.runAs ?? groups.includes(runAsRole)) ? 1 : 0;
  const taken = () => nameTaken(name);
  return {
    changes: [
      insertUser({ id, name, realName, password, runAs, createdAt: now }, taken),
      ...(command.isOfProvider ? [aloneInAnyCase(id, name)] : []),
      addName(id, name, taken),
      ...aliases.map((alias) => addAlias(id, alias, nameTaken(alias))),
      ...groups.flatMap((group) => joinGroup(group, id, noSuchGroup(group))),
      ...setKeyValues('user', id, metadata, false),
      oneUserMore({}),
    ],
    events: [identityEvent('user/create', name, { user: name }), ...memberships(name, { add: groups, remove: [] })],
  };
}

/** Most new users have none. */
const distinct = (names: readonly string[]): readonly string[] => (names.length > 1 ? [...new Set(names)] : names);

/** Changes by a user document. Undefined: unchanged. */
interface UpdateUser {
  readonly name: string;
  readonly realName: string | undefined;
  readonly password: string | undefined;
  readonly aliases: readonly string[];
  readonly groups: MembershipChange;
  readonly metadata: KeyValues;
  readonly runAs: boolean | undefined;
  /** Whether a provider changes the user, who then has the name alone, regardless of case. */
  readonly isOfProvider?: boolean;
}

/** State read for the command: the user, its aliases, and its memberships among the named groups. */
interface UserState {
  readonly row: UserRow;
  readonly aliases: readonly string[];
  readonly groups: ReadonlySet<string>;
}

/**
 * For administrators. Aliases, memberships and metadata are added to what there is, unless an entry says remove.
 * `actingFor`: the id of the user for whom the caller only acts. Such a caller changes real name and metadata of that
 * user. It may repeat what is so already: clients send whole documents back.
 */
export function updateUser(command: UpdateUser, { row, aliases, groups }: UserState, actingFor?: string): CommitPlan {
  const { id } = row;
  const { name, realName, password, metadata, runAs } = command;
  const renamed = name !== row.name;
  const added = [...new Set(command.aliases)].filter((alias) => alias !== name && !aliases.includes(alias));
  if (renamed) checkRename(row.name, name);
  for (const alias of added) checkUserName(alias, '/UserDocument/alias');
  const wanted = membershipDifference(command.groups, groups, false);
  checkKeepsRole(row, wanted, '/UserDocument/groupList');

  const changed = changedMeanwhile('User', row.name);
  const renames = realName !== undefined && realName !== row.realName;
  const switches = runAs !== undefined && runAs !== (row.runAs === 1);
  const givesPower = renamed || switches || password !== undefined || added.length > 0 || !changesNothing(wanted);
  if (actingFor !== undefined && (givesPower || actingFor !== id)) throw outlastsActing();
  const changes: Statement[] = [
    ...(renamed && command.isOfProvider ? [aloneInAnyCase(id, name)] : []),
    ...(renamed ? rename(id, name, nameTaken(name)) : []),
    ...(renames ? [updateRealName({ id, realName })] : []),
    ...(password === undefined ? [] : [updatePassword({ id, password })]),
    ...(switches ? [setRunAs({ id, runAs: runAs ? 1 : 0 })] : []),
    ...added.map((alias) => addAlias(id, alias, nameTaken(alias))),
    ...regroup(id, wanted, changed),
    ...setKeyValues('user', id, metadata, false),
  ];
  const aspects: UserAspect[] = [
    ...(renamed ? (['name'] as const) : []),
    ...(renames ? (['realName'] as const) : []),
    ...(password === undefined ? [] : (['password'] as const)),
    ...(switches ? (['runAs'] as const) : []),
    ...(added.length > 0 ? (['alias'] as const) : []),
    ...(metadata.pairs.length > 0 ? (['metadata'] as const) : []),
  ];
  return {
    changes,
    events: [
      ...(aspects.length > 0 ? [modified(name, aspects, renamed ? row.name : undefined)] : []),
      ...memberships(name, wanted),
    ],
  };
}

/** The groups of a user, changed from the user's side. `there`: those it is in, all of them where others are to go. */
export function regroupUser(
  row: UserRow,
  wanted: MembershipChange,
  power: Privileges,
  byAdministrator: boolean,
): CommitPlan {
  if (changesNothing(wanted)) return nothing;
  checkKeepsRole(row, wanted, '/GroupListDocument');
  const changed = changedMeanwhile('User', row.name);
  return {
    changes: [...guardPrivileges(power, byAdministrator, row.name, changed), ...regroup(row.id, wanted, changed)],
    events: memberships(row.name, wanted),
  };
}

const regroup = (id: string, { add, remove }: MembershipChange, changed: ServiceError): Statement[] => [
  ...remove.flatMap((group) => leaveGroup(group, id, changed)),
  ...add.flatMap((group) => joinGroup(group, id, noSuchGroup(group))),
];

export const changePassword = (user: UserRow, hash: string): CommitPlan => ({
  changes: [updatePassword({ id: user.id, password: hash })],
  events: [modified(user.name, ['password'])],
});

export const switchUser = (user: UserRow, enabled: boolean): CommitPlan => ({
  changes: setEnabled(user.id, enabled),
  events: (user.enabled === 1) === enabled ? [] : [modified(user.name, ['enabled'])],
});

export const letRunAs = (user: UserRow, may: boolean): CommitPlan => ({
  changes: [setRunAs({ id: user.id, runAs: may ? 1 : 0 })],
  events: (user.runAs === 1) === may ? [] : [modified(user.name, ['runAs'])],
});

export function changeRealName(user: UserRow, realName: string): CommitPlan {
  if (realName === (user.realName ?? '')) return nothing;
  return {
    changes: [updateRealName({ id: user.id, realName })],
    events: [modified(user.name, ['realName'])],
  };
}

export function giveAlias(user: UserRow, aliases: readonly string[], alias: string): CommitPlan {
  if (aliases.includes(alias)) return nothing;
  checkUserName(alias, 'path');
  return { changes: [addAlias(user.id, alias, nameTaken(alias))], events: [modified(user.name, ['alias'])] };
}

export function takeAlias(user: UserRow, aliases: readonly string[], alias: string): CommitPlan {
  if (!aliases.includes(alias)) throw new ServiceError('no-such-entity', { type: 'Alias', id: alias });
  return { changes: [dropAlias(user.id, alias)], events: [modified(user.name, ['alias'])] };
}

/** Holds only as long as the user is what was read. */
export const asRead = (row: UserRow, { changes, events }: CommitPlan): CommitPlan => ({
  changes: [...advanceUser(row, changedMeanwhile('User', row.name)), ...changes],
  events,
});

export const modified = (user: string, changed: readonly UserAspect[], formerName?: string): Happening =>
  identityEvent('user/modify', user, { user, changed, ...(formerName === undefined ? {} : { formerName }) });

function checkRename(from: string, to: string): void {
  checkNotFirst(from, 'keep its name', '/UserDocument/userName');
  checkUserName(to, '/UserDocument/userName');
}

function checkKeepsRole(row: UserRow, { remove }: MembershipChange, place: string): void {
  if (row.name === firstAdministrator && remove.includes(administrator)) throw keepsAdministrator(place);
}

/** Limits for the length of a password. */
type PasswordPolicy = Pick<IdentitySettings, 'minPasswordLength' | 'maxPasswordLength'>;

/** The policy for passwords of administrators, at the set-up and by the API, and for all that a command sets. */
export const soundly = <P extends PasswordPolicy>(policy: P): P => ({
  ...policy,
  minPasswordLength: Math.max(policy.minPasswordLength, soundPasswordLength),
});

/** A password that can be kept: what is too short, or too long to hash in a bounded time, is refused. */
export function checkPassword(
  password: string,
  { minPasswordLength: least, maxPasswordLength: max }: PasswordPolicy,
  place: string,
): void {
  const fits = password.length >= least && password.length <= max;
  if (fits && !/[\0-\x1f\x7f]/.test(password)) return;
  // Basic authentication cannot carry control characters, so such a password could not be used.
  const explanation = `Expected ${least} to ${max} characters, and no control characters`;
  throw new ServiceError('bad-value', { context: place, explanation });
}

export const noSuchUser = (name: string) => noSuchEntity({ noun: 'User' }, name);
export const noSuchGroup = (name: string) => noSuchEntity({ noun: 'Group' }, name);

function nameTaken(name: string): ServiceError {
  const explanation = 'Expected a name that no user has, and no alias of one';
  return new ServiceError('already-exists', { type: 'User', id: name, explanation });
}

/** Providers take names for one that differ in case alone: of two users, each would be the other. */
export function nameTakenInSomeCase(name: string): ServiceError {
  const explanation = 'Expected a userName that no user has, in any case, and no alias of one';
  return new ServiceError('already-exists', { type: 'User', id: name, explanation });
}

const aloneInAnyCase = (id: string, name: string): Statement =>
  aloneByName({ id, folded: foldedName(name) }, nameTakenInSomeCase(name));
