import { askerOf } from '../../assets/definitions/public-reading.ts';
import { type MetadataRequest, metadataOf, metadataRequestOf } from '../../assets/metadata/public.ts';
import {
  isKept,
  type MetadataDocumentValue,
  type MetadataOwner,
  spanKeyOf,
} from '../../assets/metadata/public-reading.ts';
import { callerOfJob } from '../../assets/search/public.ts';
import type { CsvRow } from '../../core/lib/csv.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { inSlices, runInSlices } from '../../core/lib/turn.ts';
import { JobFails, type LeasedJob } from '../../room/jobs/job-type.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { readHeads, type TableColumn } from './heads.ts';
import type { TableMemo } from './job.ts';
import { itemsOfRows, viewOf } from './keys.ts';
import type { TableParts } from './parts.ts';
import { sentenceOf, type TableProblem } from './problems.ts';
import { changeOfRow, keyOf, problemOfRow, type ReadTable, type ShownItem, shownItem, timesOf } from './row-change.ts';
import { findPart } from './store.ts';

/** Role of `PUT /item/{id}/metadata`. */
export const writesMetadata = '_metadata_write';

/** The user of a job as the rights are now. Throws `JobFails` for one who may not write metadata any more. */
export async function writerOf(parts: TableParts, job: LeasedJob): Promise<Caller> {
  const call = await callerOfJob(parts, job);
  if (await subjectOf(call).has(writesMetadata)) return call;
  throw new JobFails(`Expected the role ${writesMetadata}`);
}

/** The columns of the table of a job, with the problems of its heads. */
export async function openTable(
  { store }: TableParts,
  call: Caller,
  { heads, ...options }: TableMemo,
): Promise<ReadTable & { readonly problems: readonly TableProblem[] }> {
  return { ...(await readHeads(store, await askerOf(call), heads, options)), options };
}

/** Rows of a part. Undefined: there are no further ones. */
export async function rowsOfPart(
  { store }: TableParts,
  tableId: string,
  position: number,
): Promise<readonly CsvRow[] | undefined> {
  const part = await findPart(store, { tableId, position });
  return part && (JSON.parse(part.rows) as [number, string[]][]).map(([number, values]) => ({ number, values }));
}

/** Progress of a step. Blank rows count, too. */
export const percent = (done: number, rows: number) =>
  [Math.min(Math.round((100 * done) / Math.max(rows, 1)), 100), 100, 'percent'] as const;

/** A row with its item. */
export interface TargetedRow {
  readonly row: CsvRow;
  readonly id: string;
  /** The item, and the times of the row where it has any. */
  readonly target: string;
}

/** The item that a target begins with. */
export const itemOfTarget = (target: string): string => target.split(' ', 1)[0]!;

interface Targets {
  readonly rows: readonly TargetedRow[];
  readonly problems: readonly TableProblem[];
}

/** A column, unless only the service writes its field: such values are compared with those of an item. */
const writtenColumn = (column: TableColumn): TableColumn =>
  column.use === 'field' && isKept(column.path.field) ? { use: 'ignored', head: column.head } : column;

/** The items of rows. Rows of a wrong length, without an item or with wrong times are problems. */
export async function targetsOf(
  parts: TableParts,
  call: Caller,
  table: ReadTable,
  rows: readonly CsvRow[],
): Promise<Targets> {
  const { length } = table.columns;
  const problems: TableProblem[] = [];
  const whole = rows.filter((row) => {
    const isWhole = row.values.length === length;
    const count = row.values.length;
    if (!isWhole)
      problems.push(problemOfRow(table, row, `Expected ${length} values, one for each head, and not ${count}`));
    return isWhole;
  });
  const items = await itemsOfRows(parts, call, table, whole);
  const key = table.columns.find(({ use }) => use === 'key')!.head;
  // Rows without an item are checked for their values alone.
  const comparing = { ...table, columns: table.columns.map(writtenColumn) };
  const targeted = whole.flatMap((row, at): TargetedRow[] => {
    const item = items[at]!;
    const times = timesOf(table, row);
    const isWrong = times !== undefined && !('start' in times);
    if ('expected' in item) {
      problems.push({ row: row.number, column: key, value: keyOf(table, row), expected: item.expected });
    }
    if (isWrong) problems.push(...times);
    if ('expected' in item || isWrong) {
      problems.push(...changeOfRow(comparing, row, undefined, shownItem()).problems);
      return [];
    }
    return [{ row, id: item.id, target: times ? `${item.id} ${spanKeyOf(times)}` : item.id }];
  });
  return { rows: targeted, problems };
}

/** A row with what it changes. */
export interface ExaminedRow extends TargetedRow {
  readonly problems: readonly TableProblem[];
  /** Undefined: the row changes nothing. */
  readonly request: MetadataRequest | undefined;
}

/** Compares rows with their items, as the caller sees them. */
export async function examine(
  { store, settings }: TableParts,
  call: Caller,
  table: ReadTable,
  rows: readonly TargetedRow[],
): Promise<readonly ExaminedRow[]> {
  const fields = table.columns.flatMap((column) => (column.use === 'field' ? column.path.field : []));
  const owners = [...new Set(rows.map(({ id }) => id))].map((id) => ({ kind: 'item', id }) as const);
  const by = { site: settings.site, asker: await askerOf(call) };
  const view = viewOf([...new Set(fields)]);
  const read = async (some: readonly MetadataOwner[]) => [...(await metadataOf(store, some, view, by))];
  const documents = new Map(await inSlices(owners, read, statesAtOnce));
  return runInSlices(examinedRows(table, rows, documents));
}

/** Items whose metadata is read at once: whole states may be long, and the columns of a table are a part of them. */
const statesAtOnce = 10;
/** Size of a cell, for `runInSlices`. */
const sizeOfCell = 100;

function* examinedRows(
  table: ReadTable,
  rows: readonly TargetedRow[],
  documents: ReadonlyMap<string, MetadataDocumentValue>,
): Generator<number, readonly ExaminedRow[]> {
  const items = new Map<string, ShownItem>();
  const examined: ExaminedRow[] = [];
  for (const each of rows) {
    const { row, id } = each;
    const item = items.get(id) ?? shownItem(documents.get(id));
    items.set(id, item);
    const times = timesOf(table, row);
    const { problems, document } = changeOfRow(table, row, times && 'start' in times ? times : undefined, item);
    const request = document === undefined || problems.length > 0 ? undefined : requestOf(table, row, document);
    examined.push({ problems, request: undefined, ...request, ...each });
    yield sizeOfCell * table.columns.length + row.values.reduce((sum, { length }) => sum + length, 0);
  }
  return examined;
}

function requestOf(
  table: ReadTable,
  row: CsvRow,
  document: MetadataDocumentValue,
): Omit<ExaminedRow, keyof TargetedRow> {
  try {
    return { problems: [], request: metadataRequestOf(document, { isIgnored: isKept }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { problems: [problemFor(table, row, error)], request: undefined };
  }
}

/** The refusal of a row as its problem, in the column of the field that it names. */
export function problemFor(table: ReadTable, row: CsvRow, error: ServiceError): TableProblem {
  const { columns } = table;
  const { id } = error.detail;
  const at = columns.findIndex((column) => column.use === 'field' && column.path.field === id);
  const expected = sentenceOf(error);
  if (at < 0) return problemOfRow(table, row, expected);
  return { row: row.number, column: columns[at]!.head, value: row.values[at]!, expected };
}
