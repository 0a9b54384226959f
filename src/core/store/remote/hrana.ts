import { fromBase64, toBase64 } from '../../lib/bytes.ts';
import type { Row, SqlValue, Statement } from '../contract.ts';

/** Requests and answers of a libSQL server in its protocol: version 2 of Hrana over HTTP, as JSON. */

type RemoteStatement = Pick<Statement, 'sql' | 'args'>;

type HranaValue =
  | { readonly type: 'null' }
  | { readonly type: 'integer'; readonly value: string }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'blob'; readonly base64: string };

interface HranaStatement {
  readonly sql: string;
  readonly args: readonly HranaValue[];
  readonly want_rows: true;
}

type Condition = { readonly type: 'ok'; readonly step: number } | { readonly type: 'not'; readonly cond: Condition };

interface Step {
  readonly stmt: HranaStatement;
  readonly condition?: Condition;
}

export type HranaRequest =
  | { readonly type: 'execute'; readonly stmt: HranaStatement }
  | { readonly type: 'batch'; readonly batch: { readonly steps: readonly Step[] } }
  | { readonly type: 'close' };

interface HranaError {
  readonly message: string;
  readonly code?: string | null;
}

interface StatementResult {
  readonly rows: readonly (readonly HranaValue[])[];
}

interface BatchResult {
  readonly step_results: readonly (StatementResult | null)[];
  readonly step_errors: readonly (HranaError | null)[];
}

export type HranaResult =
  | { readonly type: 'ok'; readonly response: { readonly result?: StatementResult | BatchResult } }
  | { readonly type: 'error'; readonly error: HranaError };

export interface PipelineAnswer {
  /** Names the stream in the next call. Null: the server has closed it. */
  readonly baton: string | null;
  readonly base_url: string | null;
  readonly results: readonly HranaResult[];
}

/** An error that the server told of. `index`: the statement of a batch that broke. */
export class RemoteFault extends Error {
  readonly code: string;
  readonly status: number | undefined;
  readonly index: number | undefined;

  constructor({ message, code }: HranaError, more: { readonly status?: number; readonly index?: number } = {}) {
    super(message);
    this.name = 'RemoteFault';
    this.code = code ?? '';
    this.status = more.status;
    this.index = more.index;
  }

  /** A refusal that no repetition would change: a missing or wrong token, a wrong address. */
  get isFinal(): boolean {
    const { status = 0 } = this;
    return status >= 300 && status < 500 && status !== 408 && status !== 429;
  }
}

/** Integers as integers: a number would be sent as a float, and `5` in a text column would read `5.0`. */
function toHrana(value: SqlValue): HranaValue {
  if (value === null) return { type: 'null' };
  if (typeof value === 'string') return { type: 'text', value };
  if (typeof value !== 'number') return { type: 'blob', base64: toBase64(value) };
  return Number.isSafeInteger(value) ? { type: 'integer', value: String(value) } : { type: 'float', value };
}

function fromHrana(value: HranaValue): SqlValue {
  if (value.type === 'null') return null;
  if (value.type === 'blob') return fromBase64(value.base64);
  if (value.type !== 'integer') return value.value;
  const integer = Number(value.value);
  if (Number.isSafeInteger(integer)) return integer;
  throw new RangeError(`Expected an integer below 2^53 from the database: "${value.value}"`);
}

const statement = ({ sql, args }: RemoteStatement): HranaStatement => ({
  sql,
  args: args.map(toHrana),
  want_rows: true,
});

const plain = (sql: string): HranaStatement => ({ sql, args: [], want_rows: true });

const rowsOf = ({ rows }: StatementResult): Row[] => rows.map((row) => row.map(fromHrana));

export const execution = (one: RemoteStatement): HranaRequest => ({ type: 'execute', stmt: statement(one) });

/** All statements in a transaction, or none: each runs only if the one before it did. */
export function transaction(statements: readonly RemoteStatement[]): HranaRequest {
  const after = (step: number): Condition => ({ type: 'ok', step });
  const commit = statements.length + 1;
  return {
    type: 'batch',
    batch: {
      steps: [
        { stmt: plain('BEGIN IMMEDIATE') },
        ...statements.map((one, index) => ({ stmt: statement(one), condition: after(index) })),
        { stmt: plain('COMMIT'), condition: after(commit - 1) },
        { stmt: plain('ROLLBACK'), condition: { type: 'not', cond: after(commit) } },
      ],
    },
  };
}

function resultOf(result: HranaResult | undefined): StatementResult | BatchResult {
  if (result?.type === 'error') throw new RemoteFault(result.error);
  if (result?.response.result) return result.response.result;
  throw new Error('The database gave no result');
}

export const rowsOfExecution = (result: HranaResult | undefined): Row[] => rowsOf(resultOf(result) as StatementResult);

/** Rows by statement. Throws the fault of the first statement that broke. */
export function rowsOfTransaction(result: HranaResult | undefined): Row[][] {
  const { step_results: results, step_errors: errors } = resultOf(result) as BatchResult;
  const commit = results.length - 2;
  const broken = errors.findIndex((error, step) => error !== null && step <= commit);
  if (broken >= 0) {
    const isStatement = broken > 0 && broken < commit;
    throw new RemoteFault(errors[broken]!, isStatement ? { index: broken - 1 } : {});
  }
  return results.slice(1, commit).map((one) => (one ? rowsOf(one) : []));
}
