import { expect, it } from 'vitest';
import { onceMade } from '../../src/entry/host.ts';

function counted() {
  const made: string[] = [];
  const ends: (() => void)[] = [];
  const digest = onceMade(
    (text) => {
      made.push(text);
      return `digest of ${text}`;
    },
    (forget) => void ends.push(forget),
  );
  return { made, ends, digest };
}

it('makes a digest once for requests that come together', () => {
  const { made, digest } = counted();
  expect([digest('a'), digest('b'), digest('a')]).toEqual(['digest of a', 'digest of b', 'digest of a']);
  expect(made).toEqual(['a', 'b']);
});

it('forgets all texts soon, and begins anew', () => {
  const { made, ends, digest } = counted();
  digest('a');
  digest('b');
  expect(ends).toHaveLength(1);
  ends[0]!();
  digest('a');
  expect([made, ends.length]).toEqual([['a', 'b', 'a'], 2]);
});

it('keeps few texts, and no long ones', () => {
  const { made, digest } = counted();
  const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
  for (const text of [...texts, ...texts]) digest(text);
  expect(made).toHaveLength(100 + 36);
  const long = 'x'.repeat(1000);
  const { made: again, digest: other } = counted();
  expect([other(long), other(long)]).toHaveLength(2);
  expect(again).toHaveLength(2);
});
