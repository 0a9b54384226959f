import { expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { faultyDatabase } from '../support/databases.ts';
import { shareOfTries } from '../support/long.ts';
import { openWorld, requestOf, type World } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { prepare } from '../support/scenario.ts';
import type { Credentials } from '../support/service.ts';

const alice: Credentials = ['alice', 'p'];
const second = 1_000;

async function refused(world: World, path: string, address = '198.51.100.7', as?: Credentials, method = 'GET') {
  const answer = await world.service.fetch(requestOf('http://portico.test', { request: `${method} ${path}`, as }), {
    address,
  });
  expect([401, 403]).toContain(answer.status);
  await answer.text();
}

/** The rows of the audit log, read without the flush that GET /log does first. */
async function rowsOf(world: World, where = '1 = 1') {
  const rows = await world.service.store.read(`SELECT user, path, status, count FROM audit WHERE ${where} ORDER BY at`);
  return rows.map(([user, path, status, count]) => ({ user, path, status, count: Number(count) }));
}

const total = (rows: readonly { readonly count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

it('a flood while entries are being written does not end the writing', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  await prepare(world, [newUser(alice)]);
  await world.clock.advance(2 * second);
  const flood = 5_000;
  await refused(world, '/API/first');
  database.beforeNextWrite(async () => {
    for (let each = 0; each < flood; each++) await refused(world, `/API/path-${each}`);
  });
  await world.clock.advance(second);
  await refused(world, '/API/user', '203.0.113.9', alice, 'POST');
  await world.clock.advance(3 * second);
  expect(await rowsOf(world, `user = 'alice'`)).toEqual([{ user: 'alice', path: '/user', status: 403, count: 1 }]);
  expect(total(await rowsOf(world, 'status = 401'))).toBe(flood + 1);
});

it('paths of one network, 1,734 in each second, become few rows, and each request is counted', async () => {
  const world = await openWorld('fetch', { settings: { logLevel: 'error' } });
  const [seconds, each] = [shareOfTries(3, 15), 1_734];
  for (let at = 0; at < seconds; at++) {
    for (let one = 0; one < each; one++) await refused(world, `/API/${at}/${one}/${'x'.repeat(900)}`);
    await world.clock.advance(second);
  }
  await world.clock.advance(second);
  const rows = await rowsOf(world, 'status = 401');
  expect(total(rows)).toBe(seconds * each);
  expect(rows.length).toBeLessThanOrEqual(51);
});

it('old entries are removed until none is left, however many there are', async () => {
  const world = await openWorld('fetch', { settings: { auditDays: 7 } });
  const old = world.clock.now() - 8 * 24 * 60 * 60 * second;
  await world.service.store.commit(
    {
      changes: Array.from({ length: 5_000 }, (_, index) => ({
        sql: `INSERT INTO audit (at, method, path, status, count) VALUES (?, 'GET', '/x', 401, 1)`,
        args: [old + index],
      })),
      events: [],
    },
    { user: 'test' },
  );
  await refused(world, '/API/whoami');
  await world.clock.advance(2 * second);
  await world.service.tick();
  expect(await rowsOf(world, `status = 401`)).toEqual([{ user: null, path: '/whoami', status: 401, count: 1 }]);
});

it('an anonymous flood pushes nothing out of the audit log that a user did', async () => {
  const world = await openWorld('fetch', { settings: { auditRows: 200, auditPaths: 1_000, logLevel: 'error' } });
  await prepare(world, [newUser(alice)]);
  for (let each = 0; each < 50; each++) await refused(world, `/API/user?first=${each}`, undefined, alice, 'POST');
  for (let minute = 0; minute < 5; minute++) {
    for (let each = 0; each < 700; each++) await refused(world, `/API/${minute}/${each}`, `10.9.${each & 7}.1`);
    await world.clock.advance(60 * second);
  }
  expect(total(await rowsOf(world, `user = 'alice'`))).toBe(50);
  expect((await rowsOf(world, `user = 'admin'`)).length).toBeGreaterThan(0);
  // Rows since the last sweep, a minute ago, come on top of the limit.
  await world.service.tick();
  expect((await rowsOf(world, 'user IS NULL')).length).toBeLessThanOrEqual(100 + 751);
});

it('logins stay in the audit log during a flood of as many networks as a caller has', async () => {
  const world = await openWorld('fetch', { settings: { logLevel: 'error' } });
  await prepare(world, [newUser(alice)]);
  await world.clock.advance(61 * second);
  const flood = 5_000;
  for (let each = 0; each < flood; each++) await refused(world, '/API/x', `2001:db8:${each.toString(16)}::1`);
  const answer = await world.send({ as: alice, request: 'GET /API/whoami' });
  expect(answer.status).toBe(200);
  await world.clock.advance(second);
  expect(await rowsOf(world, `user = 'alice'`)).toEqual([{ user: 'alice', path: '/whoami', status: 200, count: 1 }]);
  const rows = await rowsOf(world, 'user IS NULL');
  expect(total(rows)).toBe(flood);
  expect(rows.length).toBeLessThanOrEqual(1_001);
});
