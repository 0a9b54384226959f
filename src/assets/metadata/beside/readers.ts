import { lookupsOf, type Reader } from '../../../store/statement.ts';
import type { OwnerKind } from '../store.ts';
import { rowsBeside } from './store.ts';

/** Rows that the thread of the requests reads itself. To ask another thread for a few takes longer than to read them. */
const few = 50;

/** For what has no rows. */
export const nothing: Reader = { read: () => [] };

export interface BesideReaders {
  /** For values that are computed from rows of the entities. */
  readonly computed: Reader;
  /** For what comes from collections. */
  readonly inherited: Reader;
}

/** Who reads what shows in metadata and is kept elsewhere: of one entity mostly nothing, or a few rows. */
export async function readersBeside(
  reader: Reader,
  kind: OwnerKind,
  [id, ...others]: readonly string[],
): Promise<BesideReaders> {
  const near = lookupsOf(reader);
  if (id === undefined || others.length > 0) return { computed: reader, inherited: reader };
  if (kind !== 'item' && kind !== 'collection') return { computed: near, inherited: nothing };
  const [rows] = await rowsBeside(near, { kind, id, most: few });
  const { inherits, collections, others: rest } = rows!;
  const isNear = Math.max(collections, rest) < few;
  const computed = collections + rest === 0 ? nothing : isNear ? near : reader;
  return { computed, inherited: inherits === 0 || collections === 0 ? nothing : reader };
}
