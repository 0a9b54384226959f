import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ldapRealm } from '../../../realms/ldap.ts';
import { ldapLibrary } from '../../../realms/ldap-connection.ts';
import type { Account, Realm } from '../../../src/spi/index.ts';
import { answerOf, canary, loginHost, make, secret, testHost, textOf, withPassword } from '../support.ts';
import { selfSigned } from './certificate.ts';
import { groups, people, reader } from './people.ts';
import { type Directory, openDirectory } from './server.ts';
import { openStartTls } from './start-tls.ts';

const tls = selfSigned();
let plain: Directory;
let encrypted: Directory;

beforeAll(async () => {
  [plain, encrypted] = await Promise.all([openDirectory(), openDirectory(tls)]);
});
afterAll(() => Promise.all([plain.close(), encrypted.close()]));
beforeEach(() => {
  for (const directory of [plain, encrypted]) {
    directory.binds.length = 0;
    directory.searches.length = 0;
  }
});

const address = (port: number) => `ldap://127.0.0.1:${port}`;
const searching = { userBase: people, bindDN: reader.dn, bindPassword: secret(reader.password) };
const realmAt = (port: number, more: Record<string, unknown> = {}, host = testHost()): Promise<Realm> =>
  make(ldapRealm, { url: [address(port)], ...searching, ...more }, host);

async function accountOf(realm: Realm, user: string, password: string): Promise<Account> {
  const answer = await realm.authenticate(withPassword(user, password), loginHost());
  if (answer.answer !== 'account') throw new Error(`Expected an account, found ${JSON.stringify(answer)}`);
  return answer.account;
}

describe('who gets in', () => {
  it.each([
    ['alice', "alice's own", 'account alice'],
    ['ALICE', "alice's own", 'account alice'],
    ['alice', "bob's own", 'wrong-password'],
    ['nobody', "alice's own", 'unknown-user'],
    ['twin', 'twin', 'ambiguous-user'],
    ['', 'x', 'bad-user-name'],
    ['alice ', "alice's own", 'bad-user-name'],
    ['al\0ice', "alice's own", 'bad-user-name'],
  ])('%j with %j: %s', async (user, password, expected) => {
    expect(await answerOf(await realmAt(plain.port), user, password)).toBe(expected);
  });

  it('takes no other credentials', async () => {
    const realm = await realmAt(plain.port);
    const bearer = { kind: 'bearer', token: secret('x') } as const;
    expect(realm.supports(bearer)).toBe(false);
    expect(await realm.authenticate(bearer, loginHost())).toEqual({ answer: 'not-mine' });
  });

  it('never sends a bind without a password, which a directory would accept', async () => {
    const realm = await realmAt(plain.port);
    const before = plain.connections;
    expect(await answerOf(realm, 'alice', '')).toBe('empty-password');
    expect(await answerOf(await realmAt(plain.port, { userDnTemplate: `uid={0},${people}` }), 'alice', '')).toBe(
      'empty-password',
    );
    expect([plain.connections, plain.binds, plain.searches]).toEqual([before, [], []]);
  });

  it('refuses an entry that has no name for the service user', async () => {
    const realm = await realmAt(plain.port, { userFilter: '(cn={0})' });
    await expect(answerOf(realm, 'nameless', 'nameless')).rejects.toThrow('set userNameAttribute');
  });
});

describe('a user name is a value', () => {
  it.each([
    '*',
    'a*',
    'alice)(uid=*',
    '*)(uid=*))(|(uid=*',
    'alice)(|(mail=*',
    'ali\\63e',
    '\\2a',
    '(alice)',
    'alice,ou=people',
    '{1}',
    'dc=example',
  ])('in the filter: %s', async (user) => {
    expect(await answerOf(await realmAt(plain.port), user, "alice's own")).toBe('unknown-user');
    expect(plain.searches.filter((search) => search.includes('uid'))).toHaveLength(1);
  });

  it.each([
    'alice,ou=people,dc=example,dc=org',
    'x+uid=alice',
    '#alice',
    '"alice"',
    'alice;x',
    '<alice>',
    'a=b',
    'a\\',
  ])('in a template: %s', async (user) => {
    const realm = await realmAt(plain.port, { userDnTemplate: `uid={0},${people}` });
    expect(await answerOf(realm, user, "alice's own")).toBe('wrong-password');
  });
});

describe('what is known of a user', () => {
  it('attributes, groups by a search, and roles by a table', async () => {
    const realm = await realmAt(plain.port, { groupBase: groups, groupRoles: new Map([['editors', 'writer']]) });
    expect(await accountOf(realm, 'alice', "alice's own")).toEqual({
      name: 'alice',
      roles: ['writer'],
      attributes: {
        cn: ['Alice Liddell'],
        mail: ['alice@example.org'],
        dn: `uid=alice,${people}`,
        groups: ['editors', 'viewers'],
      },
    });
    expect((await accountOf(realm, 'bob', "bob's own")).attributes).toMatchObject({
      mail: ['bob@example.org', 'robert@example.org'],
      groups: ['viewers'],
    });
  });

  it('groups from an attribute of the user', async () => {
    const realm = await realmAt(plain.port, { groupAttribute: 'memberof' });
    expect((await accountOf(realm, 'alice', "alice's own")).attributes?.['groups']).toEqual(['Editors, all', 'staff']);
  });

  it('with a template, what users may read themselves', async () => {
    const realm = await make(ldapRealm, {
      contextFactory: { url: address(plain.port) },
      userDnTemplate: `uid={0},${people}`,
      groupBase: groups,
    });
    expect(await accountOf(realm, 'Alice', "alice's own")).toMatchObject({
      name: 'alice',
      attributes: { cn: ['Alice Liddell'], groups: ['editors', 'viewers'] },
    });
    expect(plain.binds.map((dn) => dn.toLowerCase())).toEqual([`uid=alice,${people}`]);
  });
});

describe('connections', () => {
  it('keeps the one that searches, and opens one for each password', async () => {
    const realm = await realmAt(plain.port);
    const before = plain.connections;
    for (const user of ['alice', 'nobody', 'alice']) await answerOf(realm, user, "alice's own");
    expect(plain.connections - before).toBe(3);
    expect(plain.binds.filter((dn) => dn.includes('reader'))).toHaveLength(1);
  });

  it('opens another one when the directory closed it', async () => {
    const realm = await realmAt(plain.port);
    await answerOf(realm, 'alice', "alice's own");
    plain.disconnect();
    expect(await answerOf(realm, 'alice', "alice's own")).toBe('account alice');
    expect(plain.binds.filter((dn) => dn.includes('reader'))).toHaveLength(2);
  });

  it('closes the one that it keeps when it is done', async () => {
    const realm = await make(ldapRealm, { url: [address(plain.port)], ...searching });
    await answerOf(realm, 'nobody', 'x');
    const open = plain.open;
    await realm.close();
    await expect.poll(() => plain.open).toBe(open - 1);
  });

  it('serves logins at the same time', async () => {
    const realm = await realmAt(plain.port);
    const pairs = [...Array(20).keys()].map((i) => (i % 2 === 0 ? ['alice', "alice's own"] : ['bob', "alice's own"]));
    const answers = await Promise.all(pairs.map(([user, password]) => answerOf(realm, user!, password!)));
    expect(answers).toEqual(pairs.map(([user]) => (user === 'alice' ? 'account alice' : 'wrong-password')));
  });

  it('tries the next address when one is down', async () => {
    const down = await closedPort();
    const realm = await make(ldapRealm, { url: [address(down), address(plain.port)], ...searching });
    expect(await answerOf(realm, 'alice', "alice's own")).toBe('account alice');
  });

  it('throws when the directory is down, and says nothing of the password', async () => {
    const host = testHost();
    const realm = await realmAt(await closedPort(), {}, host);
    const error = await answerOf(realm, 'alice', canary).catch((thrown: unknown) => thrown);
    expect(textOf(error)).toContain('ECONNREFUSED');
    expect(textOf(error) + host.logged.join()).not.toContain('canary');
  });

  it('throws when the directory does not answer in time', async () => {
    const realm = await realmAt(plain.port, { timeout: 300 });
    await answerOf(realm, 'alice', "alice's own");
    const { release } = plain.hold();
    try {
      await expect(answerOf(realm, 'alice', canary)).rejects.toThrow(/within 300 ms|could not be used/);
    } finally {
      release();
    }
    expect(await answerOf(realm, 'alice', "alice's own")).toBe('account alice');
  });

  it('gives up when the login does', async () => {
    const realm = await realmAt(plain.port);
    const { release } = plain.hold();
    const caller = new AbortController();
    const answer = answerOf(realm, 'alice', "alice's own", loginHost(caller.signal));
    caller.abort(new Error('too late'));
    await expect(answer).rejects.toThrow('too late');
    release();
  });

  it('does not take an answer that is none for a yes', async () => {
    const junk = createServer((socket) =>
      socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')),
    );
    await new Promise<void>((resolve) => junk.listen(0, '127.0.0.1', resolve));
    const realm = await realmAt((junk.address() as AddressInfo).port, { timeout: 500 });
    await expect(answerOf(realm, 'alice', canary)).rejects.toThrow();
    junk.close();
  });
});

describe('encryption', () => {
  const trusted = { caCertificate: [tls.base64] };

  it('of ldaps, with a certificate that is trusted', async () => {
    const realm = await realmAt(0, { url: [`ldaps://127.0.0.1:${encrypted.port}`], ...trusted });
    expect(await answerOf(realm, 'alice', "alice's own")).toBe('account alice');
    expect(await answerOf(realm, 'alice', canary)).toBe('wrong-password');
  });

  it('sends nothing to a server that cannot prove its name', async () => {
    const realm = await realmAt(0, { url: [`ldaps://127.0.0.1:${encrypted.port}`] });
    await expect(answerOf(realm, 'alice', "alice's own")).rejects.toThrow('could not be used (connect');
    expect(encrypted.binds).toEqual([]);
  });

  it('nor to one that proves another name', async () => {
    const other = selfSigned('elsewhere.example.org');
    const [directory, front] = await Promise.all([openDirectory(other), openStartTls({ tls: other, to: plain.port })]);
    const elsewhere = { caCertificate: [other.base64] };
    const overTls = await realmAt(0, { url: [`ldaps://127.0.0.1:${directory.port}`], ...elsewhere });
    await expect(answerOf(overTls, 'alice', "alice's own")).rejects.toThrow('could not be used (connect');
    const started = await realmAt(front.port, { startTLS: true, ...elsewhere });
    await expect(answerOf(started, 'alice', "alice's own")).rejects.toThrow('could not be used (connect');
    expect([directory.binds, plain.binds]).toEqual([[], []]);
    await Promise.all([directory.close(), front.close()]);
  });

  it('of StartTLS, before anything is said', async () => {
    const front = await openStartTls({ tls, to: plain.port });
    const realm = await realmAt(front.port, { startTLS: true, ...trusted });
    expect(await answerOf(realm, 'alice', "alice's own")).toBe('account alice');
    expect(await answerOf(realm, 'alice', 'wrong')).toBe('wrong-password');
    expect(front.encrypted).toBe(3);
    expect(Buffer.concat(front.clear).toString('latin1')).not.toMatch(/reader|alice/);
    // A broken connection is not replaced by one without TLS.
    plain.disconnect();
    expect(await answerOf(realm, 'alice', "alice's own")).toBe('account alice');
    expect(Buffer.concat(front.clear).toString('latin1')).not.toMatch(/reader|alice/);
    await front.close();
  });

  it.each([
    ['is not trusted', {}, {}],
    ['refuses StartTLS', trusted, { refuses: true }],
    ['says yes and hangs', { ...trusted, timeout: 600 }, { hangs: true }],
    ['sends more in the clear', trusted, { injected: Uint8Array.of(0x30, 0x60, 0x02, 0x01, 0x03) }],
  ] as const)('of StartTLS: a server that %s gets nothing', async (_what, more, how) => {
    const front = await openStartTls({ tls, to: plain.port, ...how });
    const realm = await realmAt(front.port, { startTLS: true, ...more });
    await expect(answerOf(realm, 'alice', "alice's own")).rejects.toThrow();
    expect(plain.binds).toEqual([]);
    await front.close();
  });
});

describe('what cannot work is said at start', () => {
  it('where there is no client library, as on an edge', async () => {
    await expect(ldapLibrary('ldapts-is-not-here')).rejects.toThrow('Expected Node or Deno');
  });

  it.each([
    [{ url: [] }, 'Expected url'],
    [{ url: ['http://127.0.0.1'] }, 'Expected ldaps or ldap addresses'],
    [{ url: ['ldaps://me:secret@ldap.example.org'] }, 'without a name and password'],
    [{ url: ['ldap://ldap.example.org'] }, 'passwords would be readable'],
    [{ url: ['ldaps://ldap.example.org'], startTLS: true }, 'encrypted already'],
    [{ userBase: undefined }, 'Expected userBase, or userDnTemplate'],
    [{ bindPassword: secret('') }, 'Expected bindPassword'],
  ])('%j', async (given, sentence) => {
    await expect(realmAt(1, given)).rejects.toThrow(sentence);
  });

  it.each([
    ['userFilter', 'uid={0}'],
    ['userFilter', '(uid=x)'],
    ['userDnTemplate', 'uid=x'],
  ])('%s = %s', (name, value) => {
    expect(ldapRealm.properties?.[name]?.check?.(value)).toContain('Expected');
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
