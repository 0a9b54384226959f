import { alice, newUser } from '../support/cast.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { byToken, type How, newKey, newToken, setStatus, switchTo } from '../support/ways.ts';

/** All of a kind must be told apart by nobody who measures: they do the same work. */
export type Failures = (world: World) => Promise<Readonly<Record<string, How>>>;

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

export const kinds: readonly (readonly [string, Failures, reads: number, hashes: number])[] = [
  ['passwords', passwords, 1, 1],
  ['access keys', keys, 1, 0],
  ['tokens', tokens, 1, 0],
];

export async function open(options: Parameters<typeof openWorld>[1] = {}): Promise<World> {
  const world = await openWorld('fetch', options);
  await prepare(world, [newUser(alice), newUser(['gone', 'password of gone']), newUser(['robot', 'x'])]);
  await world.service.store.commit(
    { changes: [{ sql: `UPDATE user SET password = NULL WHERE name = 'robot'`, args: [] }], events: [] },
    { user: 'test' },
  );
  await switchTo(world, 'gone', false);
  return world;
}
