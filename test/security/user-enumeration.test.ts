import { describe, expect, it } from 'vitest';
import { scrypt } from '../../src/entry/crypto.ts';
import { switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle } from '../support/clock.ts';
import { type Answer, describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { cpuTime } from '../support/turns.ts';

/** All the ways not to get in. Nobody may learn from an answer which of them it was. */
const failures: readonly (readonly [string, Credentials])[] = [
  ['an unknown user', ['ghost', 'guess']],
  ['a wrong password', ['alice', 'guess']],
  ['a wrong password for an alias', ['al', 'guess']],
  ['the right password of a disabled user', ['gone', 'password of gone']],
  ['a wrong password of a disabled user', ['gone', 'guess']],
  ['a user without a password', ['robot', 'guess']],
  ['a password that is too long', ['alice', 'x'.repeat(2000)]],
  ['a password that is too long for nobody', ['ghost', 'x'.repeat(2000)]],
  ['an empty name', ['', 'guess']],
  ['the name of the service itself', ['system', 'guess']],
];

async function populate(world: World): Promise<void> {
  await prepare(world, [
    newUser(alice, [], { alias: ['al'] }),
    newUser(['gone', 'password of gone']),
    { as: admin, request: 'POST /API/user', body: { userName: 'robot' } },
  ]);
  const { store } = world.service;
  await store.commit(switchUser((await findUser(store, { name: 'gone' }))!, false), { user: 'test' });
}

/** All of an answer but what differs between any two. */
function shapeOf({ status, headers, body }: Answer): unknown {
  const own = new Set(['x-request-id', 'date']);
  return { status, body, headers: [...headers].filter(([name]) => !own.has(name)).sort() };
}

describeMatrix('user enumeration', (entry) => {
  it('finds no difference in status, headers and body', async () => {
    const world = await entry.open();
    await populate(world);
    const [first, ...others] = await ask(world);
    expect(first).toMatchObject({ status: 401, body: '' });
    for (const other of others) expect(other).toEqual(first);
  });

  it('finds no difference in the hashes that are computed: one, with the same parameters', async () => {
    const world = await entry.open();
    await populate(world);
    for (const [what, as] of failures) {
      const before = world.scrypt.calls.length;
      await world.send({ as, request: 'GET /API/whoami' });
      const calls = world.scrypt.calls.slice(before);
      expect([what, calls]).toEqual([what, [{ cost: 14, block: 8, parallel: 5, length: 32 }]]);
    }
  });

  async function ask(world: World): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const [, as] of failures) answers.push(shapeOf(await world.send({ as, request: 'GET /API/whoami' })));
    return answers;
  }
});

describe('user enumeration by load', () => {
  it('finds no difference in what a burst of the same guess costs', async () => {
    const world = await openWorld('fetch');
    await populate(world);
    for (const [what, as] of failures) {
      const before = world.scrypt.calls.length;
      const held = world.scrypt.hold();
      const answers = Array.from({ length: 10 }, () => world.send({ as, request: 'GET /API/whoami' }));
      await settle(10);
      held.release();
      await Promise.all(answers);
      expect([what, world.scrypt.calls.length - before]).toEqual([what, 1]);
    }
  });

  it('finds no difference in time between an unknown user and a wrong password, with the real hash', async () => {
    const world = await openWorld('fetch', { realScrypt: scrypt });
    const time = async (as: Credentials): Promise<number> => {
      const started = cpuTime();
      await world.send({ as, request: 'GET /API/whoami' });
      return cpuTime() - started;
    };
    await time(['warm', 'up']);
    const unknown = Math.min(await time(['ghost', 'a']), await time(['ghost', 'b']), await time(['ghost', 'c']));
    const wrong = Math.min(await time(['admin', 'a']), await time(['admin', 'b']), await time(['admin', 'c']));
    // A coarse net: without the stand-in hash the ratio is beyond a hundred.
    expect(Math.max(unknown, wrong) / Math.min(unknown, wrong)).toBeLessThan(3);
  });
});
