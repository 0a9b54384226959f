import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../../../src/core/store/local/local-database.ts';
import { connect } from '../../../src/entry/native/connection.ts';
import { addProvisioned } from '../../../src/extensions/scim/migrations/0002-provisioned.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { cookieIn, failed, groupsOf, type Opened, open, origin, reasonOf, refused, told } from './support.ts';

const joins = 'keycloak.joinsUsers = provisioned';
const scim: Credentials = ['provider', 'password of provider'];

/** A service with a provider that brings people by SCIM, and logs them in by OpenID Connect. */
async function openBoth(statements: readonly string[] = [joins]) {
  const opened = await open(statements);
  const { world } = opened;
  const send = async (as: Credentials, line: string, type: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { host: 'portico.test', authorization: `Basic ${btoa(as.join(':'))}`, 'content-type': type };
    const request = new Request(`${origin}/API${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await world.service.fetch(request, { secure: true });
    const text = await answer.text();
    return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  const call = (line: string, body?: object) => send(admin, line, 'application/json', body);
  const ask = (line: string, body?: object) =>
    send(scim, line.replace(' ', ' /scim/v2'), 'application/scim+json', body);
  await call('POST /user', { userName: scim[0], password: scim[1], groupList: { group: [{ groupName: '_scim' }] } });
  await call('PUT /group/desk');
  const bring = async (userName: string, more: object = {}) => ask('POST /Users', { schemas: [], userName, ...more });
  return { ...opened, call, ask, send, bring };
}

const nameOf = async ({ world }: Pick<Opened, 'world'>, user: string): Promise<unknown> =>
  (await world.service.store.read('SELECT real_name FROM user WHERE name = ?', [user]))[0]?.[0];

describe('a user whom a provider brings by SCIM', () => {
  it('logs in by OpenID Connect, in any case of the name, and keeps the names and groups that SCIM gave', async () => {
    const both = await openBoth();
    const { bring, ask, login, who, provider } = both;
    const { json: anna } = await bring('Anna', { displayName: 'Anna by SCIM' });
    await ask('POST /Groups', { displayName: 'archive', members: [{ value: anna.id }] });
    const entered = await login();
    expect(told(entered)).toBe('303 /ui/library');
    expect(await who(cookieIn(entered))).toBe('Anna');
    expect(await groupsOf(both, 'Anna')).toEqual(['_item_read', '_user', 'archive']);
    expect(await nameOf(both, 'Anna')).toBe('Anna by SCIM');
    // The next login gives less: it takes away what the first one gave, and nothing else.
    provider.behaviour.person = { ...provider.behaviour.person, groups: [], name: 'Anna by login' };
    expect(told(await login())).toBe('303 /ui/library');
    expect(await groupsOf(both, 'Anna')).toEqual(['_user', 'archive']);
    expect(await nameOf(both, 'Anna')).toBe('Anna by SCIM');
  });

  it('stays in a group that a login gave first and SCIM gives as well', async () => {
    const both = await openBoth(['people.copyRoles = false', 'people.groupNames = staff:desk', joins]);
    const { bring, ask, login, provider } = both;
    const { json: anna } = await bring('anna');
    await login();
    expect(await groupsOf(both, 'anna')).toEqual(['_user', 'desk']);
    const { json } = await ask('GET /Groups?filter=displayName%20eq%20%22desk%22');
    const members = [{ value: anna.id }];
    await ask(`PATCH /Groups/${json.Resources[0].id}`, {
      Operations: [{ op: 'add', path: 'members', value: members }],
    });
    provider.behaviour.person = { ...provider.behaviour.person, groups: [] };
    await login();
    expect(await groupsOf(both, 'anna')).toEqual(['_user', 'desk']);
  });

  it('is one person: the next account of the name does not come in, nor does one without a user of SCIM', async () => {
    const both = await openBoth();
    const { bring, call, login, provider, world } = both;
    await bring('anna');
    expect(told(await login())).toBe('303 /ui/library');
    const { person } = provider.behaviour;
    provider.behaviour.person = { ...person, sub: '4712' };
    provider.behaviour.userInfo = { sub: '4712' };
    expect(told(await login())).toBe(refused);
    expect(reasonOf(both)).toBe('user-exists');
    await call('POST /user', { userName: 'berit' });
    provider.behaviour.person = { ...person, sub: '4713', preferred_username: 'berit' };
    expect(told(await login())).toBe(refused);
    expect(world.lines.findLast(({ event }) => event === 'login-not-finished')).toMatchObject({
      reason: 'user-exists',
      user: 'berit',
    });
  });

  it('two accounts log in at once as the user: the one whose login is stored second stays out', async () => {
    const both = await openBoth();
    both.world.expectErrors('login-not-finished');
    await both.bring('anna');
    // The login of the other account is stored after this one was looked at: this one brings groups of its own.
    const sql = `CREATE TRIGGER other_first AFTER INSERT ON group_user BEGIN
      INSERT OR IGNORE INTO login_person (person, user_id, provider, since) VALUES ('another', NEW.user_id, 'keycloak', 0);
    END`;
    await both.world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
    const entered = await both.login();
    expect(told(entered)).toBe(failed);
    expect(await both.who(cookieIn(entered))).toBe('401');
    expect(await both.world.service.store.read('SELECT person FROM login_person')).toEqual([['another']]);
  });

  it('is refused while the file does not say that accounts enter such users', async () => {
    const both = await openBoth([]);
    await both.bring('anna');
    expect(told(await both.login())).toBe(refused);
    expect(reasonOf(both)).toBe('user-exists');
  });
});

describe('a local user whom a provider writes to by SCIM', () => {
  const account = (name: string, sub: string) => ({ sub, preferred_username: name });
  const rename = (value: string) => ({ Operations: [{ op: 'replace', path: 'displayName', value }] });

  /** Someone with a password here, whom the provider has changed. */
  async function openChanged(...change: readonly [method: string, body: object]) {
    const both = await openBoth();
    const { call, ask, provider } = both;
    await call('POST /user', { userName: 'berit', password: 'password of berit' });
    const { json } = await ask('GET /Users?filter=userName%20eq%20%22berit%22');
    const [method, body] = change;
    expect((await ask(`${method} /Users/${json.Resources[0].id}`, body)).status).toBe(200);
    const { person } = provider.behaviour;
    const comeAs = (name: string, sub: string) => {
      provider.behaviour.person = { ...person, ...account(name, sub) };
      provider.behaviour.userInfo = { sub };
      return both.login();
    };
    return { ...both, comeAs };
  }

  it.each([
    ['PATCH', rename('B')],
    ['PATCH', { Operations: [{ op: 'add', path: 'externalId', value: 'x' }] }],
    ['PUT', { userName: 'berit', externalId: 'x', emails: [{ value: 'b@example.com' }] }],
  ])('a token of SCIM opens the user to an account by %s %j: refused', async (method, body) => {
    const both = await openChanged(method, body);
    expect(told(await both.comeAs('berit', '4713'))).toBe(refused);
    expect(reasonOf(both)).toBe('user-exists');
  });

  it('logs in through the provider once an administrator says so, and is closed again on their word', async () => {
    const both = await openChanged('PATCH', rename('B'));
    const { call, ask, send, comeAs, who } = both;
    expect((await send(scim, 'PUT /user/berit/provisioned', 'application/json')).status).toBe(403);
    expect((await call('PUT /user/berit/provisioned')).status).toBe(200);
    // A later change by SCIM takes nothing back.
    const { json } = await ask('GET /Users?filter=userName%20eq%20%22berit%22');
    await ask(`PATCH /Users/${json.Resources[0].id}`, rename('C'));
    expect((await call('DELETE /user/berit/provisioned')).status).toBe(200);
    expect(told(await comeAs('berit', '4713'))).toBe(refused);
    await call('PUT /user/berit/provisioned');
    expect(await who(cookieIn(await comeAs('berit', '4713')))).toBe('berit');
    // The user is one person.
    expect(told(await comeAs('berit', '4714'))).toBe(refused);
  });

  it('was there before the update: a user with a password is closed, one without stays open', async () => {
    const database = memoryDatabase(connect(':memory:', { busyTimeout: 0 }));
    const run = (sql: string) => database.write([{ sql, args: [] }]);
    await run('CREATE TABLE user (id TEXT PRIMARY KEY, password TEXT)');
    await run('CREATE TABLE scim_user (user_id TEXT PRIMARY KEY)');
    await run(`INSERT INTO user VALUES ('VX-1', 'hash'), ('VX-2', NULL), ('VX-3', NULL)`);
    await run(`INSERT INTO scim_user VALUES ('VX-1'), ('VX-2')`);
    for (const sql of addProvisioned.statements) await run(sql);
    expect(await database.read('SELECT user_id, provisioned FROM scim_user ORDER BY user_id')).toEqual([
      ['VX-1', 0],
      ['VX-2', 1],
    ]);
  });
});

describe('names of new users, regardless of case', () => {
  it('SCIM makes no Admin beside admin, and renames nobody to it', async () => {
    const { ask, bring } = await openBoth();
    expect((await bring('Admin')).json).toMatchObject({ status: '409', scimType: 'uniqueness' });
    const { json } = await bring('anna');
    const operations = [{ op: 'replace', path: 'userName', value: 'ADMIN' }];
    expect((await ask(`PATCH /Users/${json.id}`, { Operations: operations })).status).toBe(409);
    // A user's own name in another case is no conflict.
    const own = [{ op: 'replace', path: 'userName', value: 'ANNA' }];
    expect((await ask(`PATCH /Users/${json.id}`, { Operations: own })).json).toMatchObject({ userName: 'ANNA' });
    const found = await ask('GET /Users?filter=userName%20eq%20%22Admin%22');
    expect(found.json.Resources[0]).toMatchObject({ userName: 'admin' });
  });

  it('a login makes no Admin beside admin', async () => {
    const both = await openBoth([]);
    both.provider.behaviour.person = { ...both.provider.behaviour.person, preferred_username: 'Admin' };
    expect(told(await both.login())).toBe(refused);
    expect(reasonOf(both)).toBe('user-exists');
    expect(await nameOf(both, 'Admin')).toBeUndefined();
  });

  it('a caller of the API makes both: names of the API have a case', async () => {
    const { call } = await openBoth();
    expect((await call('POST /user', { userName: 'Admin' })).status).toBe(200);
  });
});
