import type { Viewer } from '../../assets/access/viewer.ts';
import type { LimitedReader } from '../../store/statement.ts';
import type { ItemSearch } from '../documents/search.ts';
import { findIds } from '../find.ts';

/** A page of the items that a query finds among those that a viewer may read. */
export type FindItems = (
  reader: LimitedReader,
  viewer: Viewer,
  query: ItemSearch,
  /** `first` is counted from 1. */
  page: { readonly first: number; readonly number: number; readonly now: number },
) => Promise<{ readonly ids: readonly string[] }>;

/** Page by page, because cursors pass over what matches in timespans only. */
export const findItems: FindItems = (reader, viewer, { cursor: _, ...query }, page) =>
  findIds(reader, viewer, 'item', query, { ...page, counts: false });
