import { describe, expect, it } from 'vitest';
import { Gate, GateFull } from '../../../src/core/lib/gate.ts';
import { settle, testClock } from '../../support/clock.ts';
import { dice, seedOfRun, tellSeed } from '../../support/random.ts';

const maxWait = 5_000;
const inLine = { line: ['one'] };
const gateOf = (width: number, depth: number) => new Gate({ width, depth, maxWait }, testClock());

describe('Gate', () => {
  it('runs as many as it is wide, in order, and refuses what does not fit into its queue', async () => {
    const gate = gateOf(1, 2);
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const task = (n: number) =>
      gate.run(() => {
        begun.push(n);
        return new Promise<number>((resolve) => ends.push(() => resolve(n)));
      }, inLine);
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
    const gate = gateOf(1, 1);
    const fails = gate.run(() => Promise.reject(new Error('broken')), inLine);
    const next = gate.run(async () => 'next', inLine);
    await expect(fails).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(await gate.run(async () => 'free', inLine)).toBe('free');
  });

  it('with no queue at all still runs as many as it is wide', async () => {
    const gate = gateOf(2, 0);
    const answers = await Promise.allSettled([1, 2, 3].map((n) => gate.run(async () => n, inLine)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('is never wider than it is, whatever comes and goes', async () => {
    tellSeed();
    const roll = dice(seedOfRun);
    const gate = gateOf(3, 50);
    let inside = 0;
    let max = 0;
    const task = () =>
      gate.run(async () => {
        max = Math.max(max, ++inside);
        await settle(roll(3));
        inside--;
        if (roll(4) === 0) throw new Error('broken');
      }, inLine);
    for (let round = 0; round < 10; round++) {
      const tasks = Promise.allSettled(Array.from({ length: 1 + roll(10) }, task));
      await settle(roll(4));
      await tasks;
    }
    expect([max <= 3, inside, gate.waiting]).toEqual([true, 0, 0]);
  });

  it('gives up a wait that takes too long, lets the others go on, and stops no task that has begun', async () => {
    const clock = testClock();
    const gate = new Gate({ width: 1, depth: 10, maxWait }, clock);
    let end = () => {};
    const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)), inLine);
    const late = expect(gate.run(async () => 'late', inLine)).rejects.toBeInstanceOf(GateFull);
    const hurried = expect(gate.run(async () => 'hurried', { ...inLine, maxWait: 10 })).rejects.toBeInstanceOf(
      GateFull,
    );
    await clock.advance(10);
    await hurried;
    expect(gate.waiting).toBe(1);
    await clock.advance(maxWait - 11);
    const next = gate.run(async () => 'next', inLine);
    await clock.advance(1);
    await late;
    end();
    expect([await next, await first, gate.waiting, gate.taken, clock.sleepers]).toEqual([
      'next',
      undefined,
      0,
      false,
      0,
    ]);
  });

  it('pauses the patience of what waits, for as long as it waits', async () => {
    const clock = testClock();
    const gate = new Gate({ width: 1, depth: 1, maxWait }, clock);
    const told: string[] = [];
    const patience = { pause: () => told.push('pause'), resume: () => told.push('resume') };
    await gate.run(async () => told.push('free'), { ...inLine, patience });
    let end = () => {};
    const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)), inLine);
    const second = gate.run(async () => told.push('turn'), { ...inLine, patience });
    await expect(gate.run(async () => 0, { ...inLine, patience })).rejects.toBeInstanceOf(GateFull);
    end();
    await Promise.all([first, second]);
    expect(told).toEqual(['free', 'pause', 'pause', 'resume', 'resume', 'turn']);
  });

  it('lets a task whose signal ends leave the queue, and stops none that has begun', async () => {
    const gate = new Gate({ width: 1 });
    const [begun, waiting] = [new AbortController(), new AbortController()];
    let end = () => {};
    const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)), begun);
    const left = expect(gate.run(async () => 'left', waiting)).rejects.toThrow('gone');
    const next = gate.run(async () => 'next');
    for (const each of [begun, waiting]) each.abort(new Error('gone'));
    await left;
    expect(gate.waiting).toBe(1);
    end();
    expect([await first, await next, gate.taken]).toEqual([undefined, 'next', false]);
  });

  it('drops from the longest line when it is full', async () => {
    const gate = gateOf(1, 3);
    let end = () => {};
    const told: unknown[] = [];
    const run = (line: string) =>
      gate.run(async () => told.push(line), { line: [line] }).catch(() => told.push(`no ${line}`));
    const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)), inLine);
    const all = ['a', 'a', 'a', 'b', 'a', 'c'].map(run);
    await settle();
    expect(told).toEqual(['no a', 'no a', 'no a']);
    end();
    await Promise.all([first, ...all]);
    expect(told.slice(3)).toEqual(['a', 'b', 'c']);
  });
});
