import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { findDocument, writeDocument } from './store.ts';

/** A configuration document as of now, and the revision that changes with it. */
export interface Live<T> {
  readonly revision: number;
  /** Undefined where nothing is configured. */
  readonly value: T | undefined;
}

/**
 * Reads the document at each use, so that a change counts on every instance at once. It converts each revision once.
 */
export function liveDocument<T>(store: Store, name: string, make: (document: unknown) => T): () => Maybe<Live<T>> {
  let current: Live<T> = { revision: 0, value: undefined };
  return () =>
    after(findDocument(store, { name }), (row) => {
      const revision = row?.revision ?? 0;
      if (revision !== current.revision) {
        const text = row?.document ?? null;
        current = { revision, value: text === null ? undefined : make(JSON.parse(text)) };
      }
      return current;
    });
}

/** Undefined takes the document away. */
export const setDocument = (name: string, value: object | undefined): Statement =>
  writeDocument({ name, document: value === undefined ? null : JSON.stringify(value) });
