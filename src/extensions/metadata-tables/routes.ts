import { askerOf } from '../../assets/definitions/public-reading.ts';
import { type CsvSeparator, csvSeparators } from '../../core/lib/csv.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { sentBytes } from '../../http/body.ts';
import { openUpload } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { choice, flag, list, page, pageOf, type QueryOf, repeated, text } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { anyCaller, type Route, role, route } from '../../http/route.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { beginJob } from '../../room/jobs/contract.ts';
import { jobDocument } from '../../room/jobs/documents.ts';
import type { MemoInput } from '../../room/jobs/memo.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { metadataTableDocument, metadataTablePreviewDocument } from './documents.ts';
import { writesMetadata } from './examine.ts';
import { readHeads, withNearest } from './heads.ts';
import { cellKinds, emptyKinds, keyKinds, type TableOptions, tableImport, tableUndo } from './job.ts';
import type { TableParts } from './parts.ts';
import type { TableProblem } from './problems.ts';
import { firstRows, headsOf, receiveTable } from './receive.ts';
import { beginUndo, findTable, mayBegin, problemsOf, type TableRow, tableWithJobs } from './store.ts';

const separators = Object.keys(csvSeparators) as CsvSeparator[];

const columns = {
  separator: choice('Separator of the values. Default: the one that the first line has most of', separators),
  keyColumn: text('Head of the column that names the items. Default: itemId, or else the first one'),
  key: choice('"id": ids and external ids name the items. "filename": the names of their files', keyKinds, {
    defaultValue: 'id',
  }),
  field: list(text('Columns whose heads are not the names of their fields: "a:head", as for lists')),
  ignore: repeated('Head of a column that is not read'),
  values: choice('"several": values with "; " between. "one": a cell is one value', cellKinds, {
    defaultValue: 'several',
  }),
  empty: choice('"keep": an empty cell leaves the field as it is. "clear": it removes the values', emptyKinds, {
    defaultValue: 'keep',
  }),
};

const optionsOf = ({ keyColumn, key, field = [], ignore, values, empty }: QueryOf<typeof columns>): TableOptions => ({
  ...{ keyColumn, key, fields: field, ignore, values, empty },
});

const previewedRows = 10;

/** A table in a path, for its user and for administrators: problems tell values of items. */
const tableAt = ({ store }: TableParts): PathEntity<TableRow & { readonly with: TableJobs }> => ({
  kind: 'metadata-table',
  async find(id, call) {
    const [row, jobs] = await Promise.all([findTable(store, { id }), tableWithJobs(store, { id })]);
    if (row && jobs && (await sees(call, jobs))) return { ...row, with: jobs };
    throw noSuchEntity({ noun: 'MetadataTable' }, id);
  },
});

type TableJobs = NonNullable<Awaited<ReturnType<typeof tableWithJobs>>>;

const sees = async (call: Caller, { user }: TableJobs): Promise<boolean> =>
  user === subjectOf(call).name || (await subjectOf(call).has(administrator));

const shown = (problems: readonly TableProblem[]) =>
  problems.map(({ row, column, value, expected }) => ({
    ...{ row, column: column || undefined, value: value || undefined, expected },
  }));

/** Tables of metadata as they come in: previews, imports, and what takes an import back. */
export function tableRoutes(parts: TableParts): readonly Route[] {
  const { store, settings, limits } = parts;
  const path = '/import/metadata-table';
  const table = tableAt(parts);
  const writing = { access: role(writesMetadata), acting: 'allowed' } as const;

  return [
    route({
      ...writing,
      method: 'POST',
      path: `${path}/preview`,
      says: 'How the columns of a table of metadata would be read. The body is the beginning of the table as CSV. Changes nothing.',
      query: columns,
      reads: raw('bytes'),
      answers: metadataTablePreviewDocument,
      async handle(call) {
        const bytes = await sentBytes(call.request, limits.bytes);
        const options = optionsOf(call.query);
        const { rows, separator } = firstRows(bytes, 1 + previewedRows, call.query.separator);
        const [first, ...below] = rows;
        if (!first) throw new ServiceError('body-missing', { context: 'body', explanation: 'Expected a table' });
        const asker = await askerOf(call);
        const read = await withNearest(store, asker, await readHeads(store, asker, headsOf(first), options));
        return {
          separator,
          column: read.columns.map((column) => ({
            head: column.head,
            use: column.use,
            field: column.use === 'field' ? column.name : undefined,
            type: column.use === 'field' ? column.definition?.type : undefined,
            nearest: column.use === 'unknown' ? column.nearest : undefined,
          })),
          row: below.map(({ values }) => ({ value: values })),
          problem: shown(read.problems),
        };
      },
    }),
    route({
      ...writing,
      method: 'POST',
      path,
      says: 'Writes a table into the metadata of its items, as a job. The body is CSV, as lists of items have it.',
      query: {
        ...columns,
        dryRun: flag('Checks each row, and changes nothing', false),
        ...jobParameters,
      },
      reads: raw('bytes'),
      answers: jobDocument,
      async handle(call) {
        const { separator, dryRun } = call.query;
        const body = openUpload(call.request);
        const order = {
          ...{ user: subjectOf(call).name, dryRun, separator, options: optionsOf(call.query) },
          commit: call.commit,
          begin: (memo: MemoInput<typeof tableImport.memo>) => beginJob(parts, call, { job: tableImport, memo }),
        };
        try {
          const { document, tableId } = await receiveTable(parts, order, body.read);
          return { ...document, data: [{ key: 'tableId', value: tableId }] };
        } finally {
          await body.cancel();
        }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:table`,
      says: 'An import of a table of metadata: its counts and its problems.',
      entities: { table },
      query: page(settings.maxPage),
      answers: metadataTableDocument,
      access: anyCaller,
      async handle(call, { table: { with: jobs, ...row } }) {
        const { limit, offset } = pageOf(call.query);
        const read = (ofUndo: 0 | 1) => problemsOf(store, { tableId: row.id, ofUndo, from: offset, limit });
        const [problems, undoProblems] = await Promise.all([read(0), read(1)]);
        return {
          ...{ id: row.id, jobId: row.jobId!, status: jobs.status, user: jobs.user ?? undefined },
          ...{ dryRun: row.dryRun === 1, rows: row.rows, differing: row.differing, changed: row.changed },
          ...{ problems: row.problems, problem: shown(problems) },
          undo:
            row.undoJobId === null
              ? undefined
              : {
                  ...{ jobId: row.undoJobId, status: jobs.undoStatus ?? undefined, undone: row.undone },
                  ...{ problems: row.undoProblems, problem: shown(undoProblems) },
                },
        };
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path: `${path}/:table/undo`,
      says: 'Gives items back what they had before an import of a table, as a job. What was changed since stays.',
      entities: { table },
      query: jobParameters,
      answers: jobDocument,
      async handle(call, { table: { id, dryRun } }) {
        if (dryRun === 1) throw notUndone('an import that was no dry run');
        const { jobId, work, document } = await beginJob(parts, call, { job: tableUndo, memo: { tableId: id } });
        const may = mayBegin({ id }, notUndone('an import that has ended, and that no job takes back'));
        const [begin, forget] = beginUndo;
        await call.commit({ ...work, changes: [may, begin({ id, jobId }), forget({ id }), ...work.changes] });
        return document;
      },
    }),
  ];
}

const notUndone = (expected: string): ServiceError =>
  new ServiceError('job-state', { type: 'MetadataTable', explanation: `Expected ${expected}` });
