import { ServiceError } from '../lib/errors.ts';
import { hiddenPart, unstorablePart } from '../lib/storable.ts';
import type { SqlValue, Statement } from './contract.ts';

/**
 * The part that keeps a text from being stored. `json_each` would decode half of a surrogate pair behind an escape, which
 * kills the process in the native binding; in a text that is no JSON, nobody decodes it.
 */
function partOf(text: string): string | undefined {
  const part = unstorablePart(text);
  if (part) return part;
  const hidden = hiddenPart(text);
  return hidden && isJson(text) ? hidden : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reason why a value cannot be stored. Undefined: storable. */
function objection(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const part = partOf(value);
    return part && `text with ${part}`;
  }
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
