import type { Reader } from '../store/statement.ts';
import { readersBeside } from './beside/readers.ts';
import { findState, type OwnerKind } from './store.ts';

/** Starts the reads with which a look at the metadata of an entity begins. */
export const metadataAhead = (reader: Reader, kind: OwnerKind, id: string): Promise<unknown> =>
  Promise.all([findState(reader, { kind, id }), kind === 'item' ? readersBeside(reader, kind, [id]) : undefined]);
