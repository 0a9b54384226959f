import { ServiceError } from '../lib/errors.ts';
import type { Statement, Value } from './contract.ts';

interface UnicodeText {
  isWellFormed(): boolean;
}

/** Why a value cannot be stored as it is, or undefined. */
function objection(value: unknown): string | undefined {
  if (typeof value === 'string') {
    // The engine would cut the text there: `admin\0x` would find `admin`.
    if (value.includes('\0')) return 'text with a NUL character';
    // The engine would put U+FFFD there: two different texts would be the same row.
    if (!(value as unknown as UnicodeText).isWellFormed()) return 'text with half a surrogate pair';
    return undefined;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'a number that is not finite';
  if (value === null || value instanceof Uint8Array) return undefined;
  // The native binding ends the whole process when it meets a boolean.
  return `a value of type ${typeof value}`;
}

/** Texts come from callers, so those are their mistake; a wrong type is ours. */
export function checkValues(values: readonly Value[]): void {
  for (let index = 0; index < values.length; index++) {
    const problem = objection(values[index]);
    if (problem === undefined) continue;
    const explanation = `Cannot store ${problem} (argument ${index + 1})`;
    throw new ServiceError(typeof values[index] === 'string' ? 'bad-value' : 'internal', { explanation });
  }
}

export function checkStatements(statements: readonly Statement[]): void {
  for (const statement of statements) checkValues(statement.args);
}
