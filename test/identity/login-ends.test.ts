import { describe, expect, it } from 'vitest';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { Plugin, Realm } from '../../src/spi/index.ts';
import { trusting } from '../filters/support.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle } from '../support/clock.ts';
import { claims, pair, signed } from '../support/keys.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { openReceiver } from '../support/receiver.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials, type ServiceOptions } from '../support/service.ts';
import {
  browserAt,
  byToken,
  cookieOf,
  type How,
  logIn,
  newToken,
  sendWell,
  setProperty,
  storeOAuth2,
  who,
  whoIs,
} from '../support/ways.ts';

const second = 1000;
const hour = 3_600_000;
const week = 604_800;
const bearer = (token: string): How => ({ headers: { authorization: `Bearer ${token}` } });
const key = pair('P-256');

async function open(options: ServiceOptions = {}): Promise<World> {
  const world = await openWorld('fetch', options);
  await prepare(world, [newUser(alice)]);
  await world.send(setProperty('userTokenMaxInterval', week));
  return world;
}

/** A JWT of alice that ends in so many seconds. */
async function jwtFor(world: World, seconds: number, user = 'alice'): Promise<How> {
  await storeOAuth2(world, trusting(key));
  const exp = Math.floor(world.clock.now() / second) + seconds;
  return bearer(signed(key, { ...claims(), user, exp }));
}

/** Seconds for which a token works that is asked for a week. */
async function lifeOf(world: World, how: How, query = `seconds=${week}&autoRefresh=true`): Promise<number> {
  const headers = { ...how.headers, accept: 'text/plain' };
  const { headers: answered } = await sendWell(world, { ...how, headers, request: `GET /API/token?${query}` });
  return (Date.parse(answered.get('portico-expires')!) - world.clock.now()) / second;
}

async function sessionOf(world: World, how: { authorization: string }): Promise<{ cookie: string; age: string }> {
  const headers = { ...ofPage, ...how };
  const answer = await browserAt(world)({ request: 'POST /API/session?stay=true', headers });
  expect(answer.status).toBe(204);
  return { cookie: cookieOf(answer), age: /Max-Age=(\d+)/.exec(answer.headers.get('set-cookie')!)![1]! };
}
const ofPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'portico-ui': '1' };

const whoHas = (world: World, cookie: string): Promise<string> => who(browserAt(world), cookie);

describe('a thief with a bearer token of 3 s', () => {
  it('gets no token that works longer, were it used, refreshed and exchanged for others all the time', async () => {
    const world = await open();
    const how = await jwtFor(world, 3);
    expect(await lifeOf(world, how)).toBe(3);
    const token = await newToken(world, how, `seconds=${week}&autoRefresh=true`);
    await world.send(setProperty('userTokenRefreshInterval', 0));
    let newest = token;
    for (const who of ['alice', 'alice', '401 expired-token']) {
      expect([await whoIs(world, byToken(token)), await whoIs(world, byToken(newest))]).toEqual([who, who]);
      if (who === 'alice') newest = await newToken(world, byToken(newest), `seconds=${week}&autoRefresh=true`);
      await settle();
      await world.clock.advance(1.5 * second);
    }
  });

  it('gets no session that works longer, nor a token of that session', async () => {
    const world = await open();
    const { headers } = await jwtFor(world, 3);
    const { cookie, age } = await sessionOf(world, headers as { authorization: string });
    const made = await browserAt(world)({
      request: `GET /API/token?seconds=${week}`,
      cookie,
      headers: { ...ofPage, accept: 'text/plain' },
    });
    const token = await made.text();
    expect([age, await whoHas(world, cookie), await whoIs(world, byToken(token))]).toEqual(['3', 'alice', 'alice']);
    await world.clock.advance(3 * second);
    expect([await whoHas(world, cookie), await whoIs(world, byToken(token))]).toEqual(['401', '401 expired-token']);
  });

  it('gets none at all once it has expired, though the skew of clocks still lets its requests in', async () => {
    const world = await open();
    const how = await jwtFor(world, 3);
    await world.clock.advance(10 * second);
    expect(await whoIs(world, how)).toBe('alice');
    for (const request of ['GET /API/token', 'GET /API/user/alice/token']) {
      const { status, body } = await world.send({ ...how, request });
      expect([status, body]).toEqual([403, expect.stringContaining('Expected a login that has not ended')]);
    }
    expect(await world.service.store.read('SELECT 1 FROM token')).toEqual([]);
  });

  it('of an administrator gets no longer token of anybody else, nor in the name of somebody', async () => {
    const world = await open();
    const how = await jwtFor(world, 3, 'admin');
    for (const sent of [
      { ...how, request: `GET /API/user/alice/token?seconds=${week}` },
      { headers: { ...how.headers, runas: 'alice' }, request: `GET /API/token?seconds=${week}` },
    ]) {
      const { headers } = await sendWell(world, sent);
      expect(Date.parse(headers.get('portico-expires')!) - world.clock.now()).toBe(3 * second);
    }
  });
});

it('a token that a provider vouches for begins what ends with the exp of its answer', async () => {
  const endpoint = await openReceiver();
  const world = await open({ settings: { outboundAllow: ['127.0.0.1'] } });
  await storeOAuth2(world, { validationEndpoint: `${endpoint.address}/userinfo`, tokenUser: 'name' });
  endpoint.script(
    { body: JSON.stringify({ name: 'alice', exp: world.clock.now() / second + 30 }) },
    { body: JSON.stringify({ name: 'alice' }) },
  );
  expect(await lifeOf(world, bearer('opaque'))).toBe(30);
  await world.clock.advance(10 * second);
  expect(await lifeOf(world, bearer('opaque'))).toBe(20);
  // Without an end in the answer, the setting decides.
  expect(await lifeOf(world, bearer('other'))).toBe(12 * 3600);
  await endpoint.close();
});

const bea: Credentials = ['bea', 'her password there'];

/** A directory of a plugin that knows bea. */
function directory(realm: Partial<Realm>, ends?: () => number): SecurityInput {
  const asked: Realm = {
    supports: ({ kind }) => kind === 'password',
    authenticate: (given) =>
      given.kind === 'password' && given.user === bea[0] && given.password.reveal() === bea[1]
        ? { answer: 'account', account: { name: 'alice', ...(ends && { ends: ends() }) } }
        : { answer: 'refused', reason: 'wrong-password' },
    ...realm,
  };
  const realms = { 'test.Directory': { says: 'People of a test.', create: () => asked } };
  const plugin: Plugin = { name: 'directory', version: '1.0.0', contract: 1, realms };
  const text = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
directory = test.Directory
securityManager.realms = $serviceRealm, $directory
[urls]
/** = noSessionCreation, tokenAuth[permissive], sessionAuth[permissive], authcBasic
`;
  return { text, file: 'security.ini', plugins: [plugin] };
}

describe('a login that another realm accepts', () => {
  it.each<readonly [string, Partial<Realm>, number]>([
    ['the time for which the realm remembers it', { rememberFor: 60_000 }, 60],
    ['the time that the realm says, before that', { rememberFor: 60_000, loginFor: 2 * hour }, 7200],
    ['twelve hours, where the realm says nothing', {}, 43_200],
  ])('begins tokens and sessions that end after %s', async (_what, realm, seconds) => {
    const world = await open({ security: directory(realm) });
    expect(await lifeOf(world, { as: bea })).toBe(seconds);
    const cookie = await logIn(browserAt(world), bea, '?stay=true');
    const token = await newToken(world, { as: bea }, `seconds=${week}`);
    await world.clock.advance(seconds * second - 1);
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await world.clock.advance(1);
    expect([await whoHas(world, cookie), await whoIs(world, byToken(token))]).toEqual(['401', '401 expired-token']);
  });

  it('counts from the answer of the realm, and not from a use of what is remembered of it', async () => {
    const world = await open({ security: directory({ rememberFor: 60_000 }) });
    expect(await lifeOf(world, { as: bea })).toBe(60);
    await world.clock.advance(50 * second);
    expect(await lifeOf(world, { as: bea })).toBe(10);
  });

  it('ends when the realm says, and is refused after that', async () => {
    const ends = { at: 0 };
    const world = await open({ security: directory({}, () => ends.at) });
    ends.at = world.clock.now() + 5 * second;
    expect(await lifeOf(world, { as: bea })).toBe(5);
    await world.clock.advance(5 * second);
    expect(await whoIs(world, { as: bea })).toBe('401 login-ended');
  });

  it('PORTICO_REALM_LOGIN_SECONDS says when a realm without an end is asked again', async () => {
    const world = await open({ security: directory({}), settings: { realmLoginSeconds: 90 } });
    expect(await lifeOf(world, { as: bea })).toBe(90);
  });
});

it('a login by a password of this service has no end: tokens last as long as they are asked for', async () => {
  const world = await open();
  for (const as of [alice, admin]) expect(await lifeOf(world, { as })).toBe(week);
  const token = await newToken(world, { as: alice }, 'seconds=60');
  expect(await lifeOf(world, byToken(token))).toBe(week);
});
