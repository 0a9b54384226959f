import { lookupReader, type Reader } from '../../../core/store/statement.ts';
import type { OwnerKind } from '../store.ts';
import { rowsBeside } from './store.ts';

/** Maximum rows that the main thread reads itself: for a few rows, a worker thread takes longer. */
const few = 50;

/** Reader without any rows. */
export const nothing: Reader = { read: () => [] };

export interface BesideReaders {
  /** Reader for values computed from rows of the entities. */
  readonly computed: Reader;
  /** Reader for values inherited from collections. */
  readonly inherited: Reader;
}

/** Chooses readers for values stored outside the metadata: a single entity mostly has no such rows, or a few. */
export async function readersBeside(
  reader: Reader,
  kind: OwnerKind,
  [id, ...others]: readonly string[],
): Promise<BesideReaders> {
  const near = lookupReader(reader);
  if (id === undefined || others.length > 0) return { computed: reader, inherited: reader };
  if (kind !== 'item' && kind !== 'collection') return { computed: near, inherited: nothing };
  const rows = await rowsBeside.first(near, { kind, id, most: few });
  const { inherits, collections, others: rest } = rows!;
  const isNear = Math.max(collections, rest) < few;
  const computed = collections + rest === 0 ? nothing : isNear ? near : reader;
  return { computed, inherited: inherits === 0 || collections === 0 ? nothing : reader };
}
