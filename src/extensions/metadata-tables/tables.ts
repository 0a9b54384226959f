import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/** Imports of tables. Their jobs move them on, and they go with their jobs. */
export const metadataTable = sqliteTable(
  'metadata_table',
  {
    id: text('id').primaryKey(),
    /** User whose tables have a limit. NULL: the rows of the table are no longer kept. */
    user: text('user'),
    /** NULL: not all rows have arrived. */
    jobId: text('job_id'),
    /** Boolean: whether rows are checked alone. */
    dryRun: integer('dry_run').notNull(),
    /** Number of rows below the heads. */
    rows: integer('rows').notNull().default(0),
    /** Next parts to be checked, and to be written. */
    checkedTo: integer('checked_to').notNull().default(0),
    writtenTo: integer('written_to').notNull().default(0),
    /** Rows that differ from their items, and rows that were written. */
    differing: integer('differing').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    problems: integer('problems').notNull().default(0),
    /** Job that takes the import back, with its rows and problems. */
    undoJobId: text('undo_job_id'),
    undone: integer('undone').notNull().default(0),
    undoProblems: integer('undo_problems').notNull().default(0),
    /** Time of the next cleaning. NULL: nothing is to be cleaned. */
    due: integer('due'),
    /** Boolean: whether its job was deleted. */
    gone: integer('gone').notNull().default(0),
  },
  (table) => [
    index('metadata_table_user').on(table.user).where(sql`user IS NOT NULL`),
    uniqueIndex('metadata_table_job').on(table.jobId).where(sql`job_id IS NOT NULL`),
    index('metadata_table_due').on(table.due).where(sql`due IS NOT NULL`),
  ],
);

/** Rows of a table as they came, some in one part, until their job ends. */
export const metadataTablePart = wideRows(
  sqliteTable(
    'metadata_table_part',
    {
      tableId: text('table_id').notNull(),
      position: integer('position').notNull(),
      /** JSON: the number of each row, and its values. */
      rows: text('rows').notNull(),
    },
    (table) => [primaryKey({ columns: [table.tableId, table.position] })],
  ),
);

/** Rows of a table that were checked, with what they change. */
export const metadataTableRow = sqliteTable(
  'metadata_table_row',
  {
    tableId: text('table_id').notNull(),
    row: integer('row').notNull(),
    /** Id of the item, and the times of the row where it has any. */
    target: text('target').notNull(),
    /** Change set that the row made. NULL: none. */
    changeSet: text('change_set'),
    /** Boolean: whether the change set was taken back, as far as that was possible. */
    undone: integer('undone').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tableId, table.row] }),
    uniqueIndex('metadata_table_row_target').on(table.tableId, table.target),
  ],
);

/** Problems of a table, and of its undo. */
export const metadataTableProblem = sqliteTable(
  'metadata_table_problem',
  {
    tableId: text('table_id').notNull(),
    /** Boolean: whether it is one of the undo. */
    ofUndo: integer('of_undo').notNull(),
    number: integer('number').notNull(),
    row: integer('row').notNull(),
    column: text('column').notNull(),
    value: text('value').notNull(),
    expected: text('expected').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tableId, table.ofUndo, table.number] })],
);
