import { expect, it } from 'vitest';
import { MainThreadReads } from '../../../src/core/store/local/main-thread-reads.ts';
import { testClock } from '../../support/clock.ts';

it('a read that waited for a disk sends those behind it to the threads for a second', async () => {
  const clock = testClock();
  let now = 0;
  let takes = 0;
  const lent = { ...clock, now: () => now };
  const reads = new MainThreadReads(lent, () => {
    now += takes;
    return [[takes]];
  });
  expect(reads.read('', [])).toEqual([[0]]);
  takes = 4;
  expect(reads.read('', [])).toEqual([[4]]);
  expect(reads.read('', [])).toEqual([[4]]);
  takes = 5;
  expect(reads.read('', [])).toEqual([[5]]);
  expect(reads.read('', [])).toBeUndefined();
  now += 999;
  expect(reads.read('', [])).toBeUndefined();
  now += 1;
  expect(reads.read('', [])).toEqual([[5]]);
});

it('pages are taken for those of memory when sixteen reads one after the other waited for nothing', () => {
  let now = 0;
  let takes = 1;
  const reads = new MainThreadReads({ ...testClock(), now: () => now }, () => {
    now += takes;
    return [[takes]];
  });
  const warmAfter = (count: number) => {
    for (let time = 0; time < count; time++) reads.read('', []);
    return reads.isWarm();
  };
  expect([warmAfter(15), warmAfter(1)]).toEqual([false, true]);
  takes = 2;
  expect(warmAfter(1)).toBe(false);
  takes = 0;
  expect([warmAfter(15), warmAfter(1)]).toEqual([false, true]);
});

it('a read that is tried again while the file is locked counts as a slow one', async () => {
  let now = 0;
  const reads = new MainThreadReads({ ...testClock(), now: () => now }, async () => {
    now += 20;
    return [[1]];
  });
  expect(await reads.read('', [])).toEqual([[1]]);
  expect(reads.read('', [])).toBeUndefined();
});

it('what else has arrived goes ahead of a read', async () => {
  const order: string[] = [];
  const turns: (() => void)[] = [];
  const read = () => {
    order.push('read');
    return [[1]];
  };
  const reads = new MainThreadReads(testClock(), read, (run) => void turns.push(run));
  const rows = reads.read('', []);
  order.push('other');
  turns[0]!();
  expect(await rows).toEqual([[1]]);
  expect(order).toEqual(['other', 'read']);
});
