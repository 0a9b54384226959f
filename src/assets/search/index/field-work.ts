import { type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../../../core/lib/clock.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { type DueTime, dueWhile, earliestDue } from '../../../core/store/due.ts';
import { rowExists } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../../core/store/rows.ts';
import { type PreparedQuery, type PreparedStatement, query, value } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { searchCounted, searchOrdered } from '../tables.ts';
import { commitStep } from './commit-step.ts';
import { fieldNumber } from './keys.ts';

/** Milliseconds until a retry after a failed step. */
const rest = 5000;

/** Entities of a field from one number to another. */
export type Slice = { readonly field: number; readonly from: number; readonly below: number };

export interface FieldWorkParts {
  readonly store: Store;
  readonly clock: Clock;
}

/** Rows that the index derives from the values of some fields, and a table of those fields. */
interface FieldRows extends Pick<WorkKind, 'name' | 'says' | 'priority'> {
  readonly table: typeof searchOrdered | typeof searchCounted;
  /** Query of the name of a field that wants rows and has none. */
  readonly missing: SQL;
  /** Query of the name of a field that has rows and wants none. */
  readonly needless: SQL;
  /** Entities per step. */
  readonly batch: number;
  /** Adds the rows of a slice in the commit that moves the position, so that concurrent changes are not missed. */
  readonly fill: readonly PreparedStatement<Slice>[];
  readonly hasRows: PreparedQuery<unknown, { readonly field: number }>;
  /** Deletes rows of a field, `limit` of them. */
  readonly remove: PreparedStatement<{ readonly field: number; readonly limit: number }>;
}

/** Lowest number of the next entities with a value, from newest to oldest. NULL: none left. */
const sliceBelow = query(
  sql`SELECT min(entity) FROM (SELECT DISTINCT entity FROM search_value
    WHERE field = ${value('field')} AND entity < ${value('position')} ORDER BY entity DESC LIMIT ${value('limit')})`,
  { lowest: sql<number | null>`` },
);

/** Background work that fills and deletes such rows, as the fields ask for them. */
export function fieldWork(rows: FieldRows): (parts: FieldWorkParts) => WorkKind {
  const { name: workName, says, priority, batch, fill, hasRows, remove } = rows;
  const table = rows.table as typeof searchCounted;
  const isUnfinished = sql`state <> 'ready'`;
  const named = { name: table.name };
  const missing = query(rows.missing, named).first;
  const needless = query(rows.needless, named).first;
  const next = query((db) => db.select().from(table).where(isUnfinished).limit(1)).first;
  const begin = insertInto(table, 'name', 'field', 'state', 'position');
  const end = updateBy(table, 'name', 'state', 'position');
  const leave = updateBy(table, 'name', 'state');
  const advance = updateBy(table, 'name', 'position');
  const forget = deleteBy(table, 'name');
  const stands = rowExists(table, 'name', 'state', 'position');
  const due: DueTime = earliestDue(
    dueWhile(sql`SELECT 1 FROM ${table} WHERE ${isUnfinished}`),
    dueWhile(rows.missing),
    dueWhile(rows.needless),
  );

  type FieldRow = typeof searchCounted.$inferSelect;

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
      hosts: ['loop', 'edge'],
      priority,
      clock,
      rest,
      due: () => due,
      step: async () => commitStep(store, await changes(store)),
    });
}
