import type { ClosedIn } from '../../access/public-reading.ts';
import { type BaseType, type Comparable, type FieldDefinition, valueTypeOf } from '../../definitions/public-reading.ts';
import { folded } from './words.ts';

/** Rules for comparing and searching a field. */
export interface FieldForm {
  readonly name: string;
  readonly base: BaseType;
  readonly foldsCase: boolean;
  /** Value of `NOW` in dates, in a search. */
  readonly now?: number | undefined;
  /** Boost of the field for relevance, in a search. */
  readonly boost?: number | undefined;
  /** Entities in which the caller may not read the field, in a search. */
  readonly closed?: ClosedIn | undefined;
}

export const formOf = ({ name, base, rest }: FieldDefinition): FieldForm => ({
  name,
  base,
  foldsCase: rest.caseSensitiveSorting === false,
});

/** Maximum characters of values for ranges, sorting and facets. Longer ones are found by words and as a whole. */
export const maxValueLength = 1000;

/** Undefined: invalid for the type. */
export const comparableOf = (base: BaseType, text: string): Comparable | undefined =>
  valueTypeOf(base).comparable(text);

/** Canonical text: equal for equal values. */
export const canonical = (value: Comparable): string => (Object.is(value, -0) ? '0' : String(value));

/** Value as shown in answers. */
export const shownValue = (base: BaseType, value: string): string => valueTypeOf(base).shown?.(value) ?? value;

/** Sort key of values, in fields that ignore case. Undefined: the value itself. */
export const foldedFor = (form: FieldForm, value: Comparable): string | undefined =>
  form.foldsCase && typeof value === 'string' ? folded(value) : undefined;

/** JSON of a value for SQL: 64-bit integers keep all digits. */
export const jsonOf = (value: Comparable): string =>
  typeof value === 'string' ? JSON.stringify(value) : canonical(value);
