import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { PoolSettings } from '../../../src/core/store/local/reader-pool.ts';
import { settle } from '../../support/clock.ts';
import { fileStore } from '../../support/store.ts';
import { openPool } from './pool.ts';

describe('a pool whose readers do long queries', () => {
  it('takes one from the account that uses most, for an account without any', async () => {
    const { clock, running, interrupted, readers, outcome, answer, stop, askAll } = openPool();
    const long = await askAll('anna0', 'anna1', 'bert0', 'carl0');
    await clock.advance(20);
    const emil = outcome('emil', 'emil0');
    await clock.advance(20);
    expect(interrupted).toEqual([]);
    await clock.advance(20);
    expect(interrupted).toEqual(['anna1']);
    await stop('anna1');
    expect([...running.keys()]).toEqual(['anna0', 'bert0', 'carl0', 'emil0']);
    await answer('emil0');
    expect(await emil).toBe('rows');
    expect([...running.keys()]).toEqual(['anna0', 'bert0', 'carl0', 'anna1']);
    for (const sql of [...running.keys()]) await answer(sql);
    expect(new Set(await Promise.all(long))).toEqual(new Set(['rows']));
    expect(readers).toHaveLength(4);
  });

  it('takes the same one again, so that the others come to their end', async () => {
    const { clock, interrupted, outcome, answer, stop, askAll } = openPool();
    await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(100);
    for (const sql of ['emil0', 'emil1', 'emil2']) {
      const emil = outcome('emil', sql);
      await stop('anna0');
      await answer(sql);
      expect(await emil).toBe('rows');
      await clock.advance(1);
    }
    expect(interrupted).toEqual(['anna0', 'anna0', 'anna0']);
  });

  it('leaves half of them to long queries, and tells short ones apart from those', async () => {
    const { clock, running, interrupted, outcome, answer, stop, askAll } = openPool();
    await askAll('anna0', 'anna1', 'bert0', 'bert1');
    await clock.advance(100);
    const [emil, fred, gina] = ['emil', 'fred', 'gina'].map((caller) => outcome(caller, caller));
    await settle();
    expect(interrupted).toEqual(['anna1', 'bert1']);
    for (const sql of interrupted) await stop(sql);
    expect([...running.keys()]).toEqual(['anna0', 'bert0', 'emil', 'fred']);
    await clock.advance(40);
    await answer('emil');
    expect([...running.keys()]).toEqual(['anna0', 'bert0', 'fred', 'gina']);
    await answer('fred');
    await answer('gina');
    expect(await Promise.all([emil, fred, gina])).toEqual(['rows', 'rows', 'rows']);
    expect([interrupted.length, running.size]).toEqual([2, 4]);
  });

  it('takes one for an account that lost one when others have taken more than twice as long', async () => {
    const { clock, running, interrupted, outcome, answer, stop, askAll } = openPool();
    await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(100);
    const emil = outcome('emil', 'emil0');
    await stop('anna0');
    void outcome('anna', 'anna1');
    await clock.advance(140);
    expect(interrupted).toEqual(['anna0']);
    await clock.advance(20);
    expect(interrupted).toEqual(['anna0', 'bert0']);
    await stop('bert0');
    expect([...running.keys()]).toEqual(['carl0', 'dora0', 'emil0', 'anna0']);
    await answer('emil0');
    expect(await emil).toBe('rows');
    expect([...running.keys()]).toEqual(['carl0', 'dora0', 'anna0', 'bert0']);
    await clock.advance(1_000);
    expect(interrupted).toEqual(['anna0', 'bert0']);
  });

  it('gives the next free one to the account whose last start is longest ago', async () => {
    const { running, outcome, answer, askAll } = openPool({ readers: 2 });
    await askAll('anna0', 'bert0', 'anna1', 'bert1', 'anna2');
    void outcome('emil', 'emil0');
    await answer('bert0');
    expect([...running.keys()]).toEqual(['anna0', 'emil0']);
    await answer('anna0');
    expect([...running.keys()]).toEqual(['emil0', 'anna1']);
    await answer('emil0');
    expect([...running.keys()]).toEqual(['anna1', 'bert1']);
  });

  it('answers an interrupted query that ends at the same moment', async () => {
    const { clock, running, outcome, answer, askAll } = openPool();
    const [anna] = await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(100);
    void outcome('emil', 'emil0');
    await answer('anna0');
    expect(await anna).toBe('rows');
    expect([...running.keys()]).toEqual(['bert0', 'carl0', 'dora0', 'emil0']);
  });

  it('refuses an interrupted query whose thread ends', async () => {
    const { clock, running, readers, outcome, askAll } = openPool();
    const [anna] = await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(100);
    void outcome('emil', 'emil0');
    running.get('anna0')!.fail();
    expect(await anna).toBe('503 store-unavailable 2');
    await settle();
    expect([running.has('emil0'), readers.length]).toEqual([true, 5]);
  });

  it('refuses an interrupted query at the time that it had from its beginning', async () => {
    const { clock, pool, running, outcome, stop, answer, askAll } = openPool();
    const [anna] = await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(9_000);
    const emil = outcome('emil', 'emil0');
    await stop('anna0');
    await clock.advance(996);
    expect(await anna).toBe('503 query-too-long 5');
    await answer('emil0');
    expect(await emil).toBe('rows');
    expect(running.has('anna0')).toBe(false);
    await clock.advance(10);
    expect(pool.figures).toEqual({ queriesRunning: 3, queriesWaiting: 0, queriesLate: 3 });
  });

  it('interrupts a query once, also where its time is over meanwhile', async () => {
    const { clock, pool, interrupted, outcome, stop, askAll } = openPool();
    await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(9_000);
    void outcome('emil', 'emil0');
    await clock.advance(1_000);
    expect(interrupted).toEqual(['anna0', 'bert0', 'carl0', 'dora0']);
    for (const sql of interrupted) await stop(sql);
    expect(pool.figures).toEqual({ queriesRunning: 1, queriesWaiting: 0, queriesLate: 0 });
  });

  it('takes one for a reading, and from a reading', async () => {
    const { clock, pool, interrupted, running, answer, stop, askAll } = openPool();
    const slow = pool.perform('anna', 'slow', {});
    const rest = await askAll('bert0', 'carl0', 'dora0');
    expect(pool.perform('emil', 'search', {})).toBeUndefined();
    await clock.advance(100);
    const found = pool.perform('emil', 'search', {});
    expect(interrupted).toEqual(['slow']);
    await stop('slow');
    expect(await found).toEqual(['search', {}, 10_000]);
    expect(running.has('slow')).toBe(true);
    for (const sql of [...running.keys()]) await answer(sql);
    expect(await slow).toEqual(['slow']);
    expect(await Promise.all(rest)).toEqual(['rows', 'rows', 'rows']);
  });

  it('takes none from a statement that no interrupt reaches', async () => {
    const { clock, interrupted, outcome, askAll } = openPool();
    await askAll('PRAGMA log', 'bert0', 'carl0', 'dora0');
    await clock.advance(100);
    void outcome('emil', 'emil0');
    expect(interrupted).toEqual(['bert0']);
  });

  it('does no interrupted query again once it stops', async () => {
    const { clock, pool, running, outcome, stop, askAll } = openPool();
    const [anna] = await askAll('anna0', 'bert0', 'carl0', 'dora0');
    await clock.advance(100);
    void outcome('emil', 'emil0');
    pool.interrupt();
    expect(await anna).toBe('503 store-unavailable 2');
    await stop('anna0');
    expect([...running.keys()]).toEqual(['bert0', 'carl0', 'dora0']);
  });
});

describe('a pool whose readers begin', () => {
  /** Readers that begin when the test says so. */
  function beginning(settings: Partial<PoolSettings> = {}) {
    const prepared: { forReadings: boolean; done(): Promise<void>; fail(): Promise<void> }[] = [];
    const prepare = (forReadings: boolean) =>
      new Promise<void>((resolve, reject) => {
        const done = () => settle(void resolve());
        const fail = () => settle(void reject(new Error('No thread')));
        prepared.push({ forReadings, done, fail });
      });
    return { ...openPool(settings, prepare), prepared };
  }

  it('gives the first one to the next account, while the others begin', async () => {
    const { running, prepared, outcome, answer, askAll } = beginning();
    const long = await askAll('anna0', 'anna1', 'anna2', 'bert0');
    expect([prepared.length, running.size]).toEqual([3, 0]);
    await prepared[1]!.done();
    expect([...running.keys()]).toEqual(['anna0']);
    const emil = outcome('emil', 'emil0');
    expect(prepared).toHaveLength(4);
    await answer('anna0');
    expect([...running.keys()]).toEqual(['bert0']);
    await prepared[0]!.done();
    expect([...running.keys()]).toEqual(['bert0', 'emil0']);
    await answer('emil0');
    expect([await emil, await long[0]]).toEqual(['rows', 'rows']);
    expect([...running.keys()]).toEqual(['bert0', 'anna1']);
  });

  it('takes the only one that has begun from a long query', async () => {
    const { clock, running, prepared, interrupted, outcome, stop, askAll } = beginning();
    await askAll('anna0', 'bert0');
    await prepared[0]!.done();
    await clock.advance(100);
    void outcome('emil', 'emil0');
    expect(interrupted).toEqual(['anna0']);
    await stop('anna0');
    expect([...running.keys()]).toEqual(['bert0']);
  });

  it('bounds what waits for them', async () => {
    const { outcome, askAll } = beginning({ queue: 2 });
    const [, , newest] = await askAll('anna0', 'anna1', 'anna2');
    expect(await outcome('anna', 'anna3')).toBe('429 too-many-queries 1');
    await askAll('bert0', 'bert1', 'carl0', 'carl1');
    expect(await newest).toBe('503 busy 1');
    expect(await outcome('carl', 'carl2')).toBe('503 busy 1');
  });

  it('refuses one query for each that does not begin', async () => {
    const { running, prepared, askAll } = beginning();
    const [anna, bert] = await askAll('anna0', 'bert0');
    await prepared[0]!.fail();
    expect(await anna).toBe('503 store-unavailable 2');
    await prepared[1]!.done();
    expect([...running.keys()]).toEqual(['bert0']);
    running.get('bert0')!.answer();
    expect(await bert).toBe('rows');
  });

  it('prepares those for readings that were there for queries alone', async () => {
    const { pool, prepared, outcome, answer } = beginning();
    const anna = outcome('anna', 'anna0');
    await prepared[0]!.done();
    await answer('anna0');
    expect(await anna).toBe('rows');
    const reading = pool.perform('anna', 'search', {});
    expect(prepared.map(({ forReadings }) => forReadings)).toEqual([false, true]);
    await prepared[1]!.done();
    expect(await reading).toEqual(['search', {}, 10_000]);
    expect(await pool.perform('bert', 'search', {})).toEqual(['search', {}, 10_000]);
  });

  it('prepares all of them once there are readings, one after the other', async () => {
    const { pool, readers, prepared, running, askAll, clock } = beginning();
    const reading = pool.perform('anna', 'search', {});
    for (let done = 0; done < 4; done++) {
      expect(prepared.map(({ forReadings }) => forReadings)).toEqual(Array(done + 1).fill(true));
      await prepared[done]!.done();
    }
    expect(await reading).toEqual(['search', {}, 10_000]);
    expect(readers).toHaveLength(4);
    await askAll('anna0', 'bert0', 'carl0', 'dora0');
    expect(running.size).toBe(4);
    await clock.advance(10_000);
    expect(prepared).toHaveLength(4);
  });

  it('prepares none ahead once it stops, and does not try again what failed', async () => {
    for (const ends of ['interrupt', 'close'] as const) {
      const { pool, prepared } = beginning();
      const reading = pool.perform('anna', 'search', {})!.catch(() => 'refused');
      const ended = pool[ends]();
      await prepared[0]!.done();
      await Promise.all([reading, ended]);
      expect(prepared).toHaveLength(1);
    }
    const { pool, prepared } = beginning();
    const reading = pool.perform('anna', 'search', {});
    await prepared[0]!.done();
    await reading;
    await prepared[1]!.fail();
    expect(prepared).toHaveLength(2);
  });

  it('ends those that begin when it closes', async () => {
    const { clock, pool, readers, prepared, outcome } = beginning();
    const anna = outcome('anna', 'anna0');
    await clock.advance(10_000);
    expect(await anna).toBe('503 query-too-long 5');
    const closing = pool.close();
    await settle();
    expect(readers[0]!.closed).toBe(false);
    await prepared[0]!.done();
    await closing;
    expect(readers[0]!.closed).toBe(true);
  });
});

/** How much each thread of this process steps back, by its number. */
const steps = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((task) => {
      const fields = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return [task, Number(fields[16])];
    }),
  );

it.runIf(platform() === 'linux')('the threads of queries step back behind those that serve and write', async () => {
  const store = await fileStore();
  const before = steps();
  await store.query('ann', 'SELECT 1');
  const after = steps();
  for (const [task, step] of before) if (after.has(task)) expect(after.get(task)).toBe(step);
  const defaultValue = before.get(String(process.pid))!;
  const come = [...after].filter(([task]) => !before.has(task)).map(([, step]) => step);
  expect(come).toContain(Math.min(defaultValue + 5, 19));
  await store.close();
});
