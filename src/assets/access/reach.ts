import type { Guarded } from './levels.ts';

/** Words of `appliesTo`, in the order of documents. */
const reachWords = ['self', 'item', 'collection', 'library', 'all'] as const;

type ReachWord = (typeof reachWords)[number];

/** An `appliesTo` of an entry. `recursive`: undefined if the document leaves it out. */
export interface AppliesTo {
  readonly word: ReachWord;
  readonly recursive?: boolean | undefined;
}

const self = 1;
/** Bits for direct members, by kind. The next bit covers deeper members. */
const direct: Readonly<Record<Guarded, number>> = { item: 2, collection: 8, library: 32 };
const directAll = direct.item | direct.collection | direct.library;
const everything = self | directAll | (directAll << 1);

/** Bits of an entry, which SQL compares. Without words it covers the entity and everything below it. */
export function reachOf(words: readonly AppliesTo[]): number {
  if (words.length === 0) return everything;
  let bits = 0;
  for (const { word, recursive } of words) {
    const members = word === 'self' ? 0 : word === 'all' ? directAll : direct[word];
    if (word === 'self' || word === 'all') bits |= self;
    bits |= recursive ? members | (members << 1) : members;
  }
  return bits;
}

/** `appliesTo` as stored: a word, or a word with the value of `recursive`. */
export const storedReach = (words: readonly AppliesTo[]): string =>
  JSON.stringify(words.map(({ word, recursive }) => (recursive === undefined ? word : [word, recursive])));

export function wordsOf(stored: string): readonly AppliesTo[] {
  const list = JSON.parse(stored) as readonly (ReachWord | [ReachWord, boolean])[];
  return list.map((each) => (typeof each === 'string' ? { word: each } : { word: each[0], recursive: each[1] }));
}

/** Whether the bits cover any entity below the direct members. */
export const isRecursive = (bits: number): boolean => (bits & (directAll << 1)) !== 0;
