/**
 * Items and collections count by themselves, so `VX-1` may be one of each. In the index collections have the numbers
 * behind those of all items: a range of numbers is a kind, and the order of numbers is the order of making.
 */
export const collectionsFrom = 2 ** 50;

export type IndexedKind = 'item' | 'collection';

const serialOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

export const numberOf = (kind: IndexedKind, id: string): number =>
  serialOf(id) + (kind === 'collection' ? collectionsFrom : 0);

export const kindOf = (number: number): IndexedKind => (number >= collectionsFrom ? 'collection' : 'item');

/** From the first number, below the second. */
export const rangeOf = (kind: IndexedKind | 'both'): readonly [from: number, below: number] =>
  kind === 'item' ? [0, collectionsFrom] : [kind === 'collection' ? collectionsFrom : 0, Number.MAX_SAFE_INTEGER];
