import { expect, it } from 'vitest';
import type { Reader } from '../../../src/core/store/statement.ts';
import { UntilCommit, VersionCache } from '../../../src/core/store/until-commit.ts';

/** A reader whose connection tells of commits, and what it was asked. */
function told() {
  const asked: string[] = [];
  const state = { version: 1 };
  const read = (sql: string) => {
    asked.push(sql);
    return [[state.version]];
  };
  const origin = {};
  const reader: Reader = { origin, lookups: { read }, read: () => [] };
  const value = (text: string) => () => {
    asked.push(text);
    return text;
  };
  return { asked, state, reader, origin, value };
}

const pragma = 'PRAGMA data_version';

it('a value is read once, and again after a commit, whose number is asked first', async () => {
  const { asked, state, reader, value } = told();
  const kept = new UntilCommit<string>(10, () => true);
  expect(await kept.get(reader, 'a', value('one'))).toBe('one');
  expect(await kept.get({ ...reader }, 'a', value('two'))).toBe('one');
  expect(await kept.get(reader, 'b', value('three'))).toBe('three');
  state.version = 2;
  expect(await kept.get(reader, 'a', value('four'))).toBe('four');
  expect(asked).toEqual([pragma, 'one', pragma, pragma, 'three', pragma, 'four']);
});

it('what is read while somebody commits is not taken for what is there afterwards', async () => {
  const { state, reader } = told();
  const kept = new UntilCommit<string>(10, () => true);
  const slow = kept.get(reader, 'a', async () => {
    state.version = 2;
    return 'before';
  });
  expect(await slow).toBe('before');
  expect(await kept.get(reader, 'a', () => 'after')).toBe('after');
});

it('nothing is kept of readers that are told of no commit, of other databases, and of large values', async () => {
  const { reader, value } = told();
  const kept = new UntilCommit<string>(10, (key, text) => key.length + text.length < 8);
  const { lookups: _, ...deaf } = reader;
  for (const text of ['one', 'two']) expect(await kept.get(deaf, 'a', value(text))).toBe(text);
  for (const text of ['one', 'two']) expect(await kept.get({ ...reader, origin: {} }, 'a', value(text))).toBe(text);
  for (const text of ['one million', 'two millions']) expect(await kept.get(reader, 'a', value(text))).toBe(text);
});

it('no more than a number of values are kept of a database', async () => {
  const { asked, reader, value } = told();
  const kept = new UntilCommit<string>(2, () => true);
  for (const key of ['a', 'b', 'c', 'a', 'c']) await kept.get(reader, key, value(key));
  expect(asked.filter((each) => each !== pragma)).toEqual(['a', 'b', 'c', 'a']);
});

it('a value of a version that comes again in a restored database is not the one of before', () => {
  const { reader } = told();
  const kept = new VersionCache<string>(10, () => true);
  kept.keep(reader, 2, 'a', 'before');
  expect(kept.find(reader, 2, 'a')).toBe('before');
  expect(kept.find(reader, 1, 'a')).toBeUndefined();
  expect(kept.find(reader, 2, 'a')).toBeUndefined();
});

it('a value that comes late, for an older version than others have seen, is not kept', () => {
  const { reader } = told();
  const kept = new VersionCache<string>(10, () => true);
  kept.find(reader, 2, 'a');
  kept.keep(reader, 1, 'a', 'late');
  kept.keep(reader, 2, 'b', 'now');
  expect([kept.find(reader, 2, 'a'), kept.find(reader, 2, 'b')]).toEqual([undefined, 'now']);
});
