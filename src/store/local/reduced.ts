import type { Reduced, Row } from '../contract.ts';
import { distinct } from './distinct.ts';
import { tallied } from './tally.ts';

/** What a thread makes of the JSON array that it reads. */
export const reduced = (rows: readonly Row[], how: Reduced): Row[] =>
  'least' in how ? tallied(rows, how) : distinct(rows, how);
