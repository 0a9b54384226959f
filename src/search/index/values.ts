import type { ClosedIn } from '../../assets/access/viewer.ts';
import type { BaseType, FieldDefinition } from '../../assets/definitions/known.ts';
import { instantOf } from '../../assets/metadata/merge/time-code.ts';
import { parseDateTime } from '../../documents/date-time.ts';
import { folded } from '../text/words.ts';

/** Comparable form of a value: numbers as such, dates in milliseconds, time codes in seconds. */
export type Comparable = string | number | bigint;

/** Rules for comparing and searching a field. */
export interface FieldForm {
  readonly name: string;
  readonly base: BaseType;
  readonly foldsCase: boolean;
  /** Value of `NOW` in dates, in a search. */
  readonly now?: number;
  /** Boost of the field for relevance, in a search. */
  readonly boost?: number;
  /** Entities in which the caller may not read the field, in a search. */
  readonly closed?: ClosedIn;
}

export const formOf = ({ name, base, rest }: FieldDefinition): FieldForm => ({
  name,
  base,
  foldsCase: rest.caseSensitiveSorting === false,
});

export const isText = (base: BaseType): boolean => base === 'string' || base === 'string-exact';

/** Maximum characters of values for ranges, sorting and facets. Longer ones are found by words and as a whole. */
export const longestValue = 1000;

/** Undefined: invalid for the type. */
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

/** Canonical text: equal for equal values. */
export const canonical = (value: Comparable): string => (Object.is(value, -0) ? '0' : String(value));

/** Value as shown in answers. */
export function shownValue(base: BaseType, value: string): string {
  if (base === 'boolean') return value === '1' ? 'true' : 'false';
  if (base === 'date') return new Date(Number(value)).toISOString();
  return value;
}

/** Sort key of values, in fields that ignore case. Undefined: the value itself. */
export const foldedFor = (form: FieldForm, value: Comparable): string | undefined =>
  form.foldsCase && typeof value === 'string' ? folded(value) : undefined;

/** JSON of a value for SQL: 64-bit integers keep all digits. */
export const jsonOf = (value: Comparable): string =>
  typeof value === 'string' ? JSON.stringify(value) : canonical(value);
