import { parseDateTime } from '../../core/documents/index.ts';
import { parseSpan } from '../../core/lib/clock.ts';
import { booleanWords } from '../../core/lib/words.ts';
import type { Parameter, ParameterSchema, QueryOf } from './read.ts';

/** The words in which a route declares its query and matrix parameters. The first argument is the sentence. */

/** With a value of its own where the caller sends none, or undefined. */
interface Default<T> {
  readonly defaultValue?: T;
}

type OptionalOr<T, O> = O extends { readonly defaultValue: T } | { readonly required: true } ? T : T | undefined;

type ParameterOptions = Omit<Parameter, 'required' | 'list' | 'defaultValue'> & Partial<Parameter>;

/** The types of the builders say what `defaultValue` and `read` carry. */
function declared<T>(parameter: ParameterOptions, defaultValue?: unknown): Parameter<T> {
  const initial = ['string', 'number', 'boolean'].includes(typeof defaultValue)
    ? { default: defaultValue as string }
    : {};
  const row = { required: false, list: false, ...parameter, defaultValue, schema: { ...parameter.schema, ...initial } };
  return row as Parameter<T>;
}

/** A text without the blanks around it. */
export function text<const O extends Default<string> & Needed>(
  says: string,
  options?: O,
): Parameter<OptionalOr<string, O>> {
  const { defaultValue, required = false, expected = 'Expected a text' } = options ?? {};
  return declared({ says, required, expected, schema: { type: 'string' }, read: (value) => value }, defaultValue);
}

interface Range {
  readonly least?: number;
  /** A larger number is refused. */
  readonly max?: number;
  /** A larger number counts as this one. */
  readonly atMost?: number;
}

/** A whole number. */
export function whole<const O extends Default<number> & Range & Pick<Needed, 'required'>>(
  says: string,
  options?: O,
): Parameter<OptionalOr<number, O>> {
  const { least = 0, max = Number.MAX_SAFE_INTEGER, atMost = max, required = false } = options ?? {};
  const defaultValue = options?.defaultValue === undefined ? undefined : Math.min(options.defaultValue, atMost);
  const bounded = max < Number.MAX_SAFE_INTEGER;
  const expected = `Expected a whole number ${bounded ? `from ${least} to ${max}` : `of at least ${least}`}`;
  const schema: ParameterSchema = { type: 'integer', minimum: least, ...(bounded && { maximum: max }) };
  const read = (value: string) => {
    const number = /^[+-]?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= max ? Math.min(number, atMost) : undefined;
  };
  return declared({ says, required, expected, schema, read }, defaultValue);
}

const flagWords: ReadonlyMap<string, boolean> = new Map([...booleanWords, ['yes', true], ['no', false]]);

export function flag(says: string, defaultValue: boolean): Parameter<boolean>;
export function flag(says: string): Parameter<boolean | undefined>;
export function flag(says: string, defaultValue?: boolean): Parameter<boolean | undefined> {
  const read = (value: string) => flagWords.get(value.toLowerCase());
  return declared({ says, expected: 'Expected "true" or "false"', schema: { type: 'boolean' }, read }, defaultValue);
}

/** Flag that has one more value. */
export function flagOr<const W extends string>(says: string, word: W, defaultValue: boolean): Parameter<boolean | W> {
  const read = (value: string) => (value.toLowerCase() === word ? word : flagWords.get(value.toLowerCase()));
  const schema: ParameterSchema = { type: 'string', enum: ['true', 'false', word] };
  const row = { says, expected: `Expected "true", "false" or "${word}"`, schema, read };
  return { ...declared<boolean | W>(row, defaultValue), schema: { ...schema, default: String(defaultValue) } };
}

interface ChoiceOptions<V extends string> extends Default<V> {
  readonly required?: true;
  readonly expected?: string;
  /** Synonyms of values. */
  readonly also?: Readonly<Record<string, V>>;
}

/** Parameter with a fixed set of values. Case is ignored. */
export function choice<const V extends string, const O extends ChoiceOptions<V>>(
  says: string,
  values: readonly V[],
  options?: O,
): Parameter<OptionalOr<V, O>> {
  const {
    defaultValue,
    required = false,
    expected = `Expected one of ${values.join(', ')}`,
    also = {},
  } = options ?? {};
  const words = new Map([...values.map((value) => [value.toLowerCase(), value] as const), ...Object.entries(also)]);
  const schema: ParameterSchema = { type: 'string', enum: values };
  return declared({ says, required, expected, schema, read: (value) => words.get(value.toLowerCase()) }, defaultValue);
}

interface Needed {
  readonly required?: true;
  readonly expected?: string;
}

/** Milliseconds since the epoch, or a date and time as documents have them. */
export function date(says: string): Parameter<number | undefined>;
export function date<const O extends Needed>(says: string, options: O): Parameter<OptionalOr<number, O>>;
export function date(says: string, options: Needed = {}): Parameter<number | undefined> {
  const { required = false, expected = 'Expected a date and time such as 2030-01-31T12:00:00Z' } = options;
  const read = (value: string) =>
    // A plus sign of an offset is a blank once the query is read.
    /^\d{10,15}$/.test(value) ? Number(value) : parseDateTime(value.replace(/ (?=\d\d:?\d\d$)/, '+'));
  return declared({ says, required, expected, schema: { type: 'string', format: 'date-time' }, read });
}

/** Date and time, or a time span before now. The current time is passed to the result later. */
export function moment(says: string): Parameter<((now: number) => number) | undefined> {
  const { read: readDate } = date(says);
  const read = (value: string) => {
    const span = parseSpan(value);
    if (span !== undefined) return (now: number) => now - span;
    const time = readDate(value) as number | undefined;
    return time === undefined ? undefined : () => time;
  };
  const expected = 'Expected a date and time such as 2030-01-31T12:00:00Z, or how long ago: 90m, 6h, 2d';
  return declared({ says, expected, schema: { type: 'string' }, read });
}

/** Several values: commas between, or the parameter repeated. Undefined when there is none. */
export function list<T>(item: Parameter<T>): Parameter<readonly NonNullable<T>[] | Extract<T, undefined>> {
  return declared({ ...item, list: 'commas', schema: { type: 'array', items: item.schema } });
}

const noTexts: readonly string[] = [];

/** Texts as they were sent, one each time the parameter is repeated. */
export function repeated(says: string): Parameter<readonly string[]> {
  const schema: ParameterSchema = { type: 'array', items: { type: 'string' } };
  return declared({ says, expected: 'Expected a text', list: 'repeated', schema, read: (value) => value }, noTexts);
}

/** The part of a list that a caller asks for. No page is larger than the setting. */
export function page(maxPage: number, defaultValue = maxPage) {
  return {
    first: whole('Index of the first entry, from 1. 0 is the same as 1', { defaultValue: 1 }),
    number: whole(`Maximum number of entries, up to ${maxPage}`, { defaultValue, atMost: maxPage }),
  };
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export const pageOf = ({ first, number }: QueryOf<ReturnType<typeof page>>): Page => ({
  offset: Math.max(first - 1, 0),
  limit: number,
});

/**
 * Cursor of the page behind a page: every page by a cursor has one. The list has ended where a page has fewer entries
 * than asked for, or where the cursor is that of the page itself. `at`: the cursor behind an entry.
 */
export function cursorBehind<T>(
  cursor: string | undefined,
  page: readonly T[],
  at: (last: T) => string,
): string | undefined {
  if (cursor === undefined || page.length === 0) return cursor;
  return at(page.at(-1)!);
}

export {
  badParameter,
  type Parameter,
  type ParameterSchema,
  type ParameterTable,
  type QueryOf,
  readQuery,
} from './read.ts';
