import type { Guarded } from './levels.ts';

/** The words of `appliesTo`, in the order of documents. */
export const reachWords = ['self', 'item', 'collection', 'library', 'all'] as const;

export type ReachWord = (typeof reachWords)[number];

/** One `appliesTo` of an entry. `recursive`: undefined where the document does not say. */
export interface AppliesTo {
  readonly word: ReachWord;
  readonly recursive?: boolean | undefined;
}

const self = 1;
/** Direct members of a kind; what is deeper has the next bit. */
const direct: Readonly<Record<Guarded, number>> = { item: 2, collection: 8, library: 32 };
const directAll = direct.item | direct.collection | direct.library;
export const everything = self | directAll | (directAll << 1);

/** The bits of an entry, which SQL compares. Without words it reaches the entity and all that is below it. */
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

/** Whether an entry with these bits speaks for an entity of a kind so far below. */
export function reaches(bits: number, kind: string, distance: number): boolean {
  if (distance === 0) return (bits & self) !== 0;
  const bit = direct[kind as Guarded] ?? 0;
  return (bits & (distance === 1 ? bit : bit << 1)) !== 0;
}

/** As the table keeps them: words, or a word with what the document says of `recursive`. */
export const storedReach = (words: readonly AppliesTo[]): string =>
  JSON.stringify(words.map(({ word, recursive }) => (recursive === undefined ? word : [word, recursive])));

export function wordsOf(stored: string): readonly AppliesTo[] {
  const list = JSON.parse(stored) as readonly (ReachWord | [ReachWord, boolean])[];
  return list.map((each) => (typeof each === 'string' ? { word: each } : { word: each[0], recursive: each[1] }));
}

/** Whether some entity below the direct members is reached. */
export const isRecursive = (bits: number): boolean => (bits & (directAll << 1)) !== 0;
