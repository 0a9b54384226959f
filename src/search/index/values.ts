import type { ClosedIn } from '../../assets/access/viewer.ts';
import type { BaseType, FieldDefinition } from '../../assets/definitions/known.ts';
import { instantOf } from '../../assets/metadata/merge/time-code.ts';
import { parseDateTime } from '../../documents/date-time.ts';
import { folded } from '../text/words.ts';

/** A value as it compares: numbers by number, dates by milliseconds, time codes by seconds. */
export type Comparable = string | number | bigint;

/** How a field is compared and searched. */
export interface FieldForm {
  readonly name: string;
  readonly base: BaseType;
  readonly foldsCase: boolean;
  /** In a search: the time that `NOW` means for a date. */
  readonly now?: number;
  /** In a search: how much more its values count for relevance. */
  readonly boost?: number;
  /** In a search: the entities in which its caller may not read it. */
  readonly closed?: ClosedIn;
}

export const formOf = ({ name, base, rest }: FieldDefinition): FieldForm => ({
  name,
  base,
  foldsCase: rest.caseSensitiveSorting === false,
});

export const isText = (base: BaseType): boolean => base === 'string' || base === 'string-exact';

/** Characters of a value that ranges, sorting and facets know. Longer ones are found by words and as a whole. */
export const longestValue = 1000;

/** Undefined: the text is no value of the type. */
export function comparableOf(base: BaseType, text: string): Comparable | undefined {
  const trimmed = text.trim();
  switch (base) {
    case 'string':
    case 'string-exact':
      return text;
    case 'integer':
    case 'long':
      return wholeOf(trimmed);
    case 'float':
      return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
    case 'date':
      return parseDateTime(trimmed);
    case 'boolean':
      return booleans.get(trimmed.toLowerCase());
    case 'timeCode':
      return secondsOf(trimmed);
  }
}

const booleans: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['1', 1],
  ['false', 0],
  ['0', 0],
]);

function wholeOf(text: string): Comparable | undefined {
  if (!/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text.replace('+', ''));
}

function secondsOf(text: string): number | undefined {
  const fraction = instantOf(text)?.fraction;
  return fraction && Number(fraction.numerator) / Number(fraction.denominator);
}

/** Equal for equal values, whatever they were written like. */
export const canonical = (value: Comparable): string => (Object.is(value, -0) ? '0' : String(value));

/** As answers tell a value again. */
export function shownValue(base: BaseType, value: string): string {
  if (base === 'boolean') return value === '1' ? 'true' : 'false';
  if (base === 'date') return new Date(Number(value)).toISOString();
  return value;
}

/** What sorts instead of the value. */
export const foldedFor = (form: FieldForm, value: Comparable): string | undefined =>
  form.foldsCase && typeof value === 'string' ? folded(value) : undefined;

/** A value as SQL reads it from JSON: whole numbers of 64 bits keep all their digits. */
export const jsonOf = (value: Comparable): string =>
  typeof value === 'string' ? JSON.stringify(value) : canonical(value);
