import { mergedReading } from '../assets/access/public-reading.ts';
import { itemListReading } from '../assets/search/item-list.ts';
import { autocompleteReading, searchReading } from '../assets/search/reading.ts';
import type { Reading } from '../core/store/store.ts';

/** Readings that a reader thread can run, beside queries. */
export const readings: readonly Reading<never, unknown>[] = [
  autocompleteReading,
  itemListReading,
  mergedReading,
  searchReading,
];
