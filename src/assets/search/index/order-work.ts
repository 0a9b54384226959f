import { searchOrdered } from '../tables.ts';
import { fieldWork } from './field-work.ts';
import { fillSlice, hasPlaces, missingOrders, needlessOrders, removeSlice, tellSeveral } from './order-sql.ts';

export const orderKind = fieldWork({
  name: 'search-order',
  says: 'Updates the sort order of sortable fields',
  priority: 71,
  table: searchOrdered,
  missing: missingOrders,
  needless: needlessOrders,
  // Each entity has two rows, mostly on separate pages.
  batch: 500,
  fill: [fillSlice, tellSeveral],
  hasRows: hasPlaces,
  remove: removeSlice,
});
