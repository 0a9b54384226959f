import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { alice, newUser } from '../support/cast.ts';
import { testClock } from '../support/clock.ts';
import { requestOf } from '../support/matrix.ts';
import { admin, type Credentials, openService, type ServiceOptions, type TestService } from '../support/service.ts';

const home = '198.51.100.7';
const free = 2;
const day = 24 * 60 * 60_000;

/** Services one after the other on one file, on one clock. */
async function restartable(settings: ServiceOptions['settings'] = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'portico-familiar-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = testClock();
  const start = async (): Promise<TestService> =>
    openService({
      clock,
      database: await openDatabase(`file:${join(folder, 'portico.db')}`),
      settings: { loginFreeFailures: free, rememberPasswordSeconds: 0, ...settings },
    });
  return { clock, start };
}

const send = async (
  { service }: TestService,
  address: string,
  as: Credentials,
  request = 'GET /API/whoami',
  body?: object,
) => (await service.fetch(requestOf('http://portico.test', { as, request, body }), { address })).status;

/** Afterwards a network that is new waits. */
async function guessEverywhere(world: TestService): Promise<void> {
  for (let i = 0; i < free * 10; i++) await send(world, `192.${i}.2.1`, ['alice', `guess ${i}`]);
  expect(await send(world, '203.0.113.9', alice)).toBe(429);
}

const accountsOf = async ({ service }: TestService) =>
  (await service.store.read('SELECT account FROM familiar_network')).map(([account]) => String(account));

const rowsOf = async ({ service }: TestService) =>
  Number((await service.store.read('SELECT count(*) FROM familiar_network'))[0]?.[0]);

it('guesses from everywhere do not hold up a person after a restart in a network that they came in from', async () => {
  const { start } = await restartable();
  const first = await start();
  await first.service.fetch(requestOf('http://portico.test', newUser(alice)));
  expect(await send(first, home, alice)).toBe(200);
  await first.close();
  const second = await start();
  await guessEverywhere(second);
  expect(await send(second, home, alice)).toBe(200);
  const texts = JSON.stringify(await second.service.store.read('SELECT * FROM familiar_network'));
  expect(texts).not.toMatch(/alice|198\.51/);
  await second.close();
});

it.each([
  ['is forgotten after its days', { familiarNetworkDays: 3 }, 3 * day],
  ['is not kept where the setting says so', { familiarNetworkDays: 0 }, 0],
])('what the database knows of a network %s', async (_what, settings, later) => {
  const { start, clock } = await restartable(settings);
  const first = await start();
  await first.service.fetch(requestOf('http://portico.test', newUser(alice)));
  expect(await send(first, home, alice)).toBe(200);
  await first.close();
  await clock.advance(later);
  const second = await start();
  await guessEverywhere(second);
  expect(await send(second, home, alice)).toBe(429);
  await clock.advance(60_000);
  expect(await send(second, home, admin)).toBe(200);
  await second.close();
  const third = await start();
  expect(await rowsOf(third), 'only the last').toBe(settings.familiarNetworkDays > 0 ? 1 : 0);
  await third.close();
});

it('one account with many networks displaces those of no other', async () => {
  const { start } = await restartable();
  const world = await start();
  await world.service.fetch(requestOf('http://portico.test', newUser(alice)));
  expect(await send(world, home, alice)).toBe(200);
  for (let i = 0; i < 60; i++) expect(await send(world, `192.0.${i}.1`, admin)).toBe(200);
  await world.close();
  const next = await start();
  // The administrator's newest fifty, the creation from nowhere among those before, and one of alice.
  expect(await rowsOf(next)).toBe(51);
  await next.close();
});

it('a new user of the name of a deleted one does not inherit its networks', async () => {
  const { start } = await restartable();
  const first = await start();
  const bob: Credentials = ['bob', 'password of bob'];
  await first.service.fetch(requestOf('http://portico.test', newUser(alice)));
  await first.service.fetch(requestOf('http://portico.test', newUser(bob)));
  expect([await send(first, home, alice), await send(first, home, bob)]).toEqual([200, 200]);
  await first.close();
  const accountOf = (name: string) => createHash('sha256').update(`a:${name}`).digest('base64url');
  const second = await start();
  expect(await accountsOf(second)).toEqual(expect.arrayContaining([accountOf('alice'), accountOf('bob')]));
  expect(await send(second, home, admin, 'DELETE /API/user/alice?hard=true')).toBe(200);
  const left = await accountsOf(second);
  expect([left.includes(accountOf('alice')), left.includes(accountOf('bob'))]).toEqual([false, true]);
  await second.close();
});
