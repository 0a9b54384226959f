import { ServiceError } from '../lib/errors.ts';
import type { SqlValue, Statement } from './contract.ts';

function textObjection(text: string): string | undefined {
  // The engine would cut the text there: `admin\0x` would find `admin`.
  if (text.includes('\0')) return 'text with a NUL character';
  // The engine would put U+FFFD there: two different texts would be the same row.
  if (!text.isWellFormed()) return 'text with half a surrogate pair';
  return undefined;
}

const mayHide = /\\u(?:0000|d[89a-f])/i;

/**
 * Reason why JSON with escapes cannot be stored. `json_each` would decode half of a surrogate pair, which kills the
 * process in the native binding.
 */
function hiddenObjection(text: string): string | undefined {
  // Fast check for nearly all texts, at a tenth of the cost of a regular expression.
  if (!text.includes('\\') || !mayHide.test(text)) return undefined;
  let firstObjection: string | undefined;
  try {
    JSON.parse(text, (key, value: unknown) => {
      firstObjection ??= textObjection(key) ?? (typeof value === 'string' ? textObjection(value) : undefined);
      return value;
    });
  } catch {
    // Not JSON: the text is never parsed back.
  }
  return firstObjection;
}

/** Reason why a value cannot be stored. Undefined: storable. */
function objection(value: unknown): string | undefined {
  if (typeof value === 'string') return textObjection(value) ?? hiddenObjection(value);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'a number that is not finite';
  if (value === null || value instanceof Uint8Array) return undefined;
  // The native binding ends the whole process when it meets a boolean.
  return `a value of type ${typeof value}`;
}

/** Texts come from callers, so those are their mistake; a wrong type is ours. */
export function checkValues(values: readonly SqlValue[]): void {
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
