import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../src/core/lib/fair-queue.ts';
import { dice, seedOfRun, tellSeed } from '../../support/random.ts';

const all = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken;
};

describe('FairQueue', () => {
  it('lets lines take turns on each level, and keeps the order within a line', () => {
    const queue = new FairQueue<string>();
    for (const text of ['a x 1', 'a x 2', 'a y 1', 'a x 3', 'b x 1', 'b x 2']) queue.push(text.split(' ', 2), text);
    expect(all(queue)).toEqual(['a x 1', 'b x 1', 'a y 1', 'b x 2', 'a x 2', 'a x 3']);
  });

  it('gives a newcomer in a quiet line its turn after one item of each other line', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 1000; i++) queue.push(['flood', `account ${i}`], `flood ${i}`);
    queue.push(['quiet', 'ann'], 'ann');
    expect([queue.take(), queue.take(), queue.size]).toEqual(['flood 0', 'ann', 999]);
  });

  it('drops the newest item of the longest line, and the newcomer where no line is longer than its own', () => {
    const queue = new FairQueue<string>();
    for (const text of ['a x 1', 'a y 1', 'a y 2', 'b x 1', 'c x 1']) queue.push(text.split(' ', 2), text);
    expect(queue.drop(['c', 'x'])).toBe('a y 2');
    expect(queue.drop(['a', 'x'])).toBe('a x 1');
    expect(queue.drop(['c', 'x'])).toBe('c x 1');
    expect(all(queue)).toEqual(['a y 1', 'b x 1']);
    expect(queue.drop(['c', 'x'])).toBeUndefined();
  });

  it('removes an item once', () => {
    const queue = new FairQueue<string>();
    queue.push(['a', 'x'], 'one');
    expect([queue.remove(['b', 'x'], 'one'), queue.remove(['a', 'x'], 'two')]).toEqual([false, false]);
    expect([queue.remove(['a', 'x'], 'one'), queue.remove(['a', 'x'], 'one'), queue.size]).toEqual([true, false, 0]);
  });

  it('loses nothing and gives nothing twice, whatever comes and goes', () => {
    tellSeed();
    const roll = dice(seedOfRun);
    const queue = new FairQueue<string>();
    const there = new Map<string, string[]>();
    for (let turn = 0; turn < 5000; turn++) {
      const line = [`class ${roll(2)}`, `network ${roll(4)}`, `account ${roll(4)}`];
      const what = roll(6);
      if (what < 3) {
        queue.push(line, `${turn}`);
        there.set(`${turn}`, line);
      } else if (what === 3) {
        const [item, place] = [...there][roll(there.size + 1)] ?? ['none', line];
        expect(queue.remove(place, item)).toBe(there.delete(item));
      } else {
        const item = what === 4 ? queue.take() : queue.drop(line);
        expect(item === undefined ? there.size === 0 : there.delete(item)).toBe(true);
      }
      expect(queue.size).toBe(there.size);
    }
    expect(new Set(all(queue))).toEqual(new Set(there.keys()));
  });
});
