import { describe, expect, it } from 'vitest';
import { Gate, GateFull } from '../../src/lib/gate.ts';
import { settle } from '../support/clock.ts';
import { dice, seedOfRun, tellSeed } from '../support/random.ts';

describe('Gate', () => {
  it('runs as many as it is wide, in order, and refuses what does not fit into its queue', async () => {
    const gate = new Gate(1, 2);
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const task = (n: number) =>
      gate.run(() => {
        begun.push(n);
        return new Promise<number>((resolve) => ends.push(() => resolve(n)));
      });
    const running = [task(1), task(2), task(3)];
    await expect(task(4)).rejects.toBeInstanceOf(GateFull);
    expect([begun, gate.waiting]).toEqual([[1], 2]);
    for (let i = 0; i < 3; i++) {
      await settle();
      ends[i]!();
    }
    expect(await Promise.all(running)).toEqual([1, 2, 3]);
    expect([begun, gate.waiting]).toEqual([[1, 2, 3], 0]);
  });

  it('hands the place on when a task fails', async () => {
    const gate = new Gate(1, 1);
    const fails = gate.run(() => Promise.reject(new Error('broken')));
    const next = gate.run(async () => 'next');
    await expect(fails).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(await gate.run(async () => 'free')).toBe('free');
  });

  it('with no queue at all still runs as many as it is wide', async () => {
    const gate = new Gate(2, 0);
    const answers = await Promise.allSettled([1, 2, 3].map((n) => gate.run(async () => n)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('is never wider than it is, whatever comes and goes', async () => {
    tellSeed();
    const roll = dice(seedOfRun);
    const gate = new Gate(3, 50);
    let inside = 0;
    let most = 0;
    const task = () =>
      gate.run(async () => {
        most = Math.max(most, ++inside);
        await settle(roll(3));
        inside--;
        if (roll(4) === 0) throw new Error('broken');
      });
    for (let round = 0; round < 10; round++) {
      const tasks = Promise.allSettled(Array.from({ length: 1 + roll(10) }, task));
      await settle(roll(4));
      await tasks;
    }
    expect([most <= 3, inside, gate.waiting]).toEqual([true, 0, 0]);
  });
});
