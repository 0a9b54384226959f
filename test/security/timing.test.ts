import { describe, expect, it } from 'vitest';
import { scrypt } from '../../src/entry/crypto.ts';
import { alice, newUser } from '../support/cast.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { prepare } from '../support/scenario.ts';
import { byToken, type How, newKey, newToken, setStatus, switchTo, whoIs } from '../support/ways.ts';

/** All of a kind must be told apart by nobody who measures: they do the same work. */
type Failures = (world: World) => Promise<Readonly<Record<string, How>>>;

const passwords: Failures = async () => ({
  'an unknown user': { as: ['ghost', 'guess'] },
  'a wrong password': { as: ['alice', 'guess'] },
  'a user without a password': { as: ['robot', 'guess'] },
  'the right password of a disabled user': { as: ['gone', 'password of gone'] },
});

const keys: Failures = async (world) => {
  const [one, off] = [await newKey(world, 'alice'), await newKey(world, 'alice')];
  await prepare(world, [setStatus('alice', off.id, 'INACTIVE')]);
  return {
    'an unknown key': { as: [`VSID${'A'.repeat(16)}`, 'guess'] },
    'a wrong secret': { as: [one.id, 'guess'] },
    'a wrong secret that begins well': { as: [one.id, `${one.pair[1].slice(0, 39)}!`] },
    'a disabled key': { as: off.pair },
  };
};

const tokens: Failures = async (world) => {
  const one = await newToken(world, { as: alice }, 'seconds=1');
  await world.clock.advance(1_000);
  return {
    'an unknown token': byToken('A'.repeat(43)),
    'a token that begins well': byToken(one.slice(0, 42) + (one.endsWith('A') ? 'B' : 'A')),
    'an expired token': byToken(one),
  };
};

const kinds: readonly (readonly [string, Failures, reads: number, hashes: number])[] = [
  ['passwords', passwords, 1, 1],
  ['access keys', keys, 1, 0],
  ['tokens', tokens, 1, 0],
];

async function open(options: Parameters<typeof openWorld>[1] = {}): Promise<World> {
  const world = await openWorld('fetch', options);
  await prepare(world, [newUser(alice), newUser(['gone', 'password of gone']), newUser(['robot', 'x'])]);
  await world.service.store.commit(
    { changes: [{ sql: `UPDATE user SET password = NULL WHERE name = 'robot'`, args: [] }], events: [] },
    { user: 'test' },
  );
  await switchTo(world, 'gone', false);
  return world;
}

describe('timing', () => {
  it.each(kinds)('of %s: every failure does the same work', async (_kind, failures, reads, hashes) => {
    const database = await migratedDatabase();
    const read = database.read.bind(database);
    let count = 0;
    database.read = (...given) => {
      count++;
      return read(...given);
    };
    const world = await open({ database });
    for (const [what, how] of Object.entries(await failures(world))) {
      const [readsBefore, hashesBefore] = [count, world.scrypt.calls.length];
      expect(await whoIs(world, how), what).toMatch(/^401 /);
      const work = { reads: count - readsBefore, hashes: world.scrypt.calls.length - hashesBefore };
      expect([what, work]).toEqual([what, { reads, hashes }]);
    }
  });

  /** The least of many, taken in turn: what the machine does besides can only make one slower, so this cannot flake. */
  async function leastTimes(world: World, hows: readonly How[], rounds: number): Promise<number[]> {
    const least = hows.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < rounds; round++) {
      for (const [index, how] of hows.entries()) {
        const started = performance.now();
        await world.send({ ...how, request: 'GET /API/whoami' });
        least[index] = Math.min(least[index]!, performance.now() - started);
      }
    }
    return least;
  }

  it.each(kinds.slice(1))('of %s: no failure is told from another by the clock', async (_kind, failures) => {
    const world = await open();
    const least = await leastTimes(world, Object.values(await failures(world)), 200);
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(4);
  });

  it('is a net that would catch a missing hash', async () => {
    const world = await open({ realScrypt: scrypt, settings: { loginFreeFailures: 1000 } });
    const [withHash, without] = await leastTimes(world, [{ as: ['ghost', 'guess'] }, byToken('A'.repeat(43))], 3);
    expect(withHash! / without!).toBeGreaterThan(10);
  });
});
