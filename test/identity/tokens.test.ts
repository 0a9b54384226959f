import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle, startOfTime } from '../support/clock.ts';
import { faultyDatabase } from '../support/databases.ts';
import { describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { itHolds, playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';
import { byToken, json, newToken, setProperty, switchTo, whoIs } from '../support/ways.ts';

const bob: Credentials = ['bob', 'password of bob'];
const people = [newUser(alice, [], { alias: ['al'] }), newUser(bob)];
const bearer = /^[\w-]{43}$/;

const forbidden = { status: 403, answers: { 'portico-error': 'role-missing' } } as const;
const tooLong = (seconds: string, rest: Partial<Scenario> = {}): Scenario => ({
  name: `refuses seconds=${seconds}`,
  as: alice,
  request: `GET /API/token?seconds=${encodeURIComponent(seconds)}`,
  headers: json,
  status: 400,
  says: { contains: ['"id":"seconds"'] },
  ...rest,
});

const rows: readonly Scenario[] = [
  {
    name: 'GET /token gives text to a caller who asks for text, and nobody on the way may keep it',
    as: alice,
    request: 'GET /API/token',
    headers: { accept: 'text/plain' },
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store' },
  },
  {
    name: 'GET /token gives XML to a caller who asks for nothing',
    as: alice,
    request: 'GET /API/token',
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8', 'cache-control': 'no-store' },
    says: {
      contains: ['<AuthenticationTokenDocument xmlns="urn:portico:schema"><token>', '</token><user>alice</user>'],
    },
  },
  {
    name: 'GET /token gives JSON, with the name of a caller who came in by an alias, and says when it ends',
    as: ['al', alice[1]],
    request: 'GET /API/token?seconds=60',
    headers: json,
    status: 200,
    answers: { 'content-type': 'application/json', 'portico-expires': '2030-01-01T00:01:00.000Z' },
    says: { jsonPart: { user: 'alice', token: expect.stringMatching(bearer) } },
  },
  {
    name: 'GET /user/{user}/token gives text to a caller who asks for nothing',
    as: alice,
    request: 'GET /API/user/alice/token',
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store' },
  },
  {
    name: 'the alias of the caller in the path is the caller',
    as: alice,
    request: 'GET /API/user/al/token',
    headers: json,
    status: 200,
    says: { jsonPart: { user: 'alice' } },
  },
  {
    name: "refuses somebody else's token",
    as: bob,
    request: 'GET /API/user/alice/token',
    ...forbidden,
  },
  {
    name: "refuses the token of somebody else's alias",
    as: bob,
    request: 'GET /API/user/al/token',
    ...forbidden,
  },
  {
    name: 'does not tell who is no administrator whether there is such a user',
    as: bob,
    request: 'GET /API/user/nobody/token',
    ...forbidden,
  },
  {
    name: "gives an administrator anybody's token",
    as: admin,
    request: 'GET /API/user/al/token',
    headers: json,
    status: 200,
    says: { jsonPart: { user: 'alice' } },
  },
  {
    name: 'tells an administrator that there is no such user',
    as: admin,
    request: 'GET /API/user/nobody/token',
    headers: json,
    status: 404,
    says: { jsonPart: { notFound: { type: 'User', id: 'nobody' } } },
  },
  { name: 'gives nobody a token who did not come in', request: 'GET /API/token', status: 401, says: { exact: '' } },
  ...['0', '-1', '1.5', 'abc', '1e2', '99999999999999999', '315360001'].map((seconds) => tooLong(seconds)),
  tooLong('61', {
    name: 'a minute is the most that a token lasts unless a property says otherwise: 61 seconds are refused',
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
    says: { contains: ['userTokenMaxInterval', 'Expected at most 60'] },
  }),
  tooLong('60', { name: 'a minute is allowed', status: 200, says: {} }),
  tooLong('', { name: 'seconds without a value are none', status: 200, says: {} }),
  tooLong('61', { name: 'administrators may ask for a longer life', as: admin, status: 200, says: {} }),
  {
    name: 'refuses an autoRefresh that is neither true nor false',
    as: alice,
    request: 'GET /API/token?autoRefresh=perhaps',
    headers: json,
    status: 400,
    says: { contains: ['"id":"autoRefresh"'] },
  },
  {
    name: 'refuses a token that was never given out, with a challenge of its scheme',
    request: 'GET /API/whoami',
    ...byToken('A'.repeat(43)),
    status: 401,
    answers: { 'www-authenticate': 'token realm="application"' },
    says: { exact: '' },
  },
];

async function expiryOf(world: World): Promise<number> {
  const [row] = await world.service.store.read('SELECT expires_at FROM token');
  return (Number(row![0]) - startOfTime) / 1000;
}

const countTokens = async (world: World): Promise<number> =>
  Number((await world.service.store.read('SELECT count(*) FROM token'))[0]![0]);

describeMatrix('tokens', (entry) => {
  itHolds(entry, rows, { given: people });

  async function open(): Promise<World> {
    const world = await entry.open();
    await prepare(world, people);
    return world;
  }

  /** Whether the token is good just before that second, and at it. */
  async function around(world: World, token: string, second: number): Promise<readonly string[]> {
    await world.clock.advance(startOfTime + second * 1000 - 1 - world.clock.now());
    const before = await whoIs(world, byToken(token));
    await world.clock.advance(1);
    return [before, await whoIs(world, byToken(token))];
  }

  it('a token is good for a minute, or for the seconds that were asked for', async () => {
    const world = await open();
    const [defaultValue, short] = [
      await newToken(world, { as: alice }),
      await newToken(world, { as: alice }, 'seconds=5'),
    ];
    expect(defaultValue).toMatch(bearer);
    expect(await around(world, short, 5)).toEqual(['alice', '401 expired-token']);
    expect(await around(world, defaultValue, 60)).toEqual(['alice', '401 expired-token']);
  });

  it('the lifetimes are those that the properties say when it is asked for', async () => {
    const world = await open();
    await prepare(world, [setProperty('userTokenDefaultInterval', 120), setProperty('userTokenMaxInterval', 600)]);
    const [defaultValue, max] = [
      await newToken(world, { as: alice }),
      await newToken(world, { as: alice }, 'seconds=600'),
    ];
    const refused = { name: '', as: alice, request: 'GET /API/token?seconds=601', status: 403 };
    await playScenario(world, refused);
    await prepare(world, [{ as: admin, request: 'DELETE /API/configuration/properties/userTokenMaxInterval' }]);
    await playScenario(world, { ...refused, request: 'GET /API/token?seconds=61' });
    expect(await around(world, defaultValue, 120)).toEqual(['alice', '401 expired-token']);
    expect(await around(world, max, 600)).toEqual(['alice', '401 expired-token']);
  });

  it('autoRefresh: used after 8 seconds the expiry stays, used after 16 it is at 76', async () => {
    const world = await open();
    const token = await newToken(world, { as: alice }, 'autoRefresh=true');
    expect(await expiryOf(world)).toBe(60);
    await world.clock.advance(8_000);
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await settle(20);
    expect(await expiryOf(world)).toBe(60);
    await world.clock.advance(8_000);
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await settle(20);
    expect(await expiryOf(world)).toBe(76);
    expect(await around(world, token, 76)).toEqual(['alice', 'alice']);
    await settle(20);
    expect(await expiryOf(world)).toBe(135.999);
  });

  it('autoRefresh: a token that nobody uses expires, and use does not bring it back', async () => {
    const world = await open();
    const token = await newToken(world, { as: alice }, 'autoRefresh=true');
    await world.clock.advance(60_000);
    expect(await whoIs(world, byToken(token))).toBe('401 expired-token');
    await settle(20);
    expect(await expiryOf(world)).toBe(60);
  });

  it('a token without autoRefresh keeps its expiry when it is used', async () => {
    const world = await open();
    const token = await newToken(world, { as: alice });
    await world.clock.advance(16_000);
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await settle(20);
    expect(await expiryOf(world)).toBe(60);
  });

  it.each([
    [0, [61, 62]],
    [30, [60, 60]],
  ])('userTokenRefreshInterval=%i says how often the expiry is moved', async (interval, expected) => {
    const world = await open();
    await prepare(world, [setProperty('userTokenRefreshInterval', interval)]);
    const token = await newToken(world, { as: alice }, 'autoRefresh=true');
    const seen: number[] = [];
    for (let use = 0; use < 2; use++) {
      await world.clock.advance(1_000);
      expect(await whoIs(world, byToken(token))).toBe('alice');
      await settle(20);
      seen.push(await expiryOf(world));
    }
    expect(seen).toEqual(expected);
  });

  it('refuses the token of a disabled user with 409 to an administrator', async () => {
    const world = await open();
    await switchTo(world, 'alice', false);
    await playScenario(world, {
      name: '',
      as: admin,
      request: 'GET /API/user/alice/token',
      headers: json,
      status: 409,
      answers: { 'portico-error': 'user-disabled' },
      says: { jsonPart: { conflict: { context: 'User', id: 'alice' } } },
    });
    expect(await countTokens(world)).toBe(0);
  });

  it('sweeps away some of what has expired with each token that is given out', async () => {
    const world = await open();
    for (let i = 0; i < 20; i++) await newToken(world, { as: alice }, 'seconds=1');
    await world.clock.advance(2_000);
    const left: number[] = [];
    for (let i = 0; i < 3; i++) {
      await newToken(world, { as: alice });
      left.push(await countTokens(world));
    }
    expect(left).toEqual([13, 6, 3]);
  });
});

it('a token, its revocation and its refresh are good on every instance, and survive a restart', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const openInstance = async () =>
    openWorld('fetch', { database: await openDatabase(`file:${join(directory.path, 'p.db')}`) });
  const one = await openInstance();
  await prepare(one, people);
  const token = await newToken(one, { as: alice }, 'autoRefresh=true');
  const two = await openInstance();
  expect(await whoIs(two, byToken(token))).toBe('alice');
  await two.clock.advance(20_000);
  expect(await whoIs(two, byToken(token))).toBe('alice');
  while ((await expiryOf(two)) !== 80) await settle();
  await one.clock.advance(70_000);
  expect(await whoIs(one, byToken(token)), 'refreshed by the other').toBe('alice');
  await prepare(one, [{ as: alice, request: 'DELETE /API/user/alice/tokens' }]);
  await settle();
  expect(await whoIs(two, byToken(token))).toBe('401 unknown-token');
});

it('many uses at once move the expiry once', async () => {
  const database = await migratedDatabase();
  let refreshes = 0;
  const write = database.write.bind(database);
  database.write = (statements) => {
    if (statements.some(({ sql }) => /update "?token"? /i.test(sql))) refreshes++;
    return write(statements);
  };
  const world = await openWorld('fetch', { database });
  await prepare(world, people);
  const token = await newToken(world, { as: alice }, 'autoRefresh=true');
  await world.clock.advance(10_000);
  await Promise.all(Array.from({ length: 50 }, () => whoIs(world, byToken(token))));
  await settle(20);
  expect([refreshes, await expiryOf(world)]).toEqual([1, 70]);
});

it('a use is good when the expiry cannot be written, and a later one moves it', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  await prepare(world, people);
  const token = await newToken(world, { as: alice }, 'autoRefresh=true');
  await world.clock.advance(20_000);
  database.fail('write');
  expect(await whoIs(world, byToken(token))).toBe('alice');
  await settle(20);
  expect(world.lines.some(({ event, level }) => event === 'token-not-refreshed' && level === 'warn')).toBe(true);
  database.mend();
  expect([await whoIs(world, byToken(token)), await expiryOf(world)]).toEqual(['alice', 60]);
  await world.clock.advance(1_000);
  await whoIs(world, byToken(token));
  await settle(20);
  expect(await expiryOf(world)).toBe(81);
});
