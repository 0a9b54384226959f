import { itemListReading } from './search/items/list.ts';
import { autocompleteReading, searchReading } from './search/reading.ts';
import type { Reading } from './store/reading.ts';

/** Readings that a reader thread can run, beside queries. */
export const readings: readonly Reading<never, unknown>[] = [autocompleteReading, itemListReading, searchReading];
