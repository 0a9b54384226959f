import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { PreparedQuery, PreparedStatement } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { SearchContext } from '../parts.ts';
import { searchCounted, searchOrdered } from '../tables.ts';
import { commitStep } from './commit-step.ts';
import { fillCounts, hasCounts, missingCounts, needlessCounts, removeCounts } from './counts-sql.ts';
import { type FieldRow, type FieldTable, fieldStatements, type Slice, sliceBelow } from './field-sql.ts';
import { fieldNumber } from './keys.ts';
import { fillSlice, hasPlaces, missingOrders, needlessOrders, removeSlice, tellSeveral } from './order-sql.ts';

/** Milliseconds until a retry after a failed step. */
const rest = 5000;

/** Rows that the index derives from the values of some fields, and a table of those fields. */
interface FieldRows extends Pick<WorkKind, 'name' | 'says' | 'priority'>, FieldTable {
  /** Entities per step. */
  readonly batch: number;
  /** Adds the rows of a slice in the commit that moves the position, so that concurrent changes are not missed. */
  readonly fill: readonly PreparedStatement<Slice>[];
  readonly hasRows: PreparedQuery<unknown, { readonly field: number }>;
  /** Deletes rows of a field, `limit` of them. */
  readonly remove: PreparedStatement<{ readonly field: number; readonly limit: number }>;
}

/** Background work that fills and deletes such rows, as the fields ask for them. */
function fieldWork(rows: FieldRows): (parts: Pick<SearchContext, 'store' | 'clock'>) => WorkKind {
  const { name: workName, says, priority, batch, fill, hasRows, remove } = rows;
  const { missing, needless, next, begin, end, leave, advance, forget, stands, due } = fieldStatements(rows);

  async function filled(store: Store, { name, field, position }: FieldRow): Promise<readonly Statement[]> {
    const [slice] = await sliceBelow(store, { field, position, limit: batch });
    const from = slice?.lowest ?? null;
    if (from === null) return [end({ name, state: 'ready', position: 0 })];
    return [...fill.map((add) => add({ field, from, below: position })), advance({ name, position: from })];
  }

  async function emptied(store: Store, { name, field }: FieldRow): Promise<readonly Statement[]> {
    const isEmpty = (await hasRows(store, { field })).length === 0;
    return [isEmpty ? forget({ name }) : remove({ field, limit: 2 * batch })];
  }

  async function changes(store: Store): Promise<readonly Statement[] | undefined> {
    const row = await next(store, {});
    if (row) {
      const { name, state, position } = row;
      const guard = stands({ name, state, position }, changedMeanwhile('MetadataField', name));
      return [guard, ...(state === 'filling' ? await filled(store, row) : await emptied(store, row))];
    }
    const wanted = await missing(store, {});
    if (wanted) {
      const { name } = wanted;
      const position = Number.MAX_SAFE_INTEGER;
      return [
        begin({ name, field: fieldNumber(name), state: 'filling', position }, changedMeanwhile('MetadataField', name)),
      ];
    }
    const unwanted = await needless(store, {});
    return unwanted && [leave({ name: unwanted.name, state: 'leaving' })];
  }

  return ({ store, clock }) =>
    steps({
      name: workName,
      says,
      priority,
      clock,
      rest,
      due: () => due,
      step: async () => commitStep(store, await changes(store)),
    });
}

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
