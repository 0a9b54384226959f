import { happened, type UserAspect } from '../../events/catalogue.ts';
import { ServiceError } from '../../lib/errors.ts';
import { runAsRole } from '../../security/run-as.ts';
import type { Work } from '../../store/contract.ts';
import { type KeyValues, setKeyValues } from '../key-values/store.ts';
import { checkUserName } from '../names.ts';
import {
  countUser,
  insertLogin,
  insertUser,
  joinGroup,
  setEnabled,
  setRunAs,
  type UserRow,
  updatePassword,
} from './store.ts';

export interface CreateUser {
  readonly name: string;
  readonly realName: string | null;
  /** The hash. Null: nobody logs in with a password. */
  readonly password: string | null;
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
  readonly metadata: KeyValues;
  /** Whether the account may act for others. Left out: yes, if it is given the role for that at once. */
  readonly runAs?: boolean | undefined;
}

/** A new user with its names, its memberships and its metadata: one commit, or a refusal that says which of them. */
export function createUser(command: CreateUser, id: string, now: number): Work {
  const { name, realName, password, metadata } = command;
  checkUserName(name, '/UserDocument/userName');
  const aliases = new Set(command.aliases);
  for (const alias of aliases) checkUserName(alias, '/UserDocument/alias');
  const groups = [...new Set(command.groups)];
  const runAs = (command.runAs ?? groups.includes(runAsRole)) ? 1 : 0;
  return {
    changes: [
      insertUser({ id, name, realName, password, enabled: 1, runAs, createdAt: now }, nameTaken(name)),
      insertLogin({ name, userId: id, alias: 0 }, nameTaken(name)),
      ...[...aliases].map((alias) => insertLogin({ name: alias, userId: id, alias: 1 }, nameTaken(alias))),
      ...groups.flatMap((group) => joinGroup(group, id, noSuchGroup(group))),
      ...setKeyValues('user', id, metadata, false),
      countUser({ name: 'users', by: 1 }),
    ],
    events: [
      happened('user/create', name, { user: name }),
      ...groups.map((group) => happened('group/modify', group, { group, mode: 'ADD', affectedUser: name })),
    ],
  };
}

export const changePassword = (user: UserRow, hash: string): Work => ({
  changes: [updatePassword({ id: user.id, password: hash })],
  events: [modified(user, 'password')],
});

export const switchUser = (user: UserRow, enabled: boolean): Work => ({
  changes: setEnabled(user.id, enabled),
  events: (user.enabled === 1) === enabled ? [] : [modified(user, 'enabled')],
});

export const letRunAs = (user: UserRow, may: boolean): Work => ({
  changes: [setRunAs({ id: user.id, runAs: may ? 1 : 0 })],
  events: (user.runAs === 1) === may ? [] : [modified(user, 'runAs')],
});

const modified = (user: UserRow, ...changed: UserAspect[]) =>
  happened('user/modify', user.name, { user: user.name, changed });

/** A password that can be kept: what is too long to hash in a bounded time, or empty, is refused. */
export function checkPassword(password: string, longest: number, place: string): void {
  const fits = password.length >= 1 && password.length <= longest;
  if (fits && !/[\0-\x1f\x7f]/.test(password)) return;
  // Basic authentication could not carry a control character, so nobody could log in with it.
  const explanation = `Expected 1 to ${longest} characters, and no control characters`;
  throw new ServiceError('bad-value', { context: place, explanation });
}

export const noSuchUser = (name: string) => new ServiceError('no-such-entity', { type: 'User', id: name });
export const noSuchGroup = (name: string) => new ServiceError('no-such-entity', { type: 'Group', id: name });

function nameTaken(name: string): ServiceError {
  const explanation = 'Expected a name that no user has, and no alias of one';
  return new ServiceError('already-exists', { type: 'User', id: name, explanation });
}
