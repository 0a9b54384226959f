import { boolean, document, element, integer, list, oneOf, string, structure } from '../../core/documents/describe.ts';

const problem = structure('MetadataTableProblemType', {
  row: element(integer).required.says('Number of the row as spreadsheets count: the heads are row 1.'),
  column: element(string).says('Head of the column. Left out: the whole row.'),
  value: element(string).says('The beginning of the value.'),
  expected: element(string).required.says('A sentence.'),
});

const undo = structure('MetadataTableUndoType', {
  jobId: element(string).required,
  status: element(string).says('Status of the job. Left out: the job was deleted.'),
  undone: element(integer).required.says('Number of rows that were taken back.'),
  problems: element(integer).required,
  problem: list(problem).says('The first of the problems.'),
});

/** An import of a table, as far as it has come. */
export const metadataTableDocument = document('MetadataTableDocument', {
  id: element(string).required,
  jobId: element(string).required,
  status: element(string).required.says('Status of the job.'),
  user: element(string),
  dryRun: element(boolean).required,
  rows: element(integer).required.says('Number of rows below the heads.'),
  differing: element(integer).required.says('Number of rows that differ from their items.'),
  changed: element(integer).required.says('Number of rows that were written.'),
  problems: element(integer).required,
  problem: list(problem).says('The problems of the page. Only the first 1,000 are kept.'),
  undo: element(undo).says('How far the import was taken back.'),
});

const column = structure('MetadataTableColumnType', {
  head: element(string).required,
  use: element(oneOf('key', 'field', 'start', 'end', 'ignored', 'unknown')).required,
  field: element(string).says('The field, with the groups around it: "group/field".'),
  type: element(string).says('Type of the field.'),
  nearest: element(string).says('The field whose name is nearest to an unknown head.'),
});

/** How a table would be read. */
export const metadataTablePreviewDocument = document('MetadataTablePreviewDocument', {
  separator: element(string).required.says('comma, semicolon or tab.'),
  column: list(column),
  row: list(structure('MetadataTableRowType', { value: list(string) })).says('The first rows.'),
  problem: list(problem).says('Problems of the heads.'),
});
