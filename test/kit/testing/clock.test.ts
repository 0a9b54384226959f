import { describe, expect, it } from 'vitest';
import { manualClock, seededRandom } from '../../../src/kit/testing/index.ts';

describe('manualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = manualClock(5_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(clock.now()).toBe(5_000);
    await clock.advance(30);
    expect(clock.now()).toBe(5_030);
  });

  it('ends each sleep at its own moment, in order, and those that follow from one', async () => {
    const clock = manualClock(0);
    const ended: [string, number][] = [];
    const sleep = async (name: string, milliseconds: number) => {
      await clock.sleep(milliseconds);
      ended.push([name, clock.now()]);
    };
    const all = [sleep('late', 30), sleep('early', 10).then(() => sleep('next', 5)), sleep('later', 31)];
    expect(clock.sleepers).toBe(3);
    await clock.advance(30);
    expect(ended).toEqual([
      ['early', 10],
      ['next', 15],
      ['late', 30],
    ]);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    await Promise.all(all);
    expect(ended.at(-1)).toEqual(['later', 31]);
  });

  it('lets a sleep be given up, before it and during it', async () => {
    const clock = manualClock();
    const reason = new Error('enough');
    const giveUp = new AbortController();
    const sleeping = clock.sleep(10, giveUp.signal);
    giveUp.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(10, giveUp.signal)).rejects.toBe(reason);
    expect(clock.sleepers).toBe(0);
  });
});

describe('seededRandom', () => {
  it('gives the same bytes for the same seed, however they are asked for', () => {
    expect([...seededRandom(1).bytes(4)]).toEqual([114, 240, 253, 57]);
    const random = seededRandom(1);
    expect([...random.bytes(1), ...random.bytes(3)]).toEqual([114, 240, 253, 57]);
    expect([...seededRandom(2).bytes(4)]).not.toEqual([114, 240, 253, 57]);
  });

  it('prefers no byte', () => {
    const counts = new Array<number>(256).fill(0);
    for (const byte of seededRandom(7).bytes(256_000)) counts[byte]!++;
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1_150);
  });
});
