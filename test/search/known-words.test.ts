import { expect, it } from 'vitest';
import { KnownWords } from '../../src/search/index/known-words.ts';
import type { IndexDoc } from '../../src/search/index/port.ts';
import { embeddedIndex } from '../../src/search/index/store.ts';
import type { Reader } from '../../src/store/statement.ts';
import { memoryStore, nobody } from '../support/store.ts';

const nothing = { words: '', fieldWords: '', keys: '' };
const docOf = (...words: readonly string[]): IndexDoc => ({
  id: 1,
  entityId: 'VX-1',
  timed: false,
  generic: nothing,
  inTime: nothing,
  values: [],
  words: new Set(words),
});

it('a word is written until it was read in the dictionary, and neither written nor read from then on', async () => {
  const store = await memoryStore();
  const reads: string[] = [];
  const reader: Reader = {
    read(sql, args = []) {
      reads.push(String(args[0]));
      return store.read(sql, args);
    },
  };
  const known = new KnownWords();
  const write = async (...words: readonly string[]) => {
    const docs = [docOf(...words)];
    const missing = await known.missing(reader, docs);
    await store.commit({ changes: embeddedIndex.apply(docs, new Map(), missing), events: [] }, nobody);
    return missing;
  };
  expect(await known.missing(reader, [docOf('sea', 'ship')])).toEqual(['sea', 'ship']);
  // That change was not committed.
  expect(await write('sea', 'ship')).toEqual(['sea', 'ship']);
  expect(await write('sea', 'storm')).toEqual(['storm']);
  reads.length = 0;
  expect(await write('sea', 'storm', 'ship')).toEqual([]);
  expect(await write('storm', 'ship', 'sea')).toEqual([]);
  expect(reads).toEqual(['["storm","ship"]']);
  expect((await store.read('SELECT word FROM search_term ORDER BY word')).flat()).toEqual(['sea', 'ship', 'storm']);
});

it('attack: a text of a hundred thousand words does not make the serving thread look up each of them', async () => {
  const store = await memoryStore();
  const words = Array.from({ length: 100_000 }, (_, index) => `word${index}`);
  let read = 0;
  const reader: Reader = {
    read(sql, args = []) {
      read += (JSON.parse(String(args[0])) as string[]).length;
      return store.read(sql, args);
    },
  };
  expect(await new KnownWords().missing(reader, [docOf(...words)]), 'all are written').toEqual(words);
  expect(read).toBeLessThanOrEqual(1000);
});
