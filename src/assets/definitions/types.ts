export const fieldTypes = [
  'date',
  'date-noindex',
  'date-sortable',
  'float',
  'float-noindex',
  'float-sortable',
  'integer',
  'integer-noindex',
  'integer-sortable',
  'long',
  'long-noindex',
  'string',
  'string-sortable',
  'string-exact',
  'string-exact-sortable',
  'string-noindex',
  'boolean',
  'boolean-noindex',
  'timeCode',
  'timeCode-noindex',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** Type of a value, without its suffix for index and sorting. */
export type BaseType = 'date' | 'float' | 'integer' | 'long' | 'string' | 'string-exact' | 'boolean' | 'timeCode';

export const baseOf = (type: FieldType): BaseType => type.replace(/-(?:noindex|sortable)$/, '') as BaseType;

/** Types that accept every value of a narrower type. */
const wider: Readonly<Record<BaseType, readonly BaseType[]>> = {
  string: ['string-exact'],
  'string-exact': ['string'],
  integer: ['long', 'float'],
  long: ['float'],
  float: [],
  date: [],
  boolean: [],
  timeCode: [],
};

/** Whether a field in use may change its type: every value of `from` is valid in `to`. */
export const keepsValues = (from: FieldType, to: FieldType): boolean =>
  baseOf(from) === baseOf(to) || wider[baseOf(from)].includes(baseOf(to));

/** Constraints for values, by type. */
export type Restriction =
  | { readonly of: 'string'; readonly minLength?: number; readonly maxLength?: number; readonly pattern?: string }
  | {
      readonly of: 'integer' | 'long' | 'float';
      readonly minInclusive?: number;
      readonly maxInclusive?: number;
    };

const restrictionOf: Readonly<Record<BaseType, Restriction['of'] | undefined>> = {
  string: 'string',
  'string-exact': 'string',
  integer: 'integer',
  long: 'long',
  float: 'float',
  date: undefined,
  boolean: undefined,
  timeCode: undefined,
};

export const restrictionKind = (type: FieldType): Restriction['of'] | undefined => restrictionOf[baseOf(type)];
