import { sha256 } from '@noble/hashes/sha2.js';
import type {
  Account,
  Component,
  CredentialsMatcher,
  Host,
  PropertyTable,
  Realm,
  SecretText,
} from '../src/spi/index.ts';
import { readUsers, type StaticUser, type UserEntries } from './static-users.ts';

interface Properties {
  /** Users with their stored password. In `[users]` roles follow the password. */
  readonly users?: UserEntries;
  /** Roles of `[roles]` with their permissions. */
  readonly roles?: UserEntries;
  readonly credentialsMatcher?: Partial<CheckingMatcher> & CredentialsMatcher;
}

/** Built-in matchers, which also report stored texts that can never match. */
interface CheckingMatcher extends CredentialsMatcher {
  defect(stored: SecretText): string | undefined;
}

const properties: PropertyTable = {
  users: { type: 'map', says: 'User names with their stored passwords, besides those of the section [users].' },
  roles: { type: 'map', says: 'Role names with a permission, besides those of the section [roles].' },
  credentialsMatcher: {
    type: { reference: 'matchers' },
    says: 'The matcher that compares passwords. Without it, stored passwords are plain text.',
  },
  resourcePath: {
    type: 'string',
    says: 'Refused, because users are part of this file.',
    check: () => 'Users of another file are not read: write them in the section [users]',
  },
};

/** Realm of the users in security.ini. */
export const staticRealm: Component<Realm> = {
  says: 'Users in this file, with passwords or their hashes, roles and permissions.',
  properties,
  create({ users, roles, credentialsMatcher: matcher = plainComparison }: Properties, host) {
    const usersByName = readUsers(users ?? {}, roles ?? {});
    for (const user of usersByName.values()) refuseDefects(user, matcher, host);
    return realmOf(usersByName, matcher, host);
  },
};

function refuseDefects({ name, stored }: StaticUser, matcher: Partial<CheckingMatcher>, host: Host): void {
  if (stored.reveal() === '') {
    host.log('warn', 'empty-stored-password', { user: name });
    return;
  }
  const defect = matcher.defect?.(stored);
  if (defect) throw new Error(`The stored password of "${name}" cannot be used: ${defect}`);
  // The hash itself would then be the password for every reader of this file.
  if (
    matcher === plainComparison &&
    /^\$(?:shiro[12]|2[aby]|argon2\w*|scrypt|pbkdf2[-\w]*)\$.*\$/.test(stored.reveal())
  )
    host.log('warn', 'hash-compared-as-plain-text', { user: name, remedy: 'Set credentialsMatcher' });
}

function realmOf(users: ReadonlyMap<string, StaticUser>, matcher: CredentialsMatcher, host: Host): Realm {
  // Users with an empty stored password match nothing: they are compared like unknown users.
  const usable = [...users.values()].filter(({ stored }) => stored.reveal() !== '');
  const nonce = btoa(String.fromCharCode(...host.randomBytes(24)));

  /** Decoy with the length of the given text and equal to nothing, so that caches of matchers reveal nothing. */
  const decoy = (text: SecretText): SecretText => ({
    reveal: () => nonce.repeat(Math.ceil(text.reveal().length / nonce.length)).slice(0, text.reveal().length),
  });

  return {
    hasFixedUsers: true,
    supports: (credentials) => credentials.kind === 'password',
    describe(name) {
      const user = users.get(name);
      return user && user.stored.reveal() !== '' ? accountOf(user) : undefined;
    },
    async authenticate(credentials) {
      if (credentials.kind !== 'password') return { answer: 'not-mine' };
      const { user: name, password } = credentials;
      const user = users.get(name);
      if (user && user.stored.reveal() !== '') {
        const matches = await matcher.matches(password, user.stored, { name });
        // Strictly true: a matcher of a plugin may return anything.
        if (matches === true) return { answer: 'account', account: accountOf(user) };
        return { answer: 'refused', reason: 'wrong-password' };
      }
      const model = usable[checksum(name) % usable.length];
      if (model) await matcher.matches(decoy(password), model.stored, { name });
      return { answer: 'refused', reason: user ? 'no-password' : 'unknown-user' };
    },
  };
}

const accountOf = ({ name, roles, permissions }: StaticUser): Account => ({ name, roles, permissions });

/**
 * Selects the same model for the same name each time: hashes may differ in cost, and repeated attempts would show it.
 */
const checksum = (text: string): number => {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
};

const encoder = new TextEncoder();

/** Matcher of plain passwords. Compares digests, so that its time reveals neither differences nor lengths. */
const plainComparison: CredentialsMatcher = {
  matches(sent, stored) {
    const [a, b] = [sent.reveal(), stored.reveal()].map((text) => sha256(encoder.encode(text))) as [
      Uint8Array,
      Uint8Array,
    ];
    let difference = 0;
    for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
    return difference === 0;
  },
};
