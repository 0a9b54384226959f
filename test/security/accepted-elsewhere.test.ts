import { describe, expect, it } from 'vitest';
import { builtInSecurity } from '../../src/composition/service.ts';
import { hashPassword } from '../../src/identity/passwords/hash.ts';
import type { Realm } from '../../src/spi/index.ts';
import { newUser } from '../support/cast.ts';
import { openWorld, requestOf, type World } from '../support/matrix.ts';
import { testRandom } from '../support/random.ts';
import { admin, type Credentials, fastScrypt, type ServiceOptions } from '../support/service.ts';

const erin: Credentials = ['erin', 'the pass phrase of erin'];
const home = '198.51.100.7';
const stranger = '203.0.113.9';

const fileOf = (main: readonly string[], users: readonly string[]) => ({
  file: 'security.ini',
  plugins: [],
  text: [
    '[main]',
    'serviceRealm = portico.ServiceRealm',
    'tokenAuth = portico.TokenFilter',
    ...main,
    'strategy = org.apache.shiro.authc.pam.FirstSuccessfulStrategy',
    'securityManager.authenticator.authenticationStrategy = $strategy',
    '[users]',
    ...users,
    '[urls]',
    '/** = noSessionCreation, tokenAuth[permissive], authcBasic',
  ].join('\n'),
});

/** The service realm is asked first and refuses erin, whom the file knows. */
const serviceFirst = fileOf(['securityManager.realms = $serviceRealm, $iniRealm'], [`erin = ${erin[1]}`]);

const open = (options: ServiceOptions = {}): Promise<World> =>
  openWorld('fetch', { security: serviceFirst, ...options });

async function login(world: World, as: Credentials, address = home): Promise<number> {
  const sent = requestOf('http://portico.test', { as, request: 'GET /API/whoami' });
  return (await world.service.fetch(sent, { address })).status;
}

/** The statuses of these logins, and how many passwords were hashed for them. */
async function cost(world: World, times: number, as = erin): Promise<readonly [statuses: string, hashes: number]> {
  const before = world.scrypt.calls.length;
  const found = new Set<number>();
  for (let time = 0; time < times; time++) found.add(await login(world, as));
  return [[...found].join(), world.scrypt.calls.length - before];
}

describe('a login that the first realm refuses and a later one accepts', () => {
  it('hashes once for many requests, and again when the time is over', async () => {
    const world = await open({ settings: { rememberPasswordSeconds: 60 } });
    expect(await cost(world, 5)).toEqual(['200', 1]);
    await world.clock.advance(59_999);
    expect(await cost(world, 2)).toEqual(['200', 0]);
    await world.clock.advance(1);
    expect(await cost(world, 2)).toEqual(['200', 1]);
  });

  it('is remembered for no time where the setting says so', async () => {
    const world = await open({ settings: { rememberPasswordSeconds: 0 } });
    expect(await cost(world, 3)).toEqual(['200', 3]);
  });

  it('is remembered too where the first realm has slow hashes of its own', async () => {
    const stored = await hashPassword('of another', fastScrypt().compute, testRandom());
    const main = [
      'matcher = org.apache.shiro.authc.credential.PasswordMatcher',
      'iniRealm.credentialsMatcher = $matcher',
      'securityManager.realms = $iniRealm, $serviceRealm',
    ];
    const world = await open({ security: fileOf(main, [`carl = "${stored}"`]) });
    // Two hashes, one for each realm; an unknown name costs the file as much as a known one.
    expect(await cost(world, 4, admin)).toEqual(['200', 2]);
    await world.clock.advance(60_000);
    expect(await cost(world, 4, admin)).toEqual(['200', 2]);
  });

  it('asks a later realm on each request, so whom it no longer knows is out at once', async () => {
    let known = true;
    const realm: Realm = {
      supports: ({ kind }) => kind === 'password',
      authenticate: async () =>
        known ? { answer: 'account', account: { name: 'erin' } } : { answer: 'refused', reason: 'unknown-user' },
    };
    const plugin = {
      name: 'far',
      version: '1',
      contract: 1 as const,
      realms: { 'example.Far': { says: 'Far users.', create: () => realm } },
    };
    const file = fileOf(['far = example.Far', 'securityManager.realms = $serviceRealm, $far'], []);
    const world = await open({ security: { ...file, plugins: [plugin] } });
    expect(await cost(world, 3)).toEqual(['200', 1]);
    known = false;
    await login(world, erin);
    // The refusal as a whole is forgotten: such a guess costs what any other does.
    expect(await cost(world, 2)).toEqual(['401', 2]);
  });
});

describe('what was remembered of an accepted login lets nobody in', () => {
  it('with the old password, once a service user of that name has another one', async () => {
    const file = fileOf(['securityManager.realms = $serviceRealm'], []);
    const world = await open();
    expect(await cost(world, 2)).toEqual(['200', 1]);
    await world.send(newUser(['erin', 'password of the service user']));
    expect(await login(world, ['erin', 'password of the service user'])).toBe(200);
    expect(await cost(world, 2), 'compared with the new user, and accepted by the file').toEqual(['200', 1]);
    await world.service.reload(() => Promise.resolve(file));
    expect(await login(world, erin)).toBe(401);
  });

  it('and refuses nobody whose password in the service became this one', async () => {
    const world = await open();
    await world.send(newUser(['erin', 'first password of erin']));
    expect(await cost(world, 2)).toEqual(['200', 1]);
    const request = 'PUT /API/user/erin/password';
    const sent = await world.send({ as: admin, request, headers: { 'content-type': 'text/plain' }, body: erin[1] });
    expect(sent.status).toBe(200);
    await world.service.reload(() => Promise.resolve(builtInSecurity));
    expect(await login(world, erin)).toBe(200);
  });

  it('when the configuration no longer has the user', async () => {
    const world = await open();
    expect(await cost(world, 3)).toEqual(['200', 1]);
    const without = { ...serviceFirst, text: serviceFirst.text.replace(/^erin = .*$/m, 'fred = x') };
    await world.service.reload(() => Promise.resolve(without));
    expect(await cost(world, 3), 'nothing of the old configuration counts').toEqual(['401', 3]);
  });

  it('when the service user of that name is disabled', async () => {
    const world = await open();
    await world.send(newUser(['erin', 'password of the service user']));
    expect(await login(world, erin)).toBe(200);
    await world.send({ as: admin, request: 'DELETE /API/user/erin' });
    expect(await login(world, erin)).toBe(401);
  });

  it('with another password: each guess is hashed', async () => {
    const world = await open();
    await login(world, erin);
    expect(await cost(world, 3, ['erin', 'a guess'])).toEqual(['401', 3]);
    expect(await cost(world, 3, ['Erin', erin[1]])).toEqual(['401', 3]);
  });

  it('faster than others, while places are taken and the network is new', async () => {
    const world = await open({ settings: { passwordConcurrency: 1 } });
    await login(world, erin);
    const held = world.scrypt.hold();
    const busy = login(world, ['somebody', 'x'], '192.0.2.1');
    const before = world.scrypt.calls.length;
    expect(await login(world, erin), 'known from its network').toBe(200);
    const strange = login(world, erin, stranger);
    held.release();
    expect([await busy, await strange]).toEqual([401, 200]);
    expect(world.scrypt.calls.length - before).toBe(1);
  });

  it('past the throttle: a network that guessed waits, and the person at home does not', async () => {
    const free = 3;
    const world = await open({ settings: { loginFreeFailures: free } });
    expect(await cost(world, 2)).toEqual(['200', 1]);
    for (let i = 0; i < free; i++) expect(await login(world, ['erin', `guess ${i}`], stranger)).toBe(401);
    expect(await login(world, erin, stranger)).toBe(429);
    expect(await cost(world, 2)).toEqual(['200', 0]);
  });
});
