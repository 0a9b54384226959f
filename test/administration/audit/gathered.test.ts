import { expect, it, onTestFinished } from 'vitest';
import { openRecorder, type RecorderOptions, type Refusal, refusal, total } from './support.ts';

async function opened(options?: RecorderOptions) {
  const world = await openRecorder(options);
  onTestFinished(world.close);
  const send = (given: Refusal) => void world.recorder.answered(refusal(given));
  return { ...world, send };
}

const many = (count: number, each: (index: number) => void) => {
  for (let index = 0; index < count; index++) each(index);
};

it('equal refusals of one minute are one row with a first and a last time, over many commits', async () => {
  const world = await opened();
  const start = world.clock.now();
  for (let each = 0; each < 20; each++) {
    world.send({ path: '/a' });
    await world.clock.advance(2_000);
  }
  expect(await world.rows()).toMatchObject([{ path: '/a', count: 20, at: start, lastAt: start + 38_000 }]);
  await world.clock.advance(60_000);
  world.send({ path: '/a' });
  await world.clock.advance(2_000);
  expect((await world.rows()).map(({ count }) => count)).toEqual([20, 1]);
});

it('a second recorder on the same database adds to the same row, as after a restart', async () => {
  const world = await opened();
  world.send({ path: '/a' });
  await world.clock.advance(1_000);
  const other = await openRecorder({ shared: world.store });
  void other.recorder.answered(refusal({ path: '/a' }));
  await other.close();
  expect(await world.rows()).toMatchObject([{ path: '/a', count: 2 }]);
});

it('a flood of one network takes no room from another one', async () => {
  const world = await opened();
  many(10_000, (index) => world.send({ path: `/flood-${index}` }));
  world.send({ path: '/quiet', address: '203.0.113.9' });
  await world.clock.advance(1_000);
  expect(await world.rows(`path = '/quiet'`)).toMatchObject([{ count: 1 }]);
  expect(await world.rows(`path = '/*'`)).toMatchObject([{ status: 401, reason: 'credentials-missing', count: 9_950 }]);
  expect(total(await world.rows())).toBe(10_001);
});

it('addresses of one network of version 6 are one network', async () => {
  const world = await opened();
  many(1_000, (index) => world.send({ path: `/${index}`, address: `2001:db8:0:1::${index.toString(16)}` }));
  many(10, (index) => world.send({ path: '/0', address: `2001:db8:0:1:1::${index}` }));
  await world.clock.advance(1_000);
  const rows = await world.rows();
  expect(rows).toHaveLength(51);
  expect(rows.find(({ path }) => path === '/0')?.count).toBe(11);
});

it('a flood of many networks takes no room from callers who were let in', async () => {
  const world = await opened();
  many(20_000, (index) => world.send({ path: `/${index}`, address: `10.${index >> 8}.${index & 255}.1` }));
  many(20, (index) => world.send({ path: `/group/${index}`, user: 'alice', method: 'PUT' }));
  await world.clock.advance(1_000);
  expect(await world.rows(`user = 'alice'`)).toHaveLength(20);
  expect(total(await world.rows())).toBe(20_020);
});

it('different failed requests of one user beyond four times the share become one entry of that user', async () => {
  const world = await opened({ settings: { auditPaths: 2 } });
  many(100, (index) => world.send({ path: `/${index}`, user: 'mallory' }));
  many(5, (index) => world.send({ path: `/${index}`, user: 'alice' }));
  await world.clock.advance(1_000);
  expect(await world.rows(`user = 'mallory'`)).toHaveLength(9);
  expect(await world.rows(`user = 'mallory' AND path = '/*'`)).toMatchObject([{ method: '*', count: 92 }]);
  expect(await world.rows(`user = 'alice'`)).toHaveLength(5);
});

it('a flood of many minutes has its share again in each, and no more', async () => {
  const world = await opened({ settings: { auditPaths: 10 } });
  for (let minute = 0; minute < 5; minute++) {
    many(300, (index) => world.send({ path: `/${minute}-${index}` }));
    await world.clock.advance(60_000);
  }
  expect(await world.rows()).toHaveLength(5 * 11);
  expect(total(await world.rows())).toBe(1_500);
});

it('while the database is away for an hour, memory stays bounded and every request is counted', async () => {
  let away = true;
  const sizes: number[] = [];
  const world = await opened({
    async before() {
      if (away) throw new Error('The test refuses this commit');
    },
  });
  for (let minute = 0; minute < 60; minute++) {
    many(500, (index) => world.send({ path: `/${minute}-${index}`, address: `10.3.${index & 255}.1` }));
    await world.clock.advance(60_000);
    const failures = world.lines.map((line) => JSON.parse(line) as { entries?: number });
    sizes.push(failures.at(-1)?.entries ?? 0);
  }
  away = false;
  await world.clock.advance(31_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_001);
  expect(total(await world.rows())).toBe(30_000);
});

it('a long path of a caller who was not let in is cut', async () => {
  const world = await opened();
  world.send({ path: `/${'x'.repeat(5_000)}` });
  world.send({ path: `/${'x'.repeat(5_000)}`, user: 'alice' });
  await world.clock.advance(1_000);
  expect((await world.rows()).map(({ path }) => path.length).toSorted((a, b) => a - b)).toEqual([250, 1_000]);
});
