import { describe, expect, it } from 'vitest';
import { settle } from '../../support/clock.ts';
import { openPool } from './pool.ts';

const texts = (caller: string, count: number) => Array.from({ length: count }, (_, n) => `${caller}${n}`);

describe('a pool of readers', () => {
  it('starts a reader when a query finds none idle, and no other', async () => {
    const { readers, ask, answer } = openPool();
    expect(readers).toHaveLength(0);
    for (const sql of ['one', 'two']) {
      const rows = ask('anna', sql);
      await answer(sql);
      expect(await rows).toEqual([[sql]]);
    }
    expect(readers).toHaveLength(1);
  });

  it('an attack by one account that fills the pool leaves half of it to others', async () => {
    const { running, outcome, answer, pool } = openPool();
    const mine = texts('anna', 6).map((sql) => outcome('anna', sql));
    await settle();
    expect([...running.keys()]).toEqual(['anna0', 'anna1']);
    expect(await outcome('anna', 'one more')).toBe('429 too-many-queries 1');
    const other = outcome('bert', 'bert0');
    await settle();
    expect([...running.keys()]).toEqual(['anna0', 'anna1', 'bert0']);
    expect(pool.figures).toEqual({ queriesRunning: 3, queriesWaiting: 4, queriesLate: 0 });
    await answer('bert0');
    expect(await other).toBe('rows');
    for (const sql of texts('anna', 6)) await answer(sql);
    expect(new Set(await Promise.all(mine))).toEqual(new Set(['rows']));
    expect(pool.figures).toEqual({ queriesRunning: 0, queriesWaiting: 0, queriesLate: 0 });
  });

  it('does a reading that need not wait for a reader, and no other', async () => {
    const { pool, ask, answer } = openPool();
    expect(await pool.perform('anna', 'search', { text: 'x' })).toEqual(['search', { text: 'x' }, 10_000]);
    const mine = texts('anna', 2).map((sql) => ask('anna', sql));
    await settle();
    expect(pool.perform('anna', 'search', {})).toBeUndefined();
    expect(await pool.perform('bert', 'search', {})).toEqual(['search', {}, 10_000]);
    const others = texts('carl', 2).map((sql) => ask('carl', sql));
    await settle();
    expect(pool.perform('bert', 'search', {})).toBeUndefined();
    for (const sql of [...texts('anna', 2), ...texts('carl', 2)]) await answer(sql);
    await Promise.all([...mine, ...others]);
    expect(await pool.perform('anna', 'search', {})).toEqual(['search', {}, 10_000]);
    await pool.close();
    expect(pool.perform('anna', 'search', {})).toBeUndefined();
  });

  it('asks no reader that has ended while it was idle', async () => {
    const { readers, ask, answer, running } = openPool();
    const first = ask('anna', 'one');
    await answer('one');
    await first;
    readers[0]!.alive = false;
    const second = ask('anna', 'two');
    await settle();
    expect(readers).toHaveLength(2);
    expect([...running.keys()]).toEqual(['two']);
    await answer('two');
    expect(await second).toEqual([['two']]);
  });

  it('that is full refuses the newest query of the account with the most', async () => {
    const { running, outcome, askAll, clock } = openPool({ queue: 4 });
    const all = await askAll('anna0', 'anna1', 'bert0', 'bert1', 'carl0', 'carl1', 'carl2', 'dora0');
    expect(running.size).toBe(4);
    const emil = outcome('emil', 'emil0');
    expect(await all[6]).toBe('503 busy 1');
    const anna = outcome('anna', 'anna2');
    expect(await all[5]).toBe('503 busy 1');
    expect(await outcome('dora', 'dora1')).toBe('503 busy 1');
    expect(await outcome('fred', 'fred0')).toBe('503 busy 1');
    await clock.advance(10_000);
    const others = [...all.slice(0, 5), all[7], emil, anna];
    expect(new Set(await Promise.all(others))).toEqual(new Set(['503 query-too-long 5']));
  });

  it('interrupts what takes too long, and gives its reader to the next query once it has ended', async () => {
    const { pool, running, readers, outcome, clock, answer } = openPool({ readers: 1 });
    const slow = outcome('anna', 'slow');
    await clock.advance(9_000);
    const waits = outcome('bert', 'next');
    await clock.advance(1_000);
    expect(await slow).toBe('503 query-too-long 5');
    expect([[...running.keys()], readers[0]!.interrupted]).toEqual([['slow'], 1]);
    expect(pool.figures).toEqual({ queriesRunning: 1, queriesWaiting: 1, queriesLate: 1 });
    await answer('slow');
    expect([...running.keys()]).toEqual(['next']);
    await answer('next');
    expect(await waits).toBe('rows');
    expect([readers.length, readers[0]!.interrupted]).toEqual([1, 1]);
    expect(pool.figures).toEqual({ queriesRunning: 0, queriesWaiting: 0, queriesLate: 0 });
  });

  it('refuses the query of a thread that ends, and starts another one for the next', async () => {
    const { running, readers, outcome, answer } = openPool();
    const lost = outcome('anna', 'lost');
    await settle();
    running.get('lost')!.fail();
    expect(await lost).toBe('503 store-unavailable 2');
    const next = outcome('anna', 'next');
    await settle();
    await answer('next');
    expect([await next, readers.length]).toEqual(['rows', 2]);
  });

  it('that is interrupted ends what runs and what waits, and takes no more', async () => {
    const { pool, readers, outcome, answer } = openPool({ readers: 1 });
    const both = [outcome('anna', 'runs'), outcome('bert', 'waits')];
    await settle();
    pool.interrupt();
    expect(await Promise.all(both)).toEqual(['503 store-unavailable 2', '503 store-unavailable 2']);
    expect(readers[0]!.interrupted).toBe(1);
    expect(pool.perform('anna', 'search', {})).toBeUndefined();
    expect(await outcome('carl', 'more')).toBe('503 store-unavailable 2');
    const closing = pool.close();
    await answer('runs');
    await closing;
    expect(readers[0]!.closed).toBe(true);
  });

  it('finishes what it accepted when it closes, within its time, and ends its readers', async () => {
    const { pool, readers, outcome, clock, answer } = openPool({ readers: 2 });
    const [runs, waits, hangs] = [outcome('anna', 'runs'), outcome('anna', 'waits'), outcome('bert', 'hangs')];
    await settle();
    let isClosed = false;
    const closing = pool.close().then(() => {
      isClosed = true;
    });
    expect(await outcome('carl', 'late')).toBe('503 store-unavailable 2');
    await answer('runs');
    await answer('waits');
    expect([await runs, await waits, isClosed]).toEqual(['rows', 'rows', false]);
    await clock.advance(10_000);
    expect(await hangs).toBe('503 query-too-long 5');
    await closing;
    await answer('hangs');
    expect(readers.every(({ closed }) => closed)).toBe(true);
  });
});
