import { expect, it } from 'vitest';
import { tallied } from '../../../src/core/store/local/reduced.ts';
import { fileStore } from '../../support/store.ts';

const every = { least: 1, most: 100, atMost: 100 };

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
  expect(tallied(rows, { ...every, most: 1 })).toEqual([['b', 2]]);
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
