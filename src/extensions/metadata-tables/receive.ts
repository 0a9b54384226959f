import { maxDepth, maxFieldLength, maxGroupLength } from '../../assets/definitions/public-reading.ts';
import { badValue } from '../../core/documents/error.ts';
import {
  CsvError,
  CsvReader,
  type CsvRow,
  type CsvSeparator,
  csvSeparators,
  firstLine,
  separatorIn,
} from '../../core/lib/csv.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { StartedJob } from '../../room/jobs/contract.ts';
import type { MemoInput } from '../../room/jobs/memo.ts';
import { keyPlace } from './heads.ts';
import type { TableOptions, tableImport } from './job.ts';
import type { TableParts } from './parts.ts';
import { beginTable, fewTables, insertPart, insertTable, setDue } from './store.ts';

/** Limits of one table. */
const maxColumns = 200;
/** The longest name of a field, with the groups around it. */
const maxHeadLength = maxDepth * (maxGroupLength + 1) + maxFieldLength;
const maxRowLength = 2 * 1024 * 1024;
/** Characters in which the separator is looked for. */
const maxFirstLine = 64 * 1024;

/** Bytes whose rows are read in one turn of the loop. */
const piece = 64 * 1024;
/** Rows and characters of one part. */
const [rowsOfPart, lengthOfPart] = [50, 128 * 1024];
/** Characters of the parts of one commit. */
const lengthOfCommit = 1024 * 1024;
/** Milliseconds after which an upload without further rows has ended. */
const patience = 3_600_000;

type Read = () => Promise<Uint8Array | undefined>;

function decoded(utf8: TextDecoder, bytes: Uint8Array | undefined, stream: boolean): string {
  try {
    return utf8.decode(bytes, { stream });
  } catch {
    throw new ServiceError('bad-document', { context: 'body', explanation: 'Expected a table in UTF-8' });
  }
}

/** Bytes as text. Throws the refusal of bytes that are no UTF-8, and of too many. */
export async function* textOf(read: Read, max: number): AsyncGenerator<string, void> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array): string => decoded(utf8, bytes, bytes !== undefined);
  let length = 0;
  for (let bytes = await read(); bytes; bytes = await read()) {
    length += bytes.byteLength;
    if (length > max) {
      throw new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${max} bytes` });
    }
    for (let at = 0; at < bytes.byteLength; at += piece) {
      if (at > 0) await yieldTurn();
      yield decode(bytes.subarray(at, at + piece));
    }
  }
  yield decode();
}

/** Rows of a text, with the separator of its first line where none is given. Throws the refusal of a text that is no table. */
class TableText {
  separator: CsvSeparator | undefined;
  #reader: CsvReader | undefined;
  #begins = '';

  constructor(separator: CsvSeparator | undefined) {
    this.separator = separator;
  }

  rows(text: string): readonly CsvRow[] {
    if (this.#reader) return refusing(() => this.#reader!.write(text));
    this.#begins += text;
    const isEnough = firstLine(this.#begins.replace(/^[\r\n]+/, '')) !== undefined;
    return isEnough || this.#begins.length > maxFirstLine ? this.#open() : [];
  }

  end(): readonly CsvRow[] {
    const rows = this.#reader ? [] : this.#open();
    return [...rows, ...refusing(() => this.#reader!.end())];
  }

  #open(): readonly CsvRow[] {
    const begins = this.#begins.replace(/^[\r\n]+/, '').slice(0, maxFirstLine);
    this.separator ??= separatorIn(firstLine(begins) ?? begins);
    const limits = { maxLength: maxRowLength, maxValues: maxColumns };
    this.#reader = new CsvReader({ separator: csvSeparators[this.separator], ...limits });
    const text = this.#begins;
    this.#begins = '';
    return refusing(() => this.#reader!.write(text));
  }
}

/** The first rows of the beginning of a table, which may break off anywhere, and their separator. */
export function firstRows(bytes: Uint8Array, max: number, given: CsvSeparator | undefined) {
  const table = new TableText(given);
  const text = decoded(new TextDecoder('utf-8', { fatal: true }), bytes, true);
  const rows: CsvRow[] = [];
  for (let at = 0; at < text.length && rows.length < max; at += piece)
    rows.push(...table.rows(text.slice(at, at + piece)));
  try {
    if (rows.length < max) rows.push(...table.end());
  } catch (error) {
    if (rows.length === 0) throw error;
  }
  return { rows: rows.slice(0, max), separator: table.separator! };
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badTable(error.row, error.message);
  }
}

const badTable = (row: number, explanation: string): ServiceError =>
  new ServiceError('bad-document', { context: `body, row ${row}`, explanation });

/** The heads of a table. Throws the refusal of heads that no table has. */
export function headsOf({ values }: CsvRow): readonly string[] {
  const heads = values.map((value) => value.trim());
  if (heads.length < 2) throw badValue('body, row 1', 'the heads of at least two columns', heads[0]);
  const long = heads.find((head) => head.length > maxHeadLength);
  if (long !== undefined) throw badValue('body, row 1', `heads of at most ${maxHeadLength} characters`, long);
  return heads;
}

/** A table that somebody orders. */
export interface TableOrder {
  readonly user: string;
  readonly dryRun: boolean;
  readonly separator: CsvSeparator | undefined;
  readonly options: TableOptions;
  commit(plan: CommitPlan): Promise<unknown>;
  begin(memo: MemoInput<typeof tableImport.memo>): Promise<StartedJob>;
}

interface ReceivedTable extends StartedJob {
  readonly tableId: string;
}

/** Keeps the rows of a table as they come, and begins its job with the last ones. */
export async function receiveTable(parts: TableParts, order: TableOrder, read: Read): Promise<ReceivedTable> {
  const { settings } = parts;
  const text = new TableText(order.separator);
  const table = new KeptTable(parts, order, await parts.store.nextId('metadata-table'));
  try {
    for await (const some of textOf(read, settings.maxTableBytes)) await table.add(text.rows(some));
    await table.add(text.end());
    return await table.end();
  } catch (error) {
    await table.drop();
    throw error;
  }
}

class KeptTable {
  readonly #parts: TableParts;
  readonly #order: TableOrder;
  readonly #id: string;
  #heads: readonly string[] | undefined;
  #rows: CsvRow[] = [];
  #count = 0;
  #length = 0;
  #position = 0;
  #pending: Statement[] = [];
  #pendingLength = 0;
  #isStored = false;

  constructor(parts: TableParts, order: TableOrder, id: string) {
    this.#parts = parts;
    this.#order = order;
    this.#id = id;
  }

  async add(rows: readonly CsvRow[]): Promise<void> {
    const { maxTableRows } = this.#parts.settings;
    for (const row of rows) {
      if (!this.#heads) {
        this.#heads = headsOf(row);
        keyPlace(this.#heads, this.#order.options);
        continue;
      }
      if (++this.#count > maxTableRows) {
        throw badValue('body', `at most ${maxTableRows} rows (setting maxTableRows)`, 'more');
      }
      if (row.values.some((value) => value.includes('\0'))) {
        throw badTable(row.number, 'Expected values without a NUL character');
      }
      this.#rows.push(row);
      this.#length += row.values.reduce((sum, value) => sum + value.length, 0);
      if (this.#rows.length === rowsOfPart || this.#length > lengthOfPart) this.#endPart();
      if (this.#pendingLength > lengthOfCommit) await this.#store();
    }
  }

  async end(): Promise<ReceivedTable> {
    if (!this.#heads) throw new ServiceError('body-missing', { context: 'body', explanation: 'Expected a table' });
    if (this.#count === 0) throw badValue('body', 'a row below the heads');
    this.#endPart();
    const { dryRun, options } = this.#order;
    const started = await this.#order.begin({ tableId: this.#id, dryRun, heads: this.#heads, ...options });
    const begins = beginTable({ id: this.#id, jobId: started.jobId, rows: this.#count });
    await this.#order.commit(together(changing(...this.#toStore(), begins), started.work));
    return { ...started, tableId: this.#id };
  }

  /** Leaves what is stored to the cleaning. */
  async drop(): Promise<void> {
    if (this.#isStored) await this.#order.commit(changing(setDue({ id: this.#id, due: 0 })));
  }

  #endPart(): void {
    if (this.#rows.length === 0) return;
    const rows = JSON.stringify(this.#rows.map(({ number, values }) => [number, values]));
    this.#pending.push(insertPart({ tableId: this.#id, position: this.#position++, rows }));
    this.#pendingLength += rows.length;
    this.#rows = [];
    this.#length = 0;
  }

  async #store(): Promise<void> {
    await this.#order.commit(changing(...this.#toStore()));
    this.#isStored = true;
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** The parts that wait, behind the row of the table. */
  #toStore(): readonly Statement[] {
    const id = this.#id;
    const due = this.#parts.clock.now() + patience;
    if (this.#isStored) return [setDue({ id, due }), ...this.#pending];
    const { user, dryRun } = this.#order;
    const max = this.#parts.settings.maxTables;
    const explanation = `Expected at most ${max} tables of one user whose imports have not ended (setting maxTables)`;
    const few = fewTables({ user, max }, new ServiceError('not-allowed', { context: 'metadata-table', explanation }));
    return [few, insertTable({ id, user, dryRun: dryRun ? 1 : 0, due }), ...this.#pending];
  }
}
