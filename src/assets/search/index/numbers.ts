/**
 * Offset of collection numbers in the index. Ids of items and collections overlap, as in `VX-1`. Numbers of collections
 * follow those of all items, so that a range is a kind, and order is order of creation.
 */
export const collectionsFrom = 2 ** 50;

export type IndexedKind = 'item' | 'collection';

const serialOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

export const numberOf = (kind: IndexedKind, id: string): number =>
  serialOf(id) + (kind === 'collection' ? collectionsFrom : 0);

export const kindOf = (number: number): IndexedKind => (number >= collectionsFrom ? 'collection' : 'item');

/** Range of numbers: the first is inclusive, the second exclusive. */
export const rangeOf = (kind: IndexedKind | 'both'): readonly [from: number, below: number] =>
  kind === 'item' ? [0, collectionsFrom] : [kind === 'collection' ? collectionsFrom : 0, Number.MAX_SAFE_INTEGER];
