import { expect, it } from 'vitest';
import type { EmbeddedDoc } from '../../../src/assets/search/index/document.ts';
import { everyWord, wordsThatCome } from '../../../src/assets/search/index/document.ts';
import { wordGap } from '../../../src/assets/search/index/keys.ts';
import { KnownWords } from '../../../src/assets/search/index/participant.ts';
import { embeddedIndex } from '../../../src/assets/search/index/store.ts';
import { encoded } from '../../../src/assets/search/index/words.ts';
import type { Committing } from '../../../src/core/store/contract.ts';
import { memoryStore, nobody } from '../../support/store.ts';

const commitOf = (): Committing => ({ events: [], touches: [], actor: nobody, now: 0, attempt: 1 });
const words = (...all: readonly string[]): ReadonlySet<string> => new Set(all);

it('a word is written until a commit has written it, and not from then on', () => {
  const known = new KnownWords();
  const [lost, made, later] = [commitOf(), commitOf(), commitOf()];
  expect(known.lacking(words('sea', 'ship'), [lost])).toEqual(['sea', 'ship']);
  // The change `lost` was not committed.
  expect(known.lacking(words('sea', 'ship'), [made])).toEqual(['sea', 'ship']);
  known.committed(made);
  expect(known.lacking(words('sea', 'storm'), [later])).toEqual(['storm']);
  known.committed(later);
  expect(known.lacking(words('storm', 'ship', 'sea'), [commitOf()])).toEqual([]);
});

it('a word of a commit that broke stays unknown when the others of its group are tried again', () => {
  const known = new KnownWords();
  const [good, bad] = [commitOf(), commitOf()];
  expect(known.lacking(words('sea', 'storm'), [good, bad])).toEqual(['sea', 'storm']);
  expect(known.lacking(words('sea'), [good])).toEqual(['sea']);
  known.committed(good);
  expect(known.lacking(words('sea', 'storm'), [commitOf()])).toEqual(['storm']);
});

it('words that come again are kept when those of many others are forgotten', () => {
  const known = new KnownWords();
  const learn = (...all: readonly string[]): readonly string[] => {
    const commit = commitOf();
    const lacking = known.lacking(words(...all), [commit]);
    known.committed(commit);
    return lacking;
  };
  learn('often', 'once');
  for (let turn = 0; turn < 6; turn++) {
    for (let part = 0; part < 5; part++) {
      learn('often', ...Array.from({ length: 4_000 }, (_, at) => `word ${turn} ${part} ${at}`));
    }
  }
  expect(learn('often', 'once')).toEqual(['once']);
});

const texts = (given: readonly string[] = []) => ({ words: '', fieldWords: given.join(' '), keys: '' });
const docOf = (more: Partial<EmbeddedDoc> = {}): EmbeddedDoc => ({
  ...{ id: 1, entityId: 'VX-1', timed: false, generic: texts(), inTime: texts() },
  ...{ values: [], definitions: new Map(), words: words(), hasAllWords: false, changed: undefined },
  ...more,
});
const values = ['"The Sea"', '17', '"1"'].map((json) => ({ field: 1, json, spans: 1 }));

it('attack: a text of a hundred thousand words teaches some thousands of them, once for its whole group', () => {
  const known = new KnownWords();
  const commits = [commitOf(), commitOf()];
  const all = Array.from({ length: 100_000 }, (_, at) => `word${at}`);
  expect(known.lacking(words(...all), commits)).toHaveLength(100_000);
  for (const commit of commits) known.committed(commit);
  expect(known.lacking(words(...all), [commitOf()])).toEqual(all.slice(5_000));
});

it('words come with the texts of values, and of those that are too long to be one', () => {
  const docs = [docOf(), docOf({ words: words('elan', 'vital') })];
  expect(wordsThatCome(docs, [values, []])).toEqual(words('the', 'sea', '1', 'elan', 'vital'));
});

it('the dictionary has the words of values that stay, of those that come, and of those that went', async () => {
  const store = await memoryStore();
  const known = new KnownWords();
  const asked: (readonly string[])[] = [];
  const write = async (given: readonly string[], changed?: readonly number[]) => {
    const doc = docOf({
      values: given.map((json, field) => ({ field, json, spans: 1 })),
      changed: changed && new Set(changed),
    });
    const commit = commitOf();
    const changes = embeddedIndex.apply([doc], (come) => {
      asked.push([...come]);
      return known.lacking(come, [commit]);
    });
    await store.commit({ changes, events: [] }, nobody);
    known.committed(commit);
  };
  await write(['"the sea"', '"a ship"']);
  await write(['"the sea"', '"a storm"'], [1]);
  expect(asked).toEqual([
    ['the', 'sea', 'a', 'ship'],
    ['a', 'storm'],
  ]);
  const there = await store.read('SELECT word FROM search_term ORDER BY word');
  expect(there.flat()).toEqual(['a', 'sea', 'ship', 'storm', 'the']);
});

it('a long entity tells its words: they were found in turns', () => {
  const doc = docOf({ words: words('all'), hasAllWords: true, generic: texts(['0123456789sea']) });
  expect(wordsThatCome([doc], [values])).toEqual(words('all'));
  expect(everyWord(doc)).toEqual(words('all'));
});

it('every word of an entity is read from the words of its fields, in any script', () => {
  const all = ['sea', 'élan', '漢字', '𝒳y'];
  const inTime = texts([...all.slice(1).map((word) => `abcdefghij${encoded(word)}`), wordGap]);
  expect(everyWord(docOf({ generic: texts(['0123456789sea', wordGap, 'abcdefghijsea']), inTime }))).toEqual(
    words(...all),
  );
  expect(everyWord(docOf())).toEqual(words());
});
