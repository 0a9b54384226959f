import { describe, expect, it } from 'vitest';
import { networkOf } from '../../src/core/lib/address.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import { FamiliarNetworks } from '../../src/identity/passwords/familiar.ts';
import { Throttle } from '../../src/identity/passwords/throttle.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle, testClock } from '../support/clock.ts';
import { openWorld, requestOf, type Sent, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials, type ServiceOptions } from '../support/service.ts';
import { byToken, type How, newKey, newToken } from '../support/ways.ts';

const free = 5;
const bob: Credentials = ['bob', 'password of bob'];
const home = '198.51.100.7';
const stranger = '203.0.113.9';

/** Five wrong passwords are free, and every right one is hashed again: nothing but the throttle remembers it. */
async function open(settings: ServiceOptions['settings'] = {}): Promise<World> {
  const world = await openWorld('fetch', {
    settings: { loginFreeFailures: free, rememberPasswordSeconds: 0, ...settings },
  });
  await prepare(world, [newUser(alice), newUser(bob)]);
  return world;
}

const sendFrom = async (world: World, address: string, sent: Sent) =>
  world.service.fetch(requestOf('http://portico.test', sent), { address });

/** 200, 401, or how long to wait. */
async function login(world: World, address: string, how: How | Credentials): Promise<number | string> {
  const sent = Array.isArray(how) ? { as: how as Credentials } : (how as How);
  const { status, headers } = await sendFrom(world, address, { ...sent, request: 'GET /API/whoami' });
  return status === 429 ? `429 ${headers.get('retry-after')}` : status;
}

let serial = 0;
const wrong = (user = 'alice'): Credentials => [user, `guess ${serial++}`];

async function guess(world: World, address: string, times: number, user?: string): Promise<void> {
  for (let time = 0; time < times; time++) await login(world, address, wrong(user));
}

const metricOf = async (world: World, name: string): Promise<number> => {
  const text = world.service.metrics.render();
  return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
};

describe('guessing the password of one account', () => {
  it('is slowed down from the thirtieth wrong one on, unless a setting says otherwise', async () => {
    const world = await openWorld('fetch');
    const seen: (number | string)[] = [];
    for (let time = 0; time < 31; time++) seen.push(await login(world, stranger, wrong('admin')));
    expect(seen).toEqual([...new Array(30).fill(401), '429 1']);
  });

  it('waits a second, then twice as long each time, up to the longest pause', async () => {
    const world = await open({ loginDelayMost: 60 });
    await guess(world, stranger, free);
    const waits: (number | string)[] = [];
    for (let round = 0; round < 8; round++) {
      const told = await login(world, stranger, wrong());
      waits.push(told);
      const seconds = Number(String(told).split(' ')[1]);
      await world.clock.advance(seconds * 1000 - 1);
      expect(await login(world, stranger, alice), 'not a moment before').toMatch(/^429 1$/);
      await world.clock.advance(1);
      expect(await login(world, stranger, wrong()), 'looked at, once').toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => `429 ${seconds}`));
  });

  it('costs no hash during a pause, and tells right from wrong by nothing', async () => {
    const world = await open();
    await guess(world, stranger, free);
    const before = world.scrypt.calls.length;
    const shape = async (as: Credentials) => {
      const answer = await sendFrom(world, stranger, { as, request: 'GET /API/whoami' });
      const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id');
      return [answer.status, headers, await answer.text()];
    };
    expect(await shape(alice)).toEqual(await shape(wrong()));
    expect(world.scrypt.calls.length - before).toBe(0);
  });

  it('is over when it was the person: a right password begins again', async () => {
    const world = await open();
    await guess(world, home, free - 1);
    expect(await login(world, home, alice)).toBe(200);
    await guess(world, home, free - 1);
    expect(await login(world, home, alice)).toBe(200);
  });

  it('is forgotten after a quarter of an hour without another', async () => {
    const world = await open();
    await guess(world, stranger, free - 1);
    await world.clock.advance(15 * 60_000);
    await guess(world, stranger, free - 1);
    expect(await login(world, stranger, wrong())).toBe(401);
  });

  it('never waits where the longest pause is none', async () => {
    const world = await open({ loginDelayMost: 0 });
    await guess(world, stranger, free * 60);
    expect(await login(world, stranger, alice)).toBe(200);
  });

  it('is not helped by sending them all at once', async () => {
    const world = await open({ passwordConcurrency: 1 });
    const before = world.scrypt.calls.length;
    const held = world.scrypt.hold();
    const answers = Array.from({ length: 50 }, () => login(world, stranger, wrong()));
    await settle(20);
    held.release();
    const seen = await Promise.all(answers);
    expect(seen.filter((told) => told === 401)).toHaveLength(free);
    expect(seen.filter((told) => told === '429 1')).toHaveLength(50 - free);
    expect(world.scrypt.calls.length - before).toBe(free);
  });

  it('is not what a client does that sends the right password many times at once', async () => {
    const world = await open();
    const held = world.scrypt.hold();
    const answers = Array.from({ length: 50 }, () => login(world, home, alice));
    await settle(20);
    held.release();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  });

  it.each(['ALICE', 'aLiCe', ' alice', 'alice ', '\uff41lice'])(
    'is not helped by writing the name as %j',
    async (name) => {
      const world = await open();
      await guess(world, stranger, free, name);
      expect(await login(world, stranger, wrong())).toBe('429 1');
    },
  );

  it('through PUT /user/{user}/validate is slowed down the same, and the caller is not', async () => {
    const world = await open();
    const validate = (body: string) => ({ as: admin, request: 'PUT /API/user/alice/validate', body });
    await sendFrom(world, home, { as: admin, request: 'GET /API/whoami' });
    const seen: number[] = [];
    for (let time = 0; time <= free; time++) seen.push((await sendFrom(world, home, validate(`guess ${time}`))).status);
    expect(seen).toEqual([...new Array(free).fill(403), 429]);
    expect((await sendFrom(world, home, validate(alice[1]))).status).toBe(429);
    expect(await login(world, home, admin)).toBe(200);
    await world.clock.advance(1_000);
    expect((await sendFrom(world, home, validate(alice[1]))).status).toBe(200);
  });
});

describe('nobody is shut out', () => {
  it('a person goes on who came in from there with that password, while somebody else guesses there', async () => {
    const world = await open();
    expect(await login(world, home, alice)).toBe(200);
    for (let round = 0; round < 10; round++) {
      await guess(world, home, 50);
      expect(await login(world, home, wrong())).toMatch(/^429/);
      expect(await login(world, home, alice)).toBe(200);
    }
  });

  it('a person is not held up by guesses from other networks, however many', async () => {
    const world = await open();
    expect(await login(world, home, alice)).toBe(200);
    for (let network = 0; network < 60; network++) await guess(world, `192.0.2.${network}`, 2);
    expect(await login(world, stranger, alice), 'a new network waits').toMatch(/^429 [1-5]$/);
    expect(await login(world, home, wrong()), 'the known one is looked at').toBe(401);
    expect(await login(world, home, alice)).toBe(200);
  });

  it('a pause that strangers elsewhere cause lasts five seconds at most', async () => {
    const world = await open();
    for (let network = 0; network < 250; network++) {
      await guess(world, `192.0.2.${network}`, 1);
      await world.clock.advance(5_000);
    }
    await guess(world, '192.0.2.251', 1);
    expect(await login(world, stranger, alice)).toBe('429 5');
    await world.clock.advance(5_000);
    expect(await login(world, stranger, alice)).toBe(200);
  });

  it('tokens and access keys never wait, nor are their failures counted', async () => {
    const world = await open();
    const key = await newKey(world, 'alice');
    const token = await newToken(world, { as: alice });
    for (let account = 0; account < free * 50; account++) await guess(world, home, 1, `account-${account}`);
    expect(await login(world, home, bob)).toMatch(/^429/);
    for (let time = 0; time < 100; time++) {
      expect(await login(world, home, [key.id, `wrong ${time}`])).toBe(401);
      expect(await login(world, home, byToken(`wrong-${time}`))).toBe(401);
    }
    expect([await login(world, home, key.pair), await login(world, home, byToken(token))]).toEqual([200, 200]);
  });

  it('no table is filled by names of access keys that somebody makes up, which cost no hash', async () => {
    const world = await open();
    const name = (i: number) =>
      `VSID${i
        .toString()
        .replace(/\d/g, (digit) => 'ABCDEFGHJK'[Number(digit)]!)
        .padStart(16, 'A')}`;
    for (let time = 0; time < 100; time++) expect(await login(world, stranger, [name(time), 'x'])).toBe(401);
    expect(await metricOf(world, 'portico_login_failures')).toBe(0);
  });
});

describe('guessing beside somebody who is in', () => {
  it('from another network finds out nothing during a pause, though that password is remembered', async () => {
    const world = await open({ rememberPasswordSeconds: 3600 });
    expect(await login(world, home, alice)).toBe(200);
    await guess(world, stranger, free);
    expect(await login(world, stranger, alice)).toBe('429 1');
    expect(await login(world, home, alice)).toBe(200);
  });

  it('from the same network has a thousand tries in a quarter of an hour, not as many as go through', async () => {
    const world = await open({ rememberPasswordSeconds: 3600, loginDelayMost: 3600 });
    const token = await newToken(world, { as: alice }, '');
    expect(await login(world, home, alice)).toBe(200);
    await guess(world, home, free + 15);
    await world.clock.advance(1);
    await guess(world, home, 985 - 1);
    expect(await login(world, home, alice)).toBe(200);
    await guess(world, home, 1 + 15);
    expect(await login(world, home, alice), 'as for anybody').toMatch(/^429/);
    expect(await login(world, home, byToken(token)), 'a token goes on').toBe(200);
    await world.clock.advance(15 * 60_000);
    expect(await login(world, home, alice)).toBe(200);
  });

  it('finds out nothing by keeping the queue full, where a wrong password is 503 and a remembered one 200', async () => {
    const world = await open({ rememberPasswordSeconds: 3600, passwordConcurrency: 1, passwordQueue: 1 });
    expect(await login(world, home, alice)).toBe(200);
    const held = world.scrypt.hold();
    const queue = [login(world, '192.0.2.1', wrong('a')), login(world, '192.0.2.2', wrong('b'))];
    await settle(20);
    const seen: (number | string)[] = [];
    for (let time = 0; time < free; time++) seen.push(await login(world, stranger, wrong()));
    expect(seen).toEqual(new Array(free).fill(503));
    expect(await login(world, stranger, alice), 'the right one').toBe(503);
    expect(await login(world, home, alice), 'from where its user is in').toBe(200);
    held.release();
    await Promise.all(queue);
  });
});

describe('guessing at many accounts', () => {
  it('from one network is slowed down, two seconds at most', async () => {
    const world = await open();
    for (let account = 0; account < free * 50; account++)
      await login(world, stranger, [`account-${account}`, 'Spring2030']);
    expect(await login(world, stranger, bob)).toMatch(/^429 [12]$/);
    expect(await login(world, home, bob), 'no other network').toBe(200);
    await world.clock.advance(2_000);
    expect(await login(world, stranger, bob)).toBe(200);
  });

  it('does not hold up a person who came in from that network before', async () => {
    const world = await open();
    expect(await login(world, stranger, bob)).toBe(200);
    for (let account = 0; account < free * 50; account++)
      await login(world, stranger, [`account-${account}`, 'Spring2030']);
    expect(await login(world, stranger, alice)).toMatch(/^429/);
    expect(await login(world, stranger, bob)).toBe(200);
  });

  it('from addresses of one network of version 6 is from one network', async () => {
    const world = await open();
    for (let host = 1; host <= free; host++) await guess(world, `2001:db8:0:1::${host.toString(16)}`, 1);
    expect(await login(world, '2001:DB8::1:ffff:ffff:ffff:ffff', wrong())).toBe('429 1');
    expect(await login(world, '2001:db8:0:2::1', wrong())).toBe(401);
  });
});

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:198.51.100.7', '198.51.100.7'],
  ['::ffff:c633:6407', '198.51.100.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1'],
  ['2001:0DB8:0000:0001::', '2001:db8:0:1'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['1::', '1:0:0:0'],
  [undefined, 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('the throttle', () => {
  const alone = (loginFreeFailures = free) => {
    const clock = testClock();
    const metrics = new Metrics();
    const settings = { loginFreeFailures, loginDelayMost: 60 };
    const log = createLog(() => undefined, clock, 'error');
    const familiar = new FamiliarNetworks({ clock, log, days: 0, keeper: undefined });
    const throttle = new Throttle({ clock, metrics, log, familiar, settings });
    const fail = (account: string, address: string) =>
      throttle.attempt({ account, from: { address }, proof: () => account }, () => ({ accepted: false, reason: 'x' }));
    return { throttle, metrics, fail };
  };

  it('remembers a bounded number of accounts and networks', () => {
    const { metrics, fail } = alone(1000);
    for (let i = 0; i < 15_000; i++) fail(`account ${i}`, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(metrics.render()).toContain('portico_login_failures 30000\n');
  });

  it('lets an error pass, and does not count it', async () => {
    const { throttle, metrics } = alone(1);
    const attempt = { account: 'a', from: {}, proof: () => 'a' };
    const broken = () => Promise.reject(new Error('broken'));
    for (let i = 0; i < 3; i++) await expect(throttle.attempt(attempt, broken)).rejects.toThrow('broken');
    expect(metrics.render()).toContain('portico_login_failures 0\n');
  });

  it('tells operators once, by a log line and by numbers, and never a password', async () => {
    const world = await open();
    await guess(world, stranger, free + 3);
    await guess(world, '192.0.2.1', free * 10);
    for (let account = 0; account < free * 50; account++)
      await login(world, home, [`account-${account}`, 'Spring2030']);
    const slowed = world.lines.filter(({ event }) => event === 'login-slowed');
    expect(
      slowed.map(({ level, scope, account, from, failures }) => ({ level, scope, account, from, failures })),
    ).toEqual([
      { level: 'warn', scope: 'pair', account: 'alice', from: stranger, failures: free },
      { level: 'warn', scope: 'pair', account: 'alice', from: '192.0.2.1', failures: free },
      { level: 'warn', scope: 'network', account: undefined, from: home, failures: free * 50 },
    ]);
    expect(await metricOf(world, 'portico_logins_throttled_total{scope="pair"}')).toBe(3 + free * 9);
    expect(await metricOf(world, 'portico_refusals_total{reason="too-many-attempts"}')).toBe(3 + free * 9);
    expect(JSON.stringify(world.lines)).not.toMatch(/guess|Spring2030/);
  });
});

it('a queue full of passwords keeps nobody waiting who needs no hash', async () => {
  const world = await open({ rememberPasswordSeconds: 3600, passwordConcurrency: 1, passwordQueue: 2 });
  const key = await newKey(world, 'alice');
  const token = await newToken(world, { as: alice });
  expect(await login(world, home, alice)).toBe(200);
  const held = world.scrypt.hold();
  const queue = ['a', 'b', 'c'].map((name) => login(world, `192.${name.charCodeAt(0)}.2.1`, wrong(name)));
  await settle(20);
  expect(await login(world, stranger, bob), 'a fresh login').toBe(503);
  for (const how of [alice, key.pair, byToken(token)]) expect(await login(world, home, how)).toBe(200);
  expect((await sendFrom(world, home, { request: 'GET /health/live' })).status).toBe(200);
  held.release();
  expect(await Promise.all(queue)).toEqual([401, 401, 401]);
  expect(await login(world, stranger, bob)).toBe(200);
});
