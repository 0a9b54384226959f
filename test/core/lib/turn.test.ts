import { expect, it } from 'vitest';
import { KeyedQueue } from '../../../src/core/lib/turn.ts';
import { settle } from '../../support/clock.ts';

it('tasks with one key go one after the other, also behind one that fails; others wait for nothing', async () => {
  const turns = new KeyedQueue();
  const told: string[] = [];
  const ends: Record<string, () => void> = {};
  const task = (name: string) => (waited: boolean) => {
    told.push(`${name} ${waited}`);
    return new Promise<string>((resolve, reject) => {
      ends[name] = name.startsWith('bad') ? () => reject(new Error(name)) : () => resolve(name);
    });
  };
  const first = turns.take('a', task('bad'));
  const second = turns.take('a', task('next'));
  const other = turns.take('b', task('other'));
  expect(told).toEqual(['bad false', 'other false']);
  ends['bad']!();
  await expect(first).rejects.toThrow('bad');
  await settle();
  expect(told).toEqual(['bad false', 'other false', 'next true']);
  ends['next']!();
  ends['other']!();
  expect(await Promise.all([second, other])).toEqual(['next', 'other']);
  const last = turns.take('a', task('last'));
  expect(told.at(-1)).toBe('last false');
  ends['last']!();
  expect(await last).toBe('last');
});
