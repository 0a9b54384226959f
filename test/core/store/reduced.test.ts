import { expect, it } from 'vitest';
import { dedupedPage, distinctNumbers, tallied } from '../../../src/core/store/local/reduced.ts';
import { dice, seedOfRun } from '../../support/random.ts';
import { fileStore } from '../../support/store.ts';

const all = { from: 0, below: 1000, before: 1000, limit: 10, offset: 0, atMost: 100 };
const told = (numbers: readonly number[], more: Partial<typeof all> = {}) =>
  dedupedPage([[JSON.stringify(numbers)]], { ...all, ...more });

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
])('numbers %s are told apart', (_, max) => {
  const roll = dice(seedOfRun);
  for (let time = 0; time < 200; time++) {
    const numbers = Array.from({ length: roll(60) }, () => {
      const number = Math.floor((roll(1_000_000) / 1_000_000) * max);
      return roll(2) === 0 ? -number : number;
    });
    const [from, below] = [Math.floor(max / 10), max - Math.floor(max / 10)];
    const expected = [...new Set(numbers.map(Math.abs))].filter((number) => number >= from && number < below);
    expect(distinctNumbers(numbers, from, below)).toEqual(expected.toSorted((one, other) => other - one));
  }
});

const every = { least: 1, max: 100, atMost: 100 };

it('a tally has the most frequent texts first, and equal ones in the order of their bytes', () => {
  const texts = ['b', 'a', '\u{1f600}', '\uffee', 'b', 'é', 'a', 'b', '', '__proto__'];
  expect(tallied([[JSON.stringify(texts)]], every)).toEqual([
    ['b', 3],
    ['a', 2],
    ['', 1],
    ['__proto__', 1],
    ['é', 1],
    ['\uffee', 1],
    ['\u{1f600}', 1],
  ]);
});

it('a tally leaves out what is rare, what is behind the last place, and all of too many', () => {
  const rows = [[JSON.stringify(['a', 'b', 'b', 'c', 'c'])]];
  expect(tallied(rows, { ...every, least: 2 })).toEqual([
    ['b', 2],
    ['c', 2],
  ]);
  expect(tallied(rows, { ...every, max: 1 })).toEqual([['b', 2]]);
  expect(tallied(rows, { ...every, atMost: 5 })).toHaveLength(3);
  expect(tallied(rows, { ...every, atMost: 4 })).toEqual([]);
  expect(tallied([], every)).toEqual([]);
  expect(tallied([['["a",null,"a"]']], every)).toEqual([]);
});

it('a thread counts what grouping would count', async () => {
  const store = await fileStore();
  const some = `SELECT 'text ' || (value * value % 37) AS text FROM generate_series`;
  const numbers =
    'WITH RECURSIVE generate_series (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM generate_series LIMIT ?)';
  const reader = store.reader('ann');
  const counted = await reader.tally!(`${numbers} SELECT json_group_array(text) FROM (${some})`, [500], {
    ...every,
    atMost: 500,
  });
  const grouped = await reader.read(
    `${numbers} SELECT text, count(*) AS n FROM (${some}) GROUP BY 1 ORDER BY n DESC, text`,
    [500],
  );
  expect(counted).toEqual(grouped);
  expect(counted.length).toBeGreaterThan(10);
  await store.close();
});
