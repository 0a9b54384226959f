import { describe, expect, it } from 'vitest';
import { matcherComponents } from '../../plugins/index.ts';
import { passwordMatcher } from '../../plugins/matchers/password.ts';
import { staticRealm } from '../../realms/static.ts';
import type { CredentialsMatcher } from '../../src/spi/index.ts';
import { answerOf, canary, loginHost, make, testHost, textOf, withPassword } from './support.ts';

const users = new Map([
  ['alice', ['secret', 'writer', 'reader']],
  ['bob', ['x']],
  ['ghost', ['', 'writer']],
  ['comma', ['a,b"c']],
]);
const roles = new Map([
  ['writer', ['item:write', 'item:read']],
  ['reader', ['item:read', 'collection:read:a,b']],
]);

describe('static users', () => {
  it.each([
    ['alice', 'secret', 'account alice'],
    ['comma', 'a,b"c', 'account comma'],
    ['alice', 'Secret', 'wrong-password'],
    ['alice', 'secret ', 'wrong-password'],
    ['alice', '', 'wrong-password'],
    ['Alice', 'secret', 'unknown-user'],
    ['', '', 'unknown-user'],
    ['__proto__', 'secret', 'unknown-user'],
    ['constructor', 'secret', 'unknown-user'],
    ['ghost', '', 'no-password'],
    ['ghost', 'x', 'no-password'],
  ])('%j with %j: %s', async (user, password, expected) => {
    expect(await answerOf(await make(staticRealm, { users, roles }), user, password)).toBe(expected);
  });

  it('have the roles and permissions of the realm', async () => {
    const realm = await make(staticRealm, { users, roles });
    const answer = await realm.authenticate(withPassword('alice', 'secret'), loginHost());
    expect(answer).toEqual({
      answer: 'account',
      account: {
        name: 'alice',
        roles: ['writer', 'reader'],
        permissions: ['item:write', 'item:read', 'collection:read:a,b'],
      },
    });
  });

  it('are described without a login, unless nobody can log in as them', async () => {
    const realm = await make(staticRealm, { users, roles });
    const host = { users: { find: () => Promise.reject(new Error('Expected no look at users of the service')) } };
    expect(await realm.describe?.('bob', host)).toEqual({ name: 'bob', roles: [], permissions: [] });
    expect([await realm.describe?.('ghost', host), await realm.describe?.('eve', host)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('of the property: names and passwords', async () => {
    const realm = await make(staticRealm, { users: new Map([['alice', 'one,two']]) });
    expect(await answerOf(realm, 'alice', 'one,two')).toBe('account alice');
    expect(await make(staticRealm, {})).toBeDefined();
  });

  it('warn of a stored password that lets nobody in, or that is a hash and compared as text', async () => {
    const host = testHost();
    await make(staticRealm, { users: new Map([...users, ['dora', ['$2y$10$x.y']]]) }, host);
    expect(host.logged.map((line) => JSON.parse(line))).toEqual([
      { level: 'warn', event: 'empty-stored-password', user: 'ghost' },
      expect.objectContaining({ level: 'warn', event: 'hash-compared-as-plain-text', user: 'dora' }),
    ]);
  });

  it.each([
    [{ users: new Map([['a', []]]) }, 'Expected a password for the user "a"'],
    [{ users: new Map([['', ['x']]]) }, 'Expected a user name'],
    [{ roles: new Map([['r', ['a', ' : ']]]) }, 'Expected permissions of the role "r"'],
  ])('of a defective file are not made: %j', async (given, sentence) => {
    await expect(make(staticRealm, given)).rejects.toThrow(sentence);
  });

  it('with a damaged hash are a finding that does not quote it', async () => {
    const credentialsMatcher = await make(passwordMatcher);
    const damaged = `$2y$99$${canary}`;
    const error = await make(staticRealm, { users: new Map([['eve', [damaged]]]), credentialsMatcher }).catch(
      (thrown: unknown) => thrown,
    );
    expect(textOf(error)).toContain('The stored password of "eve" cannot be used');
    expect(textOf(error)).not.toContain('canary');
  });

  it('with a matcher that throws or answers anything else than true are not let in', async () => {
    const answering = (answer: unknown) => ({ matches: () => answer }) as CredentialsMatcher;
    for (const answer of ['yes', 1, {}, undefined]) {
      const realm = await make(staticRealm, { users, credentialsMatcher: answering(answer) });
      expect(await answerOf(realm, 'alice', 'secret')).toBe('wrong-password');
    }
    const throwing = { matches: () => Promise.reject(new Error('broken')) };
    const realm = await make(staticRealm, { users, credentialsMatcher: throwing });
    await expect(answerOf(realm, 'alice', 'secret')).rejects.toThrow('broken');
  });
});

describe('who is unknown costs what a wrong password costs', () => {
  function counting() {
    const seen: { readonly given: string; readonly stored: string; readonly name: string }[] = [];
    const matcher: CredentialsMatcher = {
      matches: (given, stored, { name }) => {
        seen.push({ given: given.reveal(), stored: stored.reveal(), name });
        return given.reveal() === stored.reveal();
      },
    };
    return { seen, matcher };
  }

  it.each(['alice', 'nobody', 'ghost', ''])('one comparison for %j', async (user) => {
    const { seen, matcher } = counting();
    const realm = await make(staticRealm, { users, credentialsMatcher: matcher });
    await answerOf(realm, user, 'a guess');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.stored).not.toBe('');
    expect(seen[0]?.given).toHaveLength('a guess'.length);
  });

  it('never compares the password of one user with the name of another, which a memory could tell', async () => {
    const { seen, matcher } = counting();
    const realm = await make(staticRealm, { users, credentialsMatcher: matcher });
    for (const name of ['nobody', 'no one', 'none']) expect(await answerOf(realm, name, 'secret')).toBe('unknown-user');
    expect(seen.map(({ given }) => given)).not.toContain('secret');
  });
});

it('serves hashes of every form in one file', async () => {
  const credentialsMatcher = await make(matcherComponents['org.apache.shiro.authc.credential.PasswordMatcher']!);
  const stored = new Map([
    ['a', ['$shiro2$2y$10$7rOjsAf2U/AKKqpMpCIn6etuOXyQ86tp2Tn9xv6FyXl2T0QYc3.G.', 'r']],
    ['b', ['$argon2id$v=19$m=4096,t=3,p=4$MTIzNDU2Nzg5MDEyMzQ1Ng$bjcHqfb0LPHyS13eVaNcBga9LF12I3k34H5ULt2gyoI']],
  ]);
  const realm = await make(staticRealm, { users: stored, credentialsMatcher });
  for (const user of ['a', 'b']) {
    expect(await answerOf(realm, user, 'secret#shiro,password;Jo8opech')).toBe(`account ${user}`);
    expect(await answerOf(realm, user, 'other')).toBe('wrong-password');
  }
});
