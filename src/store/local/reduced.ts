import type { Reduced, Row } from '../contract.ts';
import { distinct } from './distinct.ts';
import { tallied } from './tally.ts';

/** Reduces the JSON array on the reader thread. */
export const reduced = (rows: readonly Row[], how: Reduced): Row[] =>
  'least' in how ? tallied(rows, how) : distinct(rows, how);
