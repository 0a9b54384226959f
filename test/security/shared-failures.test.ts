import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import { alice, newUser } from '../support/cast.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { outliving } from '../support/databases.ts';
import { requestOf } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { testRandom } from '../support/random.ts';
import { admin, type Credentials, openService, type TestService } from '../support/service.ts';

const free = 5;
const stranger = '203.0.113.9';

/** Instances on one database. `writes`: transactions of all of them. */
async function openInstances(count: number) {
  const database = await migratedDatabase();
  const clock = testClock();
  const counted = { writes: 0 };
  const counting = new Proxy(outliving(database), {
    get(target, name: keyof Database) {
      if (name === 'write') counted.writes++;
      const value = target[name];
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  const instances: TestService[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const opened = await openService({
      database: counting,
      clock,
      random: testRandom(seed),
      settings: { loginFreeFailures: free, loginDelayMost: 60, rememberPasswordSeconds: 0 },
    });
    onTestFinished(() => opened.close());
    instances.push(opened);
  }
  const { request, ...sent } = { ...newUser(alice), as: admin };
  await instances[0]!.service.fetch(requestOf('http://portico.test', { request, ...sent }));
  return { instances, clock, counted };
}

let serial = 0;
const wrong = (): Credentials => ['alice', `guess ${serial++}`];

async function login({ service }: TestService, as: Credentials, address = stranger): Promise<number> {
  const sent = requestOf('http://portico.test', { as, request: 'GET /API/whoami' });
  return (await service.fetch(sent, { address })).status;
}

const count = (seen: readonly number[], status: number): number => seen.filter((each) => each === status).length;

describe('guesses at several instances on one database', () => {
  it('count together: what is free is free once, and a pause of one holds at the others', async () => {
    const { instances, clock } = await openInstances(3);
    const seen: number[] = [];
    for (let guess = 0; guess < 4 * free; guess++) seen.push(await login(instances[guess % 3]!, wrong()));
    expect([count(seen, 401), count(seen, 429)]).toEqual([free, 3 * free]);
    for (const instance of instances) expect(await login(instance, alice)).toBe(429);
    await clock.advance(1000);
    expect(await Promise.all(instances.map((instance) => login(instance, wrong())))).toEqual(
      expect.arrayContaining([401, 429, 429]),
    );
  });

  it('learn no more when they come at once', async () => {
    const { instances } = await openInstances(3);
    const burst = Array.from({ length: 8 * free }, (_, guess) => login(instances[guess % 3]!, wrong()));
    expect(count(await Promise.all(burst), 401)).toBe(free);
  });

  it('wait twice as long after each, also where the instance saw only some of them', async () => {
    const { instances, clock } = await openInstances(2);
    for (let guess = 0; guess < free; guess++) await login(instances[guess % 2]!, wrong());
    for (const [round, seconds] of [1, 2, 4, 8, 16].entries()) {
      const [first, second] = round % 2 ? instances : instances.toReversed();
      await clock.advance(seconds * 1000 - 1);
      expect(await login(first!, wrong()), 'not a moment before').toBe(429);
      await clock.advance(1);
      expect(await login(second!, wrong()), 'looked at, once').toBe(401);
    }
  });

  it('are forgotten everywhere after the right password', async () => {
    const { instances } = await openInstances(2);
    for (let guess = 0; guess < free - 1; guess++) await login(instances[0]!, wrong());
    expect(await login(instances[1]!, alice)).toBe(200);
    const seen: number[] = [];
    for (let guess = 0; guess < free; guess++) seen.push(await login(instances[1]!, wrong()));
    expect(count(seen, 401)).toBe(free);
  });

  it('are forgotten by the database when they are old', async () => {
    const { instances, clock } = await openInstances(2);
    await login(instances[0]!, wrong());
    await forgetting(clock);
    await login(instances[1]!, ['bob', 'guess'], '192.0.2.1');
    const rows = await instances[0]!.service.store.read('SELECT count(*) FROM login_failure', []);
    expect(rows[0]![0]).toBe(3);
  });
});

const forgetting = (clock: TestClock) => clock.advance(15 * 60_000);

it('a login that succeeds writes nothing about failures', async () => {
  const { instances, counted, clock } = await openInstances(1);
  expect(await login(instances[0]!, alice)).toBe(200);
  await clock.advance(2_000);
  const before = counted.writes;
  for (let time = 0; time < 20; time++) expect(await login(instances[0]!, alice)).toBe(200);
  await clock.advance(2_000);
  expect(counted.writes).toBe(before);
});

it('a flood writes 100 failures in a second, and an instance counts the others for itself', async () => {
  const { instances, clock } = await openInstances(1);
  const stored = async () =>
    Number((await instances[0]!.service.store.read('SELECT count(*) FROM login_failure WHERE count > 0', []))[0]![0]);
  const guess = (at: number) => login(instances[0]!, [`nobody ${at}`, 'guess'], `10.0.${at >> 8}.${at & 255}`);
  await clock.advance(1_000);
  for (let at = 0; at < 120; at++) expect(await guess(at)).toBe(401);
  // Each has a count for its account, its network and both.
  expect(await stored()).toBe(300);
  await clock.advance(1_000);
  await guess(200);
  expect(await stored()).toBe(303);
});

it('an instance whose database refuses to write goes on with its own counts', async () => {
  const { instances } = await openInstances(1);
  const [{ service }] = instances as [TestService];
  service.store.commit = () => Promise.reject(new Error('away'));
  const seen: number[] = [];
  for (let guess = 0; guess < 2 * free; guess++) seen.push(await login(instances[0]!, wrong()));
  expect([count(seen, 401), count(seen, 429)]).toEqual([free, free]);
  expect(instances[0]!.lines.some(({ event }) => event === 'login-failures-not-shared')).toBe(true);
  instances[0]!.expectErrors('audit-not-written');
});
