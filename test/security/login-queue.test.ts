import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle, testClock } from '../support/clock.ts';
import { openWorld, requestOf, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../support/service.ts';
import { fastScrypt } from '../support/service.ts';

const home = '198.51.100.7';
const stranger = '203.0.113.9';

/** A service whose hashes take that long each once it is prepared. */
async function openSlow(milliseconds: number, settings: ServiceOptions['settings']): Promise<World> {
  const clock = testClock();
  const { compute } = fastScrypt();
  let each = 0;
  const world = await openWorld('fetch', {
    clock,
    settings: { rememberPasswordSeconds: 0, ...settings },
    realScrypt: async (...given) => {
      if (each > 0) await clock.sleep(each);
      return compute(...given);
    },
  });
  await prepare(world, [newUser(alice)]);
  each = milliseconds;
  return world;
}

interface Told {
  status?: number;
  retryAfter?: string | null;
}

/** Sends a login. The result is filled in once the caller has an answer. */
function login(world: World, address: string, as: Credentials): Told {
  const told: Told = {};
  const sent = requestOf('http://portico.test', { as, request: 'GET /API/whoami' });
  void Promise.resolve(world.service.fetch(sent, { address })).then(({ status, headers }) => {
    told.status = status;
    told.retryAfter = headers.get('retry-after');
  });
  return told;
}

const metricOf = (world: World, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(world.service.metrics.render())?.[1]);

describe('240 junk logins at once', () => {
  it.each([
    ['at as many accounts', (i: number) => `account-${i}`],
    ['at the account of the person', () => 'alice'],
  ])('from one network, %s, do not hold up a first login from another', async (_where, account) => {
    const world = await openSlow(150, { loginFreeFailures: 1000 });
    const junk = Array.from({ length: 240 }, (_, i) => login(world, stranger, [account(i), `guess ${i}`]));
    await settle(20);
    const person = login(world, home, alice);
    await world.clock.advance(600);
    expect(person.status).toBe(200);
    await world.clock.advance(30_000);
    expect(new Set(junk.map(({ status }) => status))).toEqual(new Set([401, 503]));
  });

  it('that fill the queue lose their own places to a first login from another network', async () => {
    const world = await openSlow(150, { passwordQueue: 8 });
    const junk = Array.from({ length: 240 }, (_, i) => login(world, stranger, [`account-${i}`, 'x']));
    await settle(20);
    expect(junk.filter(({ status }) => status === 503)).toHaveLength(230);
    const person = login(world, home, alice);
    await world.clock.advance(600);
    expect(person.status).toBe(200);
    await world.clock.advance(10_000);
    expect(junk.filter(({ status }) => status === 503)).toHaveLength(231);
  });

  it('from one network at one account do not hold up another account there', async () => {
    const world = await openSlow(150, { loginFreeFailures: 1000 });
    for (let i = 0; i < 240; i++) login(world, home, ['admin', `guess ${i}`]);
    await settle(20);
    const person = login(world, home, alice);
    await world.clock.advance(600);
    expect(person.status).toBe(200);
    await world.clock.advance(30_000);
  });
});

describe('a wait for the queue of hashes', () => {
  const settings = { passwordConcurrency: 1, realmTimeout: 3_000, passwordWait: 5, loginFreeFailures: 1 };

  it('does not count toward the time limit of the realm, for none that wait for the same hash', async () => {
    const world = await openSlow(2_000, settings);
    login(world, '192.0.2.1', ['admin', 'x']);
    await settle(20);
    login(world, '192.0.2.2', ['other', 'x']);
    await settle(20);
    const persons = [login(world, home, alice), login(world, '192.0.2.4', alice)];
    await world.clock.advance(4_000);
    expect(
      persons.map(({ status }) => status),
      'begins after four seconds',
    ).toEqual([undefined, undefined]);
    await world.clock.advance(2_000);
    expect(persons.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is 503 with Retry-After when it takes too long, never 401, and no failure', async () => {
    const world = await openSlow(2_900, settings);
    for (const last of [1, 2]) {
      login(world, `192.0.2.${last}`, [`account-${last}`, 'x']);
      await settle(20);
    }
    const person = login(world, home, alice);
    await world.clock.advance(5_000);
    expect(person).toEqual({ status: 503, retryAfter: '1' });
    await world.clock.advance(5_000);
    expect(metricOf(world, 'portico_login_failures'), 'of the two guesses').toBe(2 * 3);
    const again = login(world, home, alice);
    await world.clock.advance(2_900);
    expect(again.status).toBe(200);
  });

  it('of a plugin is 503, before the time of its realm is up', async () => {
    const world = await openSlow(2_000, settings);
    for (const last of [1, 2]) login(world, `192.0.2.${last}`, [`account-${last}`, 'x']);
    await settle(20);
    const refused = world.service.rooms.identity.passwords
      .inTurn('matcher', async () => 'done', 1_500)
      .catch((error: unknown) => error);
    await world.clock.advance(1_500);
    expect(await refused).toBeInstanceOf(ServiceError);
    expect(((await refused) as ServiceError).code).toBe('busy');
    await world.clock.advance(5_000);
  });
});
