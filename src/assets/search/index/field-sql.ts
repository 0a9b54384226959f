import { type SQL, sql } from 'drizzle-orm';
import { type DueTime, dueWhile, earliestDue } from '../../../core/store/due.ts';
import { rowExists } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import type { searchCounted, searchOrdered } from '../tables.ts';

/** Entities of a field from one number to another. */
export type Slice = { readonly field: number; readonly from: number; readonly below: number };

/** A table of the fields that have rows of their own in the index. */
export interface FieldTable {
  readonly table: typeof searchOrdered | typeof searchCounted;
  /** Query of the name of a field that wants rows and has none. */
  readonly missing: SQL;
  /** Query of the name of a field that has rows and wants none. */
  readonly needless: SQL;
}

export type FieldRow = typeof searchCounted.$inferSelect;

/** Lowest number of the next entities with a value, from newest to oldest. NULL: none left. */
export const sliceBelow = query(
  sql`SELECT min(entity) FROM (SELECT DISTINCT entity FROM search_value
    WHERE field = ${value('field')} AND entity < ${value('position')} ORDER BY entity DESC LIMIT ${value('limit')})`,
  { lowest: sql<number | null>`` },
);

/** Statements about the fields of a table. */
export function fieldStatements({ table: given, missing, needless }: FieldTable) {
  const table = given as typeof searchCounted;
  const isUnfinished = sql`state <> 'ready'`;
  const names = { name: table.name };
  const due: DueTime = earliestDue(
    dueWhile(sql`SELECT 1 FROM ${table} WHERE ${isUnfinished}`),
    dueWhile(missing),
    dueWhile(needless),
  );
  return {
    missing: query(missing, names).first,
    needless: query(needless, names).first,
    next: query((db) => db.select().from(table).where(isUnfinished).limit(1)).first,
    begin: insertInto(table, 'name', 'field', 'state', 'position'),
    end: updateBy(table, 'name', 'state', 'position'),
    leave: updateBy(table, 'name', 'state'),
    advance: updateBy(table, 'name', 'position'),
    forget: deleteBy(table, 'name'),
    stands: rowExists(table, 'name', 'state', 'position'),
    due,
  };
}
