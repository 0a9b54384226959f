import { searchCounted } from '../tables.ts';
import { fillCounts, hasCounts, missingCounts, needlessCounts, removeCounts } from './counts-sql.ts';
import { fieldWork } from './field-work.ts';

export const countsKind = fieldWork({
  name: 'search-counts',
  says: 'Counts the values of fields that are facets, and ends the counts of others',
  priority: 72,
  table: searchCounted,
  missing: missingCounts,
  needless: needlessCounts,
  // Entities of a context share their rows.
  batch: 2000,
  fill: [fillCounts],
  hasRows: hasCounts,
  remove: removeCounts,
});
