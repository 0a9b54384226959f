import { cutText } from '../../core/documents/error.ts';
import { errorCatalogue, isRefusal, type ServiceError } from '../../core/lib/errors.ts';
import { typeInWords } from '../../core/lib/messages.ts';
import { storable } from '../../core/lib/storable.ts';
import type { Statement } from '../../core/store/contract.ts';
import { addProblems } from './store.ts';

/** Something that is wrong with a table. */
export interface TableProblem {
  readonly row: number;
  /** Head of the column. Empty: the whole row. */
  readonly column: string;
  readonly value: string;
  /** A sentence without the value. */
  readonly expected: string;
}

/** Problems of one table that are kept. All are counted. */
const maxProblems = 1_000;

/** Statements that count problems, and keep the first ones. */
export function problemChanges(
  tableId: string,
  ofUndo: 0 | 1,
  problems: readonly TableProblem[],
): readonly Statement[] {
  if (problems.length === 0) return [];
  const rows = problems
    .slice(0, maxProblems)
    .map(
      ({ row, column, value, expected }) =>
        [row, storable(cutText(column)), storable(cutText(value)), storable(expected, 500)] as const,
    );
  const values = { tableId, ofUndo, problems: rows, count: problems.length, max: maxProblems };
  return addProblems.map((statement) => statement(values));
}

/** Sentence of a refusal, without the value that it quotes. */
export function sentenceOf({ code, detail }: ServiceError): string {
  const { explanation, type, id } = detail;
  if (explanation !== undefined) return explanation.replace(/: (?:".*"|none)$/s, '');
  if (code === 'no-such-entity') return `Expected the ${typeInWords(type ?? 'entity')} to be there: ${id ?? ''}`;
  return errorCatalogue[code].says;
}

/** A refusal of a row. Other errors, and a lost lease, are thrown again. */
export function refusalOf(error: unknown, { refusal }: Statement): ServiceError {
  if (isRefusal(error) && error !== refusal) return error;
  throw error;
}
