import { ServiceError } from '../../lib/errors.ts';
import { lookupsOf, type Reader } from '../../store/statement.ts';
import type { IndexedKind } from '../index/numbers.ts';
import { stateOfIndexes } from '../reindex/store.ts';
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

/**
 * Answers that lack older entities would be wrong: after an upgrade a search waits until the first index is there. Tells
 * whether anything in the index is timed.
 */
export async function expectBuilt(reader: Reader, indexes: readonly IndexedKind[]): Promise<boolean> {
  if (indexes.length === 0) return false;
  const { timed, name, done, total } = (await stateOfIndexes(lookupsOf(reader), { names: JSON.stringify(indexes) }))!;
  if (name === null) return timed === 1;
  const explanation = `The index of the kind "${name}" is being built: ${done} of ${Math.max(total, done)} are in it`;
  throw new ServiceError('index-incomplete', { context: 'search', explanation }, { 'retry-after': patience });
}
