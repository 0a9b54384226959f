import { expect, it } from 'vitest';
import { switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { Plugin, Realm } from '../../src/spi/index.ts';
import { trusting } from '../filters/support.ts';
import { newGroup } from '../support/cast.ts';
import { claims, pair, signed } from '../support/keys.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { bearerIni, storeOAuth2, toldOf } from '../support/ways.ts';

/** Somebody else's directory, whose people a test can change. */
const people = new Map<string, { password: string; realName: string; groups: readonly string[] }>();

const directoryRealm: Realm = {
  supports: (credentials) => credentials.kind === 'password',
  authenticate(credentials) {
    if (credentials.kind !== 'password') return { answer: 'not-mine' };
    const person = people.get(credentials.user);
    if (person?.password !== credentials.password.reveal()) return { answer: 'refused', reason: 'wrong-password' };
    const { realName, groups } = person;
    return { answer: 'account', account: { name: credentials.user, attributes: { realName, groups } } };
  },
};

const plugin: Plugin = {
  name: 'directory',
  version: '1.0.0',
  contract: 1,
  realms: { 'test.DirectoryRealm': { says: 'People of a test.', create: () => directoryRealm } },
};

const ini = (enable: boolean): string => `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
directory = test.DirectoryRealm
info = portico.AttributeUserInfoProvider
creation = com.service.security.auth.UserCreationListener
creation.infoProvider = $info
creation.enableUserOnLogin = ${enable}
securityManager.realms = $serviceRealm, $directory
securityManager.authenticator.authenticationListeners = $creation
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`;

const security = (enable = false): SecurityInput => ({ text: ini(enable), file: 'security.ini', plugins: [plugin] });
const bea: Credentials = ['bea', 'her password there'];
const asBea = { as: bea, request: 'GET /API/whoami' };

function employ(realName = 'Bea B', groups: readonly string[] = ['crew']): void {
  people.set('bea', { password: bea[1], realName, groups });
}

const rows: readonly Scenario[] = [
  {
    name: 'creates the service user of a first login, with its group, in one commit',
    ...asBea,
    status: 200,
    says: { exact: 'bea' },
    events: [
      ['user/create', 'bea', { user: 'bea' }],
      ['group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedUser: 'bea' }],
    ],
  },
  { name: 'changes nothing at the next login', given: [asBea], ...asBea, status: 200, events: [] },
  {
    name: 'creates nobody by a wrong password',
    as: ['bea', 'x'],
    request: 'GET /API/whoami',
    status: 401,
    events: [],
  },
  {
    name: 'leaves users of the service realm alone',
    as: admin,
    request: 'GET /API/whoami',
    status: 200,
    events: [],
  },
];

describeMatrix('user creation', (entry) => {
  employ();
  itHolds(entry, rows, { security: security(), given: [newGroup('crew'), newGroup('cast')] });

  async function hired(enable = false): Promise<World> {
    employ();
    const world = await entry.open({ security: security(enable) });
    await prepare(world, [newGroup('crew'), newGroup('cast'), asBea]);
    return world;
  }

  it('brings real name and groups up to date', async () => {
    const world = await hired();
    const before = (await world.events()).at(-1)!.sequence;
    employ('Bea C', ['cast', 'nowhere']);
    expect((await world.send(asBea)).status).toBe(200);
    expect((await world.events(before)).map(({ name, entity }) => [name, entity])).toEqual([
      ['user/modify', 'bea'],
      ['group/modify', 'crew'],
      ['group/modify', 'cast'],
    ]);
    const { body } = await world.send({
      as: admin,
      request: 'GET /API/user/bea',
      headers: { accept: 'application/json' },
    });
    expect(JSON.parse(body)).toMatchObject({
      realName: 'Bea C',
      groupList: { group: [{ groupName: 'cast', role: false }] },
    });
    expect(world.lines.some(({ event }) => event === 'groups-unknown')).toBe(true);
  });

  it('takes away only what a login gave: an administrator puts a user in for good', async () => {
    const world = await hired();
    const groups = async () => {
      const request = 'GET /API/security/explain?user=bea';
      const { body } = await world.send({ as: admin, request, headers: { accept: 'application/json' } });
      return JSON.parse(body).group.map(({ through: _through, ...group }: { through: unknown }) => group);
    };
    const byLogin = { source: 'login', realm: 'directory' };
    expect(await groups()).toEqual([{ name: 'crew', ...byLogin, claim: 'groups: crew' }]);
    await prepare(world, [{ as: admin, request: 'PUT /API/group/cast/user/bea' }]);
    expect(await groups()).toMatchObject([{ name: 'cast', source: 'entered' }, { name: 'crew' }]);
    // The login says cast as well, which makes it no login's.
    employ('Bea B', ['cast', 'crew']);
    const before = await world.sequence();
    await prepare(world, [asBea]);
    expect(await groups()).toEqual([
      { name: 'cast', source: 'entered' },
      { name: 'crew', ...byLogin, claim: 'groups: crew' },
    ]);
    expect(await world.sequence(), 'no event, since no membership changed').toBe(before);
    employ('Bea B', []);
    await prepare(world, [asBea]);
    expect(await groups()).toEqual([{ name: 'cast', source: 'entered' }]);
    // A member by a login who is also put in by hand stays.
    employ('Bea B', ['crew']);
    await prepare(world, [asBea, { as: admin, request: 'PUT /API/group/crew/user/bea' }]);
    employ('Bea B', []);
    await prepare(world, [asBea]);
    expect((await groups()).map(({ name }: { name: string }) => name)).toEqual(['cast', 'crew']);
  });

  it('keeps a real name that an administrator gave', async () => {
    const world = await hired();
    const nameOf = async () => {
      const headers = { accept: 'application/json' };
      return JSON.parse((await world.send({ as: admin, request: 'GET /API/user/bea', headers })).body).realName;
    };
    await prepare(world, [
      { as: admin, request: 'PUT /API/user/bea/realname', body: 'Beatrice', headers: { 'content-type': 'text/plain' } },
    ]);
    employ('Bea C');
    await prepare(world, [asBea]);
    expect(await nameOf()).toBe('Beatrice');
  });

  it('makes no user beside one of the same name in another case, and tells why', async () => {
    const world = await hired();
    people.set('BEA', people.get('bea')!);
    expect((await world.send({ ...asBea, as: ['BEA', bea[1]] })).status).toBe(401);
    people.delete('BEA');
    const line = world.lines.findLast(({ event }) => event === 'listener-failed');
    expect(line).toMatchObject({
      listener: 'creation',
      error: expect.stringContaining('Expected a user name that no user has in another case'),
    });
    world.expectErrors('listener-failed');
  });

  it.each([
    [false, 401],
    [true, 200],
  ])('enableUserOnLogin = %s answers a disabled user with %i', async (enable, status) => {
    const world = await hired(enable);
    const { store } = world.service;
    const row = await findUser(store, { name: 'bea' });
    await store.commit(switchUser(row!, false), { user: 'test' });
    expect((await world.send(asBea)).status).toBe(status);
  });

  it('first logins at the same time make one user', async () => {
    employ();
    const world = await entry.open({ security: security() });
    await prepare(world, [newGroup('crew')]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.send(asBea)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await world.events()).filter(({ name }) => name === 'user/create')).toHaveLength(2);
  });

  it('is told at start that bearer logins never create users', async () => {
    const world = await entry.open();
    const text = ini(false).replace(
      '[urls]',
      'oauth2Auth = com.service.security.auth.BearerAuthenticationFilter\noauth2Auth.tokenUser = sub\n[urls]',
    );
    const { findings } = await world.service.configure({ ...security(), text });
    expect(findings.map(({ message }) => message).join('\n')).toMatch(/bearer/i);
  });

  it('a listener hears of no bearer login, and nobody is created by one', async () => {
    const heard: string[] = [];
    const greedy: Plugin = {
      name: 'greedy',
      version: '1.0.0',
      contract: 1,
      listeners: {
        'test.Greedy': {
          says: 'Creates users who log in.',
          create: () => ({
            onSuccess: async ({ name }, _login, { users }) => {
              heard.push(name);
              await users.createOrUpdate({ userName: name }, { enable: true });
            },
          }),
        },
      },
    };
    const listening = ['greedy = test.Greedy', 'securityManager.authenticator.authenticationListeners = $greedy'];
    const world = await entry.open({ security: bearerIni(listening, [greedy]) });
    await storeOAuth2(world, trusting(pair('P-256')));
    const before = (await world.events()).length;
    const carol = signed(pair('P-256'), claims({ user: 'carol' }));
    expect(await toldOf(world, carol)).toBe('401 user-unknown');
    expect(await toldOf(world, signed(pair('P-256'), claims({ user: 'admin' })))).toBe('200 admin');
    expect([heard, (await world.events()).length]).toEqual([[], before]);
  });
});
