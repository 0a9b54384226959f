import { describe, expect, test } from 'vitest';
import type { Database, Outcome, Statement } from '../../../src/core/store/contract.ts';
import { Serials } from '../../../src/core/store/serials.ts';

/** A database whose writes end when the test says so. It has other instances where `elsewhere` says how much they took. */
function heldDatabase(elsewhere = 0) {
  const held: (() => void)[] = [];
  const given: Statement['args'][] = [];
  let next = 1;
  const write = ([statement]: readonly Statement[]) =>
    new Promise<Outcome>((resolve) => {
      held.push(() => {
        const size = statement!.returns ? Number(statement!.args[3]) : 0;
        if (statement!.returns) next += size + elsewhere;
        else given.push(statement!.args);
        resolve({ done: true, rows: [[[next - elsewhere - size, next - elsewhere]], []] });
      });
    });
  const database = { grouped: true, write } as unknown as Database;
  return { database, held, given };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('serials', () => {
  test('first blocks of several entities come by one commit', async () => {
    const written: (readonly Statement[])[] = [];
    const write = async (statements: readonly Statement[]): Promise<Outcome> => {
      written.push(statements);
      return { done: true, rows: statements.map((_, at) => (at % 2 === 0 ? [[1, 5]] : [])) };
    };
    const serials = new Serials({ grouped: false, write } as unknown as Database, 4);
    await serials.reserve(['item', 'job']);
    await serials.reserve(['item', 'job']);
    expect([serials.next('item'), serials.next('job')]).toEqual([1, 1]);
    expect(written).toHaveLength(1);
  });

  test('while half of a block is left the next one is taken, so no caller waits for it', async () => {
    const { database, held } = heldDatabase();
    const serials = new Serials(database, 4);
    const first = serials.next('User');
    expect(first).toBeInstanceOf(Promise);
    held[0]!();
    expect(await first).toBe(1);
    expect(held).toHaveLength(1);
    expect([serials.next('User'), serials.next('User')]).toEqual([2, 3]);
    expect(held, 'one block is taken ahead').toHaveLength(2);
    held[1]!();
    await turn();
    expect([4, 5, 6].map(() => serials.next('User'))).toEqual([4, 5, 6]);
  });

  test('blocks grow where callers had to wait, up to sixteen times', async () => {
    const { database, held } = heldDatabase();
    const serials = new Serials(database, 2);
    const taken: number[] = [];
    const many = Promise.all(Array.from({ length: 100 }, async () => taken.push(await serials.next('User'))));
    let sizes = 0;
    while (taken.length < 100) {
      for (; sizes < held.length; sizes++) held[sizes]!();
      await turn();
    }
    await many;
    expect(taken).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(held.length, 'blocks of 2, 4, 8, 16, 32 and again').toBeLessThan(10);
  });

  test.each([
    [64, [64, 64, 128, 256, 512, 1024, 1024]],
    [10_000, [10_000, 10_000, 20_000, 20_000, 20_000, 20_000, 20_000]],
    [100_000, Array(7).fill(100_000)],
  ])('blocks of %s grow to a size that a restored database skips', async (size, expected) => {
    const sizes: unknown[] = [];
    let next = 1;
    const write = async ([{ args }]: readonly [Statement]): Promise<Outcome> => {
      const size = Number(args[3]);
      sizes.push(size);
      next += size;
      return { done: true, rows: [[[next - size, next]], []] };
    };
    const serials = new Serials({ grouped: true, write } as unknown as Database, size);
    while (sizes.length < expected.length) {
      const serial = serials.next('User');
      if (typeof serial !== 'number') await serial;
    }
    expect(sizes).toEqual(expected);
  });

  test.each([
    ['two blocks goes back together', 0, ['User', 3, 9]],
    ['the later of two blocks goes back, with those of another instance before it', 10, ['User', 15, 19]],
  ])('what is left of %s', async (_, elsewhere, expected) => {
    const { database, held, given } = heldDatabase(elsewhere);
    const serials = new Serials(database, 4);
    const first = serials.next('User');
    held[0]!();
    await first;
    serials.next('User');
    const closing = serials.close();
    for (let at = 1; at < 3; at++) {
      await turn();
      held[at]!();
    }
    await closing;
    expect(given).toEqual([expected]);
  });

  test('blocks do not grow where another instance has higher ids', async () => {
    const { database, held } = heldDatabase(50);
    const sizes: unknown[] = [];
    const write: Database['write'] = (statements) => {
      sizes.push(statements[0]!.args[3]);
      const outcome = database.write(statements);
      held.at(-1)!();
      return outcome;
    };
    const serials = new Serials({ grouped: true, write } as unknown as Database, 4);
    let above = 0;
    for (let round = 0; round < 10; round++) {
      const serial = await serials.next('User', above);
      expect(serial).toBeGreaterThan(above);
      above = serial + 40;
    }
    expect(sizes).toEqual(Array(10).fill(4));
  });

  test('a block that could not be taken ahead is asked for again by the caller that needs it', async () => {
    let fails = false;
    let next = 1;
    const write = async ([{ args }]: readonly [Statement]): Promise<Outcome> => {
      if (fails) throw new Error('disk full');
      const size = Number(args[3]);
      next += size;
      return { done: true, rows: [[[next - size, next]], []] };
    };
    const serials = new Serials({ grouped: true, write } as unknown as Database, 4);
    expect(await serials.next('User')).toBe(1);
    fails = true;
    for (const serial of [2, 3, 4]) {
      expect(serials.next('User')).toBe(serial);
      await turn();
    }
    await expect(serials.next('User')).rejects.toThrow('disk full');
    fails = false;
    expect(await serials.next('User')).toBe(5);
  });
});
