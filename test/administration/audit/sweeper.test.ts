import { expect, it, onTestFinished } from 'vitest';
import { openRecorder, type RecorderOptions } from './support.ts';

const day = 24 * 60 * 60_000;

async function opened(options?: RecorderOptions) {
  const sizes: number[] = [];
  const world = await openRecorder(options);
  onTestFinished(world.close);
  const { store, rows } = world;

  /** Puts entries into the log, the first at that time, each a millisecond after the other. */
  async function fill(count: number, user: string | null, at = world.clock.now()): Promise<void> {
    const changes = Array.from({ length: count }, (_, index) => ({
      sql: `INSERT INTO audit (at, user, method, path, status, count) VALUES (?, ?, 'GET', ?, 401, 1)`,
      args: [at + index, user, `/${index}`],
    }));
    await store.commit({ changes, events: [] }, { user: 'test' });
  }

  async function sweepAll(): Promise<number> {
    let pieces = 0;
    for (; (await world.sweep()) === 0; pieces++) sizes.push((await rows()).length);
    return pieces;
  }

  const countOf = async (where?: string) => (await rows(where)).length;
  return { ...world, fill, sweepAll, countOf, sizes };
}

it('removes everything that is too old in bounded pieces, and is due again a minute later', async () => {
  const world = await opened({ settings: { auditDays: 7 } });
  await world.fill(1_200, 'alice', world.clock.now() - 8 * day);
  await world.fill(10, 'alice');
  expect(await world.sweepAll()).toBe(3);
  expect(world.sizes).toEqual([710, 210, 10]);
  expect(await world.sweep()).toBe(60_000);
  await world.fill(10, 'alice', world.clock.now() - 8 * day);
  await world.clock.advance(59_000);
  expect(await world.sweep()).toBe(1_000);
  await world.clock.advance(1_000);
  expect(await world.sweep()).toBe(0);
  expect(await world.countOf()).toBe(10);
});

it('removes the oldest entries beyond the limit', async () => {
  const world = await opened({ settings: { auditRows: 1_000 } });
  await world.fill(2_300, 'alice');
  await world.sweepAll();
  const rows = await world.rows();
  expect(rows).toHaveLength(1_000);
  expect(rows[0]!.path).toBe('/1300');
});

it('a flood of refusals of callers who were not let in removes nothing of what users did', async () => {
  const world = await opened({ settings: { auditRows: 1_000 } });
  await world.fill(500, 'alice');
  await world.clock.advance(1_000);
  await world.fill(5_000, null);
  await world.sweepAll();
  expect(await world.countOf(`user = 'alice'`)).toBe(500);
  expect(await world.countOf('user IS NULL')).toBe(500);
});

it('two instances that sweep at the same time do not remove more than one', async () => {
  const settings = { auditRows: 1_000 };
  const world = await opened({ settings });
  const other = await openRecorder({ settings, shared: world.store });
  onTestFinished(other.close);
  await world.fill(1_100, 'alice');
  expect(await Promise.all([world.sweep(), other.sweep()])).toEqual([0, 60_000]);
  expect(await world.countOf()).toBe(1_000);
});

it('removes nothing where there are no limits', async () => {
  const world = await opened();
  await world.fill(1_100, null, world.clock.now() - 9_000 * day);
  expect(await world.sweepAll()).toBe(0);
  expect(await world.countOf()).toBe(1_100);
});

it('tries again a minute later when the database refuses', async () => {
  let fails = false;
  const world = await opened({
    settings: { auditRows: 100 },
    async before() {
      if (fails) throw new Error('The test refuses this commit');
    },
  });
  await world.fill(300, 'alice');
  fails = true;
  await expect(world.sweep()).rejects.toThrow('The test refuses this commit');
  expect(await world.sweep()).toBe(60_000);
  fails = false;
  await world.clock.advance(60_000);
  expect(await world.sweep()).toBe(0);
  expect(await world.countOf()).toBe(100);
});

it('looks at no more rows than it removes', async () => {
  const { store } = await opened();
  const plans = [
    'SELECT at FROM audit ORDER BY at LIMIT 1',
    'SELECT sequence FROM audit WHERE at < 5 ORDER BY at LIMIT 500',
    'SELECT sequence FROM audit WHERE user IS NULL ORDER BY at LIMIT 500',
    'SELECT sequence FROM audit ORDER BY at LIMIT 500',
  ];
  for (const sql of plans) {
    const plan = (await store.read(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row.at(-1)));
    expect([sql, plan]).toEqual([sql, [expect.stringMatching(/USING COVERING INDEX audit_(?:at|user)/)]]);
  }
});
