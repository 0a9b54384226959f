import { sql } from 'drizzle-orm';
import type { DueTime } from '../../core/store/due.ts';
import { guard } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { eachOf, oneEntity, query, statement, value, writes } from '../../core/store/statement.ts';
import { deleted, triggers } from '../../core/store/triggers-sql.ts';
import { job } from '../../room/jobs/tables.ts';
import { metadataTable, metadataTablePart, metadataTableProblem, metadataTableRow } from './tables.ts';

type Id = { readonly id: string };

export const insertTable = insertInto(metadataTable, 'id', 'user', 'dryRun', 'due');

/** Guard: few tables of the user have rows. */
export const fewTables = guard<{ user: string; max: number }>(
  sql`(SELECT count(*) FROM metadata_table WHERE user = ${value('user')}) < ${value('max')}`,
);

export const setDue = updateBy(metadataTable, 'id', 'due');

/** All rows have arrived, and the job begins. */
export const beginTable = statement<Id & { jobId: string; rows: number }>(
  sql`UPDATE ${writes('metadata_table')} SET job_id = ${value('jobId')}, rows = ${value('rows')}, due = NULL
    WHERE id = ${value('id')}`,
);

/** The job has ended: the parts go. */
export const endTable = statement<Id>(sql`UPDATE ${writes('metadata_table')} SET due = 0 WHERE id = ${value('id')}`);

export const findTable = rowBy(metadataTable, 'id');

export type TableRow = NonNullable<Awaited<ReturnType<typeof findTable>>>;

/** A table with the jobs that make it and take it back. */
export const tableWithJobs = query(
  sql`SELECT made.user, made.status, made.finished_at, back.status, back.finished_at FROM metadata_table AS imported
    JOIN job AS made ON made.id = imported.job_id
    LEFT JOIN job AS back ON back.id = imported.undo_job_id
    WHERE imported.id = ${value('id')}`,
  {
    user: job.user,
    status: job.status,
    finishedAt: job.finishedAt,
    undoStatus: sql<string | null>``,
    undoFinishedAt: sql<number | null>``,
  },
).reaching(oneEntity).first;

/** Guard: the import has ended, and no job takes it back. */
export const mayBegin = guard<Id>(
  sql`EXISTS (SELECT 1 FROM metadata_table AS imported JOIN job AS made ON made.id = imported.job_id
    WHERE imported.id = ${value('id')} AND made.finished_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM job AS back WHERE back.id = imported.undo_job_id AND back.finished_at IS NULL))`,
);

export const beginUndo = [
  statement<Id & { jobId: string }>(
    sql`UPDATE ${writes('metadata_table')} SET undo_job_id = ${value('jobId')}, undo_problems = 0
      WHERE id = ${value('id')}`,
  ),
  statement<Id>(sql`DELETE FROM ${writes('metadata_table_problem')} WHERE table_id = ${value('id')} AND of_undo = 1`),
] as const;

export const insertPart = insertInto(metadataTablePart);
export const findPart = rowBy(metadataTablePart, ['tableId', 'position'], 'rows');

const insertChecked = statement<{ tableId: string; rows: readonly (readonly [row: number, target: string])[] }>(
  sql`INSERT INTO ${writes('metadata_table_row')} (table_id, row, target)
    SELECT ${value('tableId')}, value ->> 0, value ->> 1 FROM ${eachOf('rows')}`,
);

/** The part was checked. */
export const checkPart = [
  insertChecked,
  statement<Id & { position: number; differing: number }>(
    sql`UPDATE ${writes('metadata_table')} SET checked_to = ${value('position')},
        differing = differing + ${value('differing')} WHERE id = ${value('id')}`,
  ),
] as const;

/** The part was written. */
export const writePart = updateBy(metadataTable, 'id', 'writtenTo');

/** Rows of the table that have one of the targets. */
export const rowsWithTarget = query<
  { row: typeof metadataTableRow.row; target: typeof metadataTableRow.target },
  { tableId: string; targets: readonly string[] }
>(
  sql`SELECT metadata_table_row.row, target FROM ${eachOf('targets')} AS wanted
    CROSS JOIN metadata_table_row ON table_id = ${value('tableId')} AND target = wanted.value`,
  { row: metadataTableRow.row, target: metadataTableRow.target },
);

type Rows = { readonly tableId: string; readonly from: number; readonly to: number };

/** Checked rows between two numbers, inclusive. */
export const rowsBetween = query<
  {
    row: typeof metadataTableRow.row;
    target: typeof metadataTableRow.target;
    changeSet: typeof metadataTableRow.changeSet;
  },
  Rows
>(
  sql`SELECT row, target, change_set FROM metadata_table_row
    WHERE table_id = ${value('tableId')} AND row BETWEEN ${value('from')} AND ${value('to')}`,
  { row: metadataTableRow.row, target: metadataTableRow.target, changeSet: metadataTableRow.changeSet },
);

/** Records the change set of a row, in the commit that stores it. */
export const changeRow = [
  statement<{ tableId: string; row: number; changeSet: string }>(
    sql`UPDATE ${writes('metadata_table_row')} SET change_set = ${value('changeSet')}
      WHERE table_id = ${value('tableId')} AND row = ${value('row')}`,
  ),
  statement<Id>(sql`UPDATE ${writes('metadata_table')} SET changed = changed + 1 WHERE id = ${value('id')}`),
] as const;

/** Rows with a change set that was not taken back, behind a row. */
export const rowsToUndo = query(
  sql`SELECT row, target, change_set FROM metadata_table_row
    WHERE table_id = ${value('tableId')} AND row > ${value('after')} AND change_set IS NOT NULL AND undone = 0
    ORDER BY row LIMIT ${value('limit')}`,
  { row: metadataTableRow.row, target: metadataTableRow.target, changeSet: sql<string>`` },
);

export const undoRow = [
  statement<{ tableId: string; row: number }>(
    sql`UPDATE ${writes('metadata_table_row')} SET undone = 1
      WHERE table_id = ${value('tableId')} AND row = ${value('row')}`,
  ),
  statement<Id>(sql`UPDATE ${writes('metadata_table')} SET undone = undone + 1 WHERE id = ${value('id')}`),
] as const;

/** `ofUndo`: whether they are problems of the undo. `problems`: row, column, value and sentence of each. */
interface NewProblems {
  readonly tableId: string;
  readonly ofUndo: 0 | 1;
  readonly problems: readonly (readonly [row: number, column: string, value: string, expected: string])[];
  readonly count: number;
  readonly max: number;
}

/** Counts problems, and keeps the first `max` ones of a table. */
export const addProblems = [
  statement<NewProblems & Record<string, unknown>>(
    sql`INSERT INTO ${writes('metadata_table_problem')}
        (table_id, of_undo, number, "row", "column", value, expected)
      SELECT ${value('tableId')}, ${value('ofUndo')}, so_far + new.key, new.value ->> 0, new.value ->> 1, new.value ->> 2, new.value ->> 3
      FROM (SELECT CASE ${value('ofUndo')} WHEN 1 THEN undo_problems ELSE problems END AS so_far
        FROM metadata_table WHERE id = ${value('tableId')}) CROSS JOIN ${eachOf('problems')} AS new
      WHERE so_far + new.key < ${value('max')}`,
  ),
  statement<NewProblems & Record<string, unknown>>(
    sql`UPDATE ${writes('metadata_table')} SET
        problems = problems + CASE ${value('ofUndo')} WHEN 0 THEN ${value('count')} ELSE 0 END,
        undo_problems = undo_problems + CASE ${value('ofUndo')} WHEN 1 THEN ${value('count')} ELSE 0 END
      WHERE id = ${value('tableId')}`,
  ),
] as const;

export const problemsOf = query(
  sql`SELECT "row", "column", value, expected FROM metadata_table_problem
    WHERE table_id = ${value('tableId')} AND of_undo = ${value('ofUndo')} AND number >= ${value('from')}
    ORDER BY number LIMIT ${value('limit')}`,
  {
    row: metadataTableProblem.row,
    column: metadataTableProblem.column,
    value: metadataTableProblem.value,
    expected: metadataTableProblem.expected,
  },
);

/** Names of fields, of which the nearest one is shown. */
export const fieldNames = query(sql`SELECT name FROM metadata_field ORDER BY name LIMIT ${value('limit')}`, {
  name: sql<string>``,
});

export const tablesDue: DueTime = sql`SELECT min(due) FROM metadata_table`;

export const nextDue = query((db) =>
  db
    .select()
    .from(metadataTable)
    .where(sql`${metadataTable.due} <= ${value('now')}`)
    .orderBy(metadataTable.due)
    .limit(1),
).first;

const limited = (table: string, key: string) =>
  statement<{ tableId: string; limit: number }>(
    sql`DELETE FROM ${writes(table)} WHERE (table_id, ${sql.raw(key)}) IN (SELECT table_id, ${sql.raw(key)}
        FROM ${sql.raw(table)} WHERE table_id = ${value('tableId')} LIMIT ${value('limit')})
      RETURNING 1`,
    { returns: true },
  );

export const removeParts = limited('metadata_table_part', 'position');
export const removeRows = limited('metadata_table_row', 'row');
export const removeProblems = deleteBy(metadataTableProblem, 'tableId');
export const removeTable = deleteBy(metadataTable, 'id');

/** The rows of the table as they came are gone. The import can still be taken back. */
export const restTable = statement<Id>(
  sql`UPDATE ${writes('metadata_table')} SET due = NULL, user = NULL WHERE id = ${value('id')} AND gone = 0`,
);

/** A table goes with its job, in pieces. */
export const tableSchema = (): readonly string[] =>
  triggers({
    metadata_table_job_gone: deleted('job', 'UPDATE metadata_table SET gone = 1, due = 0 WHERE job_id = OLD.id'),
  });
