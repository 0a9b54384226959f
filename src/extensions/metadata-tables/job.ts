import { describeJob, flag, type JobMemo, listOf, oneOf, optional, text } from '../../room/jobs/memo.ts';

/** Names of items in the key column. */
export const keyKinds = ['id', 'filename'] as const;
/** Values of a cell: several with "; " between, or one whatever is in it. */
export const cellKinds = ['several', 'one'] as const;
/** Effect of an empty cell: the field keeps its values, or loses them. */
export const emptyKinds = ['keep', 'clear'] as const;

export const tableImport = describeJob('METADATA_TABLE_IMPORT', {
  memo: {
    tableId: text,
    dryRun: flag,
    heads: listOf(text),
    /** Undefined: itemId, or the first column. */
    keyColumn: optional(text),
    key: oneOf(keyKinds),
    /** Columns with other heads than their fields: "created:Date". */
    fields: listOf(text),
    /** Heads of columns that are not read. */
    ignore: listOf(text),
    values: oneOf(cellKinds),
    empty: oneOf(emptyKinds),
  },
  tells: ['tableId', 'dryRun', 'rows', 'differing', 'changed', 'problems'],
});
export type TableMemo = JobMemo<typeof tableImport>;

/** How the columns of a table are read. */
export type TableOptions = Omit<TableMemo, 'tableId' | 'dryRun' | 'heads'>;

export const tableUndo = describeJob('METADATA_TABLE_UNDO', {
  memo: { tableId: text },
  tells: ['tableId', 'undone', 'problems'],
});
