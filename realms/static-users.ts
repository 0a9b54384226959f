import type { SecretText } from '../src/spi/index.ts';

/** A section or a property of type map. */
export type UserEntries =
  | ReadonlyMap<string, string | readonly string[]>
  | Readonly<Record<string, string | readonly string[]>>;

export interface StaticUser {
  readonly name: string;
  readonly stored: SecretText;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

const pairsOf = (entries: UserEntries): readonly (readonly [string, readonly string[]])[] => {
  const pairs = entries instanceof Map ? [...entries] : Object.entries(entries);
  return pairs.map(([name, value]) => [name, typeof value === 'string' ? [value] : [...value]]);
};

/** Roles before users: a user has the permissions of those of his roles that are defined. */
export function readUsers(users: UserEntries, roles: UserEntries): ReadonlyMap<string, StaticUser> {
  const permissionsOf = new Map(pairsOf(roles));
  for (const [role, permissions] of permissionsOf) {
    const bad = permissions.find((permission) => !/[^\s:]/.test(permission));
    if (bad !== undefined) throw new Error(`Expected permissions of the role "${role}", found "${bad}"`);
  }
  const usersByName = new Map<string, StaticUser>();
  for (const [name, [password, ...userRoles]] of pairsOf(users)) {
    if (name === '') throw new Error('Expected a user name, found an empty one');
    if (password === undefined) throw new Error(`Expected a password for the user "${name}"`);
    usersByName.set(name, {
      name,
      stored: masked(password),
      roles: userRoles,
      permissions: [...new Set(userRoles.flatMap((role) => permissionsOf.get(role) ?? []))],
    });
  }
  return usersByName;
}

/** Secret text that prints as a mask everywhere. */
const masked = (text: string): SecretText & { toString(): string; toJSON(): string } => ({
  reveal: () => text,
  toString: () => '[redacted]',
  toJSON: () => '[redacted]',
});
