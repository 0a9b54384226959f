import { expect, it } from 'vitest';
import { distinct, distinctNumbers } from '../../../src/core/store/local/reduced.ts';
import { dice, seedOfRun } from '../../support/random.ts';

const all = { from: 0, below: 1000, before: 1000, limit: 10, offset: 0, atMost: 100 };
const told = (numbers: readonly number[], more: Partial<typeof all> = {}) =>
  distinct([[JSON.stringify(numbers)]], { ...all, ...more });

it('distinct numbers are told without their signs, the highest first, page by page', () => {
  expect(told([-3, 7, 3, 5, -7])).toEqual([[3, '[7,5,3]', 3]]);
  expect(told([-3, 7, 3, 5, -7], { limit: 1 })).toEqual([[3, '[7]', 1]]);
  expect(told([-3, 7, 3, 5, -7], { offset: 1 })).toEqual([[3, '[5,3]', 2]]);
  expect(told([-3, 7, 3, 5, -7], { before: 7, limit: 1 })).toEqual([[3, '[5]', 1]]);
  expect(told([-3, 7, 3, 5, -7], { before: 3 })).toEqual([[3, '[]', 0]]);
  expect(told([-3, 7, 3, 5, -7], { from: 4, below: 7 })).toEqual([[1, '[5]', 1]]);
  expect(told([])).toEqual([[0, '[]', 0]]);
});

it('of too many numbers nothing is told', () => {
  expect(told([1, 2, 3], { atMost: 2 })).toEqual([]);
  expect(told([1, 2, 3], { atMost: 3 })).toHaveLength(1);
});

it.each([
  ['near each other', 50],
  ['far from each other', 2 ** 50],
])('numbers %s are told apart', (_, most) => {
  const roll = dice(seedOfRun);
  for (let time = 0; time < 200; time++) {
    const numbers = Array.from({ length: roll(60) }, () => {
      const number = Math.floor((roll(1_000_000) / 1_000_000) * most);
      return roll(2) === 0 ? -number : number;
    });
    const [from, below] = [Math.floor(most / 10), most - Math.floor(most / 10)];
    const expected = [...new Set(numbers.map(Math.abs))].filter((number) => number >= from && number < below);
    expect(distinctNumbers(numbers, from, below)).toEqual(expected.toSorted((one, other) => other - one));
  }
});
