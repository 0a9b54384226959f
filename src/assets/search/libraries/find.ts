import type { LimitedReader } from '../../../core/store/statement.ts';
import type { Viewer } from '../../access/public-reading.ts';
import type { ItemSearch } from '../documents/search.ts';
import { findIds } from '../find.ts';

/** Finds a page of items for a query, restricted to a viewer. */
export type FindItems = (
  reader: LimitedReader,
  viewer: Viewer,
  query: ItemSearch,
  /** `first` counts from 1. */
  page: { readonly first: number; readonly number: number; readonly now: number },
) => Promise<{ readonly ids: readonly string[] }>;

/** By offset, since cursors skip hits in timespans only. */
export const findItems: FindItems = (reader, viewer, { cursor: _, ...query }, page) =>
  findIds(reader, viewer, 'item', query, { ...page, counts: false });
