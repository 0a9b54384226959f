import { ServiceError } from '../../lib/errors.ts';
import type { IndexedKind } from '../index/numbers.ts';
import { type Found, type Node, partsOf } from './ast.ts';

/** Seconds after which a caller may ask again. */
const patience = '5';

/** Whose index a search reads. */
export function indexesOf(found: Found, node: Node): readonly IndexedKind[] {
  const own: readonly IndexedKind[] =
    found === 'both' ? ['item', 'collection'] : found === 'item' || found === 'collection' ? [found] : [];
  const isLinked = [...partsOf(node)].some((each) => each.is === 'linked' && each.to === 'item');
  return isLinked && !own.includes('item') ? [...own, 'item'] : own;
}

/** Of one field: how many values an entity has at most. */
export type Values = 'one' | 'several';

/** What a search knows of its index, as of one moment. */
export interface IndexState {
  /** Whether anything in it is timed. */
  readonly isTimed: boolean;
  /** Of the fields that the search names: those whose order has every entity. */
  readonly ordered: ReadonlySet<string>;
  /** Those of them that ranges are read from: texts are in an order as they sort, not as they are. */
  readonly ranged: ReadonlyMap<string, Values>;
  /** Indexes that lack older entities. */
  readonly building: readonly (readonly [name: string, done: number, total: number])[];
}

/** Answers that lack older entities would be wrong: after an upgrade a search waits until the first index is there. */
export function expectBuilt({ building }: IndexState, indexes: readonly IndexedKind[]): void {
  for (const [name, done, total] of building) {
    if (!indexes.some((each) => each === name)) continue;
    const explanation = `The index of the kind "${name}" is being built: ${done} of ${Math.max(total, done)} are in it`;
    throw new ServiceError('index-incomplete', { context: 'search', explanation }, { 'retry-after': patience });
  }
}
