import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { shareOfTries } from '../../support/long.ts';
import { seedOfRun, tellSeed } from '../../support/random.ts';
import { openRecorder, type RecorderOptions, refusal, total } from './support.ts';

/** Many requests at once, then a pause. */
const burst = fc.record({
  known: fc.boolean(),
  sources: fc.constantFrom(1, 2, 40, 3_000),
  paths: fc.constantFrom(1, 3, 3_000),
  requests: fc.integer({ min: 1, max: 1_500 }),
  pause: fc.constantFrom(0, 1, 400, 999, 1_000, 5_000, 61_000),
});
/** Behaviour of the store for one commit. */
const answer = fc.record({ fails: fc.boolean(), takes: fc.constantFrom(0, 0, 3, 700, 4_000) });

const opened = async (options: RecorderOptions) => {
  const world = await openRecorder(options);
  onTestFinished(world.close);
  return world;
};

it('counts each refusal in an entry, however requests arrive and whichever commits fail', {
  timeout: 120_000,
}, async () => {
  tellSeed();
  const property = fc.asyncProperty(
    fc.array(burst, { minLength: 1, maxLength: 8 }),
    fc.array(answer, { maxLength: 12 }),
    async (bursts, answers) => {
      const left = [...answers];
      const world = await openRecorder({
        async before(clock) {
          const { fails, takes } = left.shift() ?? { fails: false, takes: 0 };
          if (takes > 0) await clock.sleep(takes);
          if (fails) throw new Error('The test refuses this commit');
        },
      });
      let sent = 0;
      for (const { known, sources, paths, requests, pause } of bursts) {
        for (let each = 0; each < requests; each++) {
          const path = `/${each % paths}`;
          const source = each % sources;
          const address = `10.1.${source >> 8}.${source & 255}`;
          void world.recorder.answered(refusal({ path, address, ...(known ? { user: `user-${source}` } : {}) }));
          sent++;
        }
        if (pause > 0) await world.clock.advance(pause);
      }
      // The store works again: at most one more pause, and the commits that were slow.
      left.length = 0;
      await world.clock.advance(36_000);
      const rows = await world.rows();
      const [first, last] = [rows[0]!.at, world.clock.now()];
      const windows = Math.ceil((last - first) / 60_000) + 1;
      await world.close();
      expect(total(rows)).toBe(sent);
      expect(rows.length).toBeLessThanOrEqual(windows * 2_001);
    },
  );
  await fc.assert(property, { seed: seedOfRun, numRuns: shareOfTries(4, 40) });
});

it('tries a failed commit again by itself, after pauses that grow up to half a minute', async () => {
  const at: number[] = [];
  let fails = true;
  const world = await opened({
    async before(clock) {
      at.push(clock.now());
      if (fails) throw new Error('The test refuses this commit');
    },
  });
  const start = world.clock.now();
  void world.recorder.answered(refusal({ path: '/a' }));
  await world.clock.advance(150_000);
  const pauses = at.map((time, index) => time - (at[index - 1] ?? start));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  fails = false;
  await world.clock.advance(30_000);
  expect(await world.rows()).toMatchObject([{ path: '/a', count: 1 }]);
  // And with the usual pause from then on.
  void world.recorder.answered(refusal({ path: '/b' }));
  await world.clock.advance(1_000);
  expect(total(await world.rows())).toBe(2);
});

it('keeps the count of requests that arrive while a commit fails', async () => {
  let first = true;
  const world = await opened({
    async before(clock) {
      if (!first) return;
      first = false;
      await clock.sleep(5_000);
      throw new Error('The test refuses this commit');
    },
  });
  const send = () => void world.recorder.answered(refusal({ path: '/a' }));
  const start = world.clock.now();
  send();
  await world.clock.advance(3_000);
  send();
  send();
  await world.clock.advance(20_000);
  expect(await world.rows()).toMatchObject([{ path: '/a', count: 3, at: start, lastAt: start + 3_000 }]);
});

it('keeps the count of what had no room when the commit with it fails', async () => {
  let fails = true;
  const world = await opened({
    async before() {
      if (fails) throw new Error('The test refuses this commit');
    },
  });
  const sent = 3_000;
  for (let each = 0; each < sent; each++) {
    void world.recorder.answered(refusal({ path: '/a', address: `10.2.${each >> 8}.${each & 255}` }));
  }
  await world.clock.advance(5_000);
  fails = false;
  await world.clock.advance(30_000);
  expect(await world.rows(`reason = 'too-many'`)).toMatchObject([{ method: '*', path: '/*', count: sent - 1_000 }]);
  expect(total(await world.rows())).toBe(sent);
  expect(world.metrics.render()).toContain(`portico_audit_dropped_total ${sent - 1_000}`);
});

it.each([true, false])(
  'writes the count of what has no room, when nothing else waits (sharesWork: %s)',
  async (sharesWork) => {
    const world = await opened({ sharesWork });
    const send = (each: number) =>
      world.recorder.answered(refusal({ path: '/a', address: `10.2.${each >> 8}.${each & 255}` }));
    for (let each = 0; each < 1_000; each++) await send(each);
    await world.clock.advance(1_000);
    expect(await world.rows()).toHaveLength(1_000);
    await send(1_000);
    if (sharesWork) await world.clock.advance(1_000);
    expect(await world.rows(`reason = 'too-many'`)).toMatchObject([{ count: 1 }]);
  },
);

it('writes everything before a question is answered, also what an earlier commit still holds', async () => {
  let slow = true;
  const world = await opened({
    async before(clock) {
      if (slow) await clock.sleep(5_000);
    },
  });
  void world.recorder.answered(refusal({ path: '/a' }));
  await world.clock.advance(1_000);
  slow = false;
  void world.recorder.answered(refusal({ path: '/b' }));
  const flushed = world.recorder.flush();
  await world.clock.advance(5_000);
  await flushed;
  expect(total(await world.rows())).toBe(2);
});

it('on an edge, an entry is written before the answer, and one that failed with the next', async () => {
  let fails = false;
  const world = await opened({
    sharesWork: false,
    async before() {
      if (fails) throw new Error('The test refuses this commit');
    },
  });
  const answered = async (path: string) => world.recorder.answered(refusal({ path }));
  await answered('/a');
  expect(total(await world.rows())).toBe(1);
  fails = true;
  await answered('/b');
  fails = false;
  await answered('/c');
  expect((await world.rows()).map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
  expect(world.clock.sleepers).toBe(0);
});

it('on an edge, no request waits for the commit of another one', async () => {
  let slow = true;
  const world = await opened({
    sharesWork: false,
    async before(clock) {
      if (slow) await clock.sleep(5_000);
    },
  });
  const first = world.recorder.answered(refusal({ path: '/a' }));
  slow = false;
  await world.recorder.answered(refusal({ path: '/b' }));
  await world.recorder.flush();
  expect((await world.rows()).map(({ path }) => path)).toEqual(['/b']);
  await world.clock.advance(5_000);
  await first;
  expect(total(await world.rows())).toBe(2);
});
