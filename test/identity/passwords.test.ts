import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/core/lib/random.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { scrypt } from '../../src/entry/crypto.ts';
import { currentParameters, hashOfNobody, hashPassword, matchesHash } from '../../src/identity/passwords/hash.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle } from '../support/clock.ts';
import { describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, fastScrypt, withService } from '../support/service.ts';

const form = /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

describe('the hash of a password', () => {
  it('carries scheme, parameters and salt, and is another one each time', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => hashPassword('secret', scrypt, systemRandom)));
    expect(one).toMatch(form);
    expect(one).not.toBe(two);
    expect(await matchesHash('secret', one!, scrypt)).toBe(true);
    expect(await matchesHash('Secret', one!, scrypt)).toBe(false);
  });

  it('verifies what another program made with other parameters', async () => {
    // RFC 7914, section 12: password "password", salt "NaCl", N=1024, r=8, p=16, 64 bytes.
    const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const expected =
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640';
    const stored = `$scrypt$ln=10,r=8,p=16$${base64(Buffer.from('NaCl'))}$${base64(Buffer.from(expected, 'hex'))}`;
    expect(await matchesHash('password', stored, scrypt)).toBe(true);
    expect(await matchesHash('Password', stored, scrypt)).toBe(false);
  });

  it('matches nothing that is no hash of ours, and not an empty password with an empty text', async () => {
    const { compute, calls } = fastScrypt();
    for (const stored of [
      '',
      'secret',
      '$scrypt$',
      '$2b$10$abc',
      `${hashOfNobody}x$`,
      'd41d8cd98f00b204e9800998ecf8427e',
    ]) {
      for (const password of ['', 'secret', stored]) expect(await matchesHash(password, stored, compute)).toBe(false);
    }
    expect(calls).toEqual([]);
  });

  it('of nobody costs what any other does', async () => {
    const { compute, calls } = fastScrypt();
    expect(await matchesHash('', hashOfNobody, compute)).toBe(false);
    expect(calls).toEqual([{ ...currentParameters, length: 32 }]);
  });
});

describe('a password that is set', () => {
  it('is stored only as a hash', async () => {
    const world = await withService({ realScrypt: scrypt });
    const [row] = await world.service.store.read(`SELECT password FROM user WHERE name = 'admin'`);
    expect(row![0]).toMatch(form);
  });
});

const whoami = { as: alice, request: 'GET /API/whoami' };
const statusOf = async (world: World, as = alice) => (await world.send({ ...whoami, as })).status;

describeMatrix('passwords', (entry) => {
  it.each([
    ['', 400],
    ['x'.repeat(21), 400],
    ['x'.repeat(20), 200],
    ['x', 200],
    ['a\u0000', 400],
    ['a\nb', 400],
    ['a \u00e9', 200],
  ])('takes only what it can verify later: %j is %i', async (password, status) => {
    const world = await entry.open({ settings: { maxPasswordLength: 20 } });
    const body = { userName: 'bob', password };
    expect((await world.send({ as: admin, request: 'POST /API/user', body })).status).toBe(status);
    expect(await statusOf(world, ['bob', password])).toBe(status === 200 ? 200 : 401);
  });

  it('refuses a password that is too long at no greater cost, even for the right user', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    const before = world.scrypt.calls.length;
    expect(await statusOf(world, ['alice', 'x'.repeat(5000)])).toBe(401);
    expect(world.scrypt.calls.slice(before)).toEqual([{ ...currentParameters, length: 32 }]);
  });

  it('hashes once for many requests, and again when the time is over', async () => {
    const world = await entry.open({ settings: { rememberPasswordSeconds: 60 } });
    await prepare(world, [newUser(alice)]);
    const hashes = async (requests: number) => {
      const before = world.scrypt.calls.length;
      for (let i = 0; i < requests; i++) expect(await statusOf(world)).toBe(200);
      return world.scrypt.calls.length - before;
    };
    expect(await hashes(5)).toBe(1);
    await world.clock.advance(59_999);
    expect(await hashes(2)).toBe(0);
    await world.clock.advance(1);
    expect(await hashes(2)).toBe(1);
  });

  it('remembers nothing when it is told to remember for no time', async () => {
    const world = await entry.open({ settings: { rememberPasswordSeconds: 0 } });
    const before = world.scrypt.calls.length;
    for (let i = 0; i < 3; i++) expect(await statusOf(world, admin)).toBe(200);
    expect(world.scrypt.calls.length - before).toBe(3);
  });

  it('does not remember a wrong password', async () => {
    const world = await entry.open();
    const before = world.scrypt.calls.length;
    for (let i = 0; i < 3; i++) expect(await statusOf(world, ['admin', 'wrong'])).toBe(401);
    expect(world.scrypt.calls.length - before).toBe(3);
  });

  it('keeps no more remembered passwords than the setting allows', async () => {
    const world = await entry.open({ settings: { rememberPasswordEntries: 1 } });
    await prepare(world, [newUser(alice)]);
    const before = world.scrypt.calls.length;
    for (const as of [alice, admin, alice]) expect(await statusOf(world, as)).toBe(200);
    expect(world.scrypt.calls.length - before).toBe(3);
  });
});

/** Requests that all wait for their hash. */
async function burst(world: World, people: readonly (readonly [string, string])[]) {
  const held = world.scrypt.hold();
  const answers = people.map((as) => world.send({ ...whoami, as }));
  await settle(20);
  held.release();
  return Promise.all(answers);
}

describe('a burst of logins', () => {
  it.each([
    ['the right password', alice, 200],
    ['a wrong password', ['alice', 'wrong'] as const, 401],
    ['an unknown user', ['ghost', 'wrong'] as const, 401],
  ])('costs one hash with %s', async (_what, as, status) => {
    const world = await openWorld('fetch');
    await prepare(world, [newUser(alice)]);
    const before = world.scrypt.calls.length;
    const answers = await burst(world, new Array(20).fill(as));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(world.scrypt.calls.length - before).toBe(1);
  });

  it('is answered 503 with Retry-After beyond the queue, and never lets anybody in for it', async () => {
    const world = await openWorld('fetch', { settings: { passwordConcurrency: 1, passwordQueue: 2 } });
    const guesses = Array.from({ length: 6 }, (_, i) => ['admin', `guess ${i}`] as const);
    const answers = await burst(world, guesses);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 503, 503, 503]);
    for (const { headers } of answers.slice(3)) {
      expect([headers.get('retry-after'), headers.get('portico-error')]).toEqual(['1', 'busy']);
    }
    expect((await world.send({ ...whoami, as: admin })).status, 'the queue is empty again').toBe(200);
  });

  it('computes no more hashes at the same time than the setting allows', async () => {
    const world = await openWorld('fetch', { settings: { passwordConcurrency: 2 } });
    const before = world.scrypt.calls.length;
    const held = world.scrypt.hold();
    const answers = Array.from({ length: 8 }, (_, i) => world.send({ ...whoami, as: ['admin', `guess ${i}`] }));
    await settle(20);
    expect(world.scrypt.calls.length - before).toBe(2);
    held.release();
    await Promise.all(answers);
    expect(world.scrypt.calls.length - before).toBe(8);
  });
});

it('a password is not the same with a NUL behind it, though scrypt takes them for one', async () => {
  const world = await openWorld('fetch', { realScrypt: scrypt });
  const { passwords } = world.service.rooms.identity;
  const stored = { id: 'VX-1', passwordVersion: 1, password: await passwords.hash('pass') };
  expect(await passwords.verify('ann', stored, new Secret('pass\0'))).toBe(false);
  expect(await passwords.verify('ann', stored, new Secret('pass'))).toBe(true);
  const body = JSON.stringify({ userName: 'ann', password: 'pass\0' });
  const headers = { 'content-type': 'application/json' };
  expect((await world.send({ as: admin, request: 'POST /API/user', headers, body })).status).toBe(400);
  expect((await world.send({ as: [admin[0], `${admin[1]}\0`], request: 'GET /API/whoami' })).status).toBe(401);
});
