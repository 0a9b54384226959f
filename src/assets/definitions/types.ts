/** The types of fields, as documents write them. */
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

/** What a value is, apart from how it is searched and sorted. */
export type BaseType = 'date' | 'float' | 'integer' | 'long' | 'string' | 'string-exact' | 'boolean' | 'timeCode';

export const baseOf = (type: FieldType): BaseType => type.replace(/-(?:noindex|sortable)$/, '') as BaseType;

/** Families in which a value of one type is also one of the other. */
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

/** Whether every value of the one type is a value of the other, so that a field in use may change to it. */
export const keepsValues = (from: FieldType, to: FieldType): boolean =>
  baseOf(from) === baseOf(to) || wider[baseOf(from)].includes(baseOf(to));

/** The limits that a restriction sets for values of a type. */
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

/** The kind of restriction that a type can have. */
export const restrictionKind = (type: FieldType): Restriction['of'] | undefined => restrictionOf[baseOf(type)];
