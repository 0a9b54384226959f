import { parseDateTime } from '../../core/documents/scalars.ts';
import { instantOf } from '../../core/lib/time-code.ts';
import { booleanWords } from '../../core/lib/words.ts';

/** Comparable form of a value: numbers as such, dates in milliseconds, time codes in seconds. */
export type Comparable = string | number | bigint;

interface ValueType {
  /** Suffixes of further types with the same values. */
  readonly variants: readonly ('noindex' | 'sortable')[];
  /** Types that accept every value of this one. */
  readonly widerTypes?: readonly string[];
  /** Kind of restriction that a field may have. */
  readonly restriction?: Restriction['of'];
  /** Valid values, for messages. */
  readonly expected: string;
  /** Canonical form of a trimmed text. Undefined: invalid. Texts are kept as they are. */
  read(text: string): string | undefined;
  /** Form for ranges, sorting and facets. Undefined: invalid. */
  comparable(text: string): Comparable | undefined;
  /** Comparable form as shown in answers. */
  shown?(value: string): string;
  /** For texts: whether searches compare the words of a value, or all of it. Texts keep their white space. */
  readonly matches?: 'words' | 'whole';
}

const itself = (text: string): string => text;

/** A row for each type of metadata field. */
const valueTypes = {
  date: {
    variants: ['noindex', 'sortable'],
    expected: 'an ISO 8601 date, or date and time',
    read: (text) => (parseDateTime(text) === undefined ? undefined : text),
    comparable: (text) => parseDateTime(text.trim()),
    shown: (value) => new Date(Number(value)).toISOString(),
  },
  float: {
    variants: ['noindex', 'sortable'],
    restriction: 'float',
    expected: 'a decimal number',
    read: (text) =>
      /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? text : undefined,
    comparable: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  },
  integer: {
    variants: ['noindex', 'sortable'],
    widerTypes: ['long', 'float'],
    restriction: 'integer',
    ...whole(32),
  },
  long: { variants: ['noindex'], widerTypes: ['float'], restriction: 'long', ...whole(64) },
  string: {
    variants: ['sortable', 'noindex'],
    widerTypes: ['string-exact'],
    restriction: 'string',
    expected: 'a text',
    read: itself,
    comparable: itself,
    matches: 'words',
  },
  'string-exact': {
    variants: ['sortable'],
    widerTypes: ['string'],
    restriction: 'string',
    expected: 'a text',
    read: itself,
    comparable: itself,
    matches: 'whole',
  },
  boolean: {
    variants: ['noindex'],
    expected: 'true or false',
    read: (text) => booleanWords.get(text.toLowerCase())?.toString(),
    comparable(text) {
      const value = booleanWords.get(text.trim().toLowerCase());
      return value === undefined ? undefined : Number(value);
    },
    shown: (value) => (value === '1' ? 'true' : 'false'),
  },
  timeCode: {
    variants: ['noindex'],
    expected: 'a time code such as 250@PAL or 3.5',
    read: (text) => (instantOf(text)?.fraction ? text : undefined),
    comparable(text) {
      const fraction = instantOf(text.trim())?.fraction;
      return fraction && Number(fraction.numerator) / Number(fraction.denominator);
    },
  },
} as const satisfies Readonly<Record<string, ValueType>>;

/** Type of a value, without its suffix for index and sorting. */
export type BaseType = keyof typeof valueTypes;
type Variants<K extends BaseType> = (typeof valueTypes)[K]['variants'][number];
export type FieldType = { [K in BaseType]: K | `${K}-${Variants<K>}` }[BaseType];

export const valueTypeOf = (base: BaseType): ValueType => valueTypes[base];

const bases: ReadonlyMap<string, BaseType> = new Map(
  (Object.keys(valueTypes) as BaseType[]).flatMap((base) =>
    ['', ...valueTypes[base].variants.map((suffix) => `-${suffix}`)].map(
      (suffix) => [`${base}${suffix}`, base] as const,
    ),
  ),
);

export const fieldTypes = [...bases.keys()] as FieldType[];
export const baseOf = (type: FieldType): BaseType => bases.get(type)!;

/** Whether values of the type are texts, which have words. */
export const isText = (base: BaseType): boolean => valueTypeOf(base).matches !== undefined;

/** Whether a field in use may change its type: every value of `from` is valid in `to`. */
export const keepsValues = (from: FieldType, to: FieldType): boolean =>
  baseOf(from) === baseOf(to) || (valueTypeOf(baseOf(from)).widerTypes?.includes(baseOf(to)) ?? false);

/** Constraints for values, by type. */
export type Restriction =
  | { readonly of: 'string'; readonly minLength?: number; readonly maxLength?: number; readonly pattern?: string }
  | {
      readonly of: 'integer' | 'long' | 'float';
      readonly minInclusive?: number;
      readonly maxInclusive?: number;
    };

export const restrictionKind = (type: FieldType): Restriction['of'] | undefined =>
  valueTypeOf(baseOf(type)).restriction;

function whole(bits: 32 | 64): Pick<ValueType, 'expected' | 'read' | 'comparable'> {
  const [least, max] = [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  return {
    expected: `a whole number from ${least} to ${max}`,
    read(text) {
      if (!/^[+-]?\d+$/.test(text)) return undefined;
      const number = BigInt(text.replace(/^\+/, ''));
      return number < least || number > max ? undefined : String(number);
    },
    comparable(text) {
      const trimmed = text.trim();
      if (!/^[+-]?\d{1,19}$/.test(trimmed)) return undefined;
      const number = Number(trimmed);
      return Number.isSafeInteger(number) ? number : BigInt(trimmed.replace('+', ''));
    },
  };
}
