import type { Viewer } from '../../assets/access/viewer.ts';
import type { Reader } from '../../store/statement.ts';

/** A page of the items that a query finds among those that a viewer may read. */
export type FindItems = (
  reader: Reader,
  viewer: Viewer,
  /** A search document. */
  query: unknown,
  /** `first` is counted from 1. */
  page: { readonly first: number; readonly number: number },
) => Promise<{ readonly ids: readonly string[] }>;
