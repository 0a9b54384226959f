import type { Reader } from '../../core/store/statement.ts';
import { readersBeside } from './beside/readers.ts';
import { findDeletion, findState, type OwnerKind } from './store.ts';

/** Starts the reads with which a look at the metadata of an entity begins. */
export const metadataAhead = (reader: Reader, kind: OwnerKind, id: string): Promise<unknown> =>
  Promise.all([findState(reader, { kind, id }), kind === 'item' ? readersBeside(reader, kind, [id]) : undefined]);

/** Starts the reads of the metadata of a new entity whose fields the service itself sets. */
export const newMetadataAhead = (reader: Reader): unknown => findDeletion(reader, {});
