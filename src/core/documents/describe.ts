/**
 * Vocabulary for the description of documents. A description is plain data: readers, writers, the TypeScript type, the
 * JSON Schema and the XSD are all generated from it, so that they always agree.
 */

/** Carry a type through plain data. Said to be there so that `Value` is a plain lookup; never there at run time. */
declare const carries: unique symbol;
declare const mandatory: unique symbol;

export type ScalarName = 'string' | 'integer' | 'decimal' | 'boolean' | 'dateTime' | 'enumeration';

export interface Scalar<T = unknown> {
  readonly kind: 'scalar';
  readonly name: ScalarName;
  /** Allowed values of an enumeration. */
  readonly values?: readonly string[];
  readonly [carries]: T;
}

const scalar = <T>(name: ScalarName, values?: readonly string[]): Scalar<T> =>
  ({ kind: 'scalar', name, ...(values && { values }) }) as Scalar<T>;

export const string = scalar<string>('string');
/** A whole number that a double holds exactly. */
export const integer = scalar<number>('integer');
/** A number with a fraction, or an exponent. */
export const decimal = scalar<number>('decimal');
export const boolean = scalar<boolean>('boolean');
/** In memory: milliseconds since the epoch. */
export const dateTime = scalar<number>('dateTime');

export function oneOf<const V extends string>(...values: readonly V[]): Scalar<V> {
  return scalar<V>('enumeration', values);
}

/** Constraint between fields of a structure. */
export interface Rule<K extends string = string> {
  readonly kind: 'exactlyOne' | 'atMostOne' | 'atLeastOne';
  readonly keys: readonly K[];
}

/** Deviation of a structure from the usual JSON form. */
export interface Trait {
  readonly kind: 'nullsInJson' | 'bareInJson' | 'orderedInJson' | 'ownFirstInJson' | 'textIsName';
  /** Keys of inherited fields. */
  readonly inherited?: readonly string[];
}

export const exactlyOneOf = <K extends string>(...keys: readonly K[]): Rule<K> => ({ kind: 'exactlyOne', keys });
export const atMostOneOf = <K extends string>(...keys: readonly K[]): Rule<K> => ({ kind: 'atMostOne', keys });
export const atLeastOneOf = <K extends string>(...keys: readonly K[]): Rule<K> => ({ kind: 'atLeastOne', keys });
/** JSON has all fields; absent ones are null. */
export const nullsInJson: Trait = { kind: 'nullsInJson' };
/** JSON has the fields in the order of the description, instead of the attributes last. */
export const orderedInJson: Trait = { kind: 'orderedInJson' };
/** Inherited elements come first in XML, and after own elements in JSON. */
export const ownFirstInJson = (...inherited: readonly Fields[]): Trait => ({
  kind: 'ownFirstInJson',
  inherited: inherited.flatMap((fields) => Object.keys(fields)),
});
/** JSON has the text alone, without an object around it, if there are no attributes. */
export const bareInJson: Trait = { kind: 'bareInJson' };

/** A text instead of the element is read as its field `name`. */
export const textIsName: Trait = { kind: 'textIsName' };

/** An element with fields of its own. */
export interface Structure<T = unknown> {
  readonly kind: 'structure';
  readonly name: string;
  readonly fields: Fields;
  readonly rules: readonly Rule[];
  readonly traits: readonly Trait[];
  readonly [carries]: T;
}

/** A structure that is named before it exists: what makes recursion possible. */
export interface Lazy<T = unknown> {
  readonly kind: 'lazy';
  readonly target: () => Structure<T>;
  readonly [carries]: T;
}

export interface Description<T = unknown> {
  readonly kind: 'document';
  /** Name of the root element. */
  readonly name: string;
  /** Alternative names of the root element, for reading. */
  readonly aliases: readonly string[];
  /** Whether a name that is nearly a known one is refused. */
  readonly careful: boolean;
  readonly structure: Structure<T>;
  readonly [carries]: T;
}

export interface Marker {
  readonly kind: 'marker';
}

export interface FieldData {
  /** `named`: elements of any names, the keys of a map. */
  readonly place: 'attribute' | 'element' | 'content' | 'named';
  readonly type: Scalar | Structure | Lazy | Marker;
  readonly repeated: boolean;
  /** Limit of a repeated field. A document with more is refused at the first one too many. */
  readonly max: number | undefined;
  readonly mandatory: boolean;
  /** `in`: never written, even if present. `out`: accepted in requests and ignored. */
  readonly direction: 'both' | 'in' | 'out';
  /** Alternative spellings, for reading. */
  readonly aliases: readonly string[];
  /** Whether a blank value counts as absent: forms send it. */
  readonly blank: boolean;
  /** Whether unknown names inside of it are refused, at any depth. Elsewhere they are ignored. */
  readonly strict: boolean;
  readonly sentence: string;
}

export class Field<T = unknown, M extends boolean = boolean> {
  readonly data: FieldData;
  declare readonly [carries]: T;
  declare readonly [mandatory]?: M;

  constructor(data: FieldData) {
    this.data = data;
  }

  #with(change: Partial<FieldData>): FieldData {
    return { ...this.data, ...change };
  }

  get required(): Field<T, true> {
    return new Field<T, true>(this.#with({ mandatory: true }));
  }

  get inputOnly(): Field<T, M> {
    return new Field<T, M>(this.#with({ direction: 'in' }));
  }

  get outputOnly(): Field<T, M> {
    return new Field<T, M>(this.#with({ direction: 'out' }));
  }

  get orBlank(): Field<T, M> {
    return new Field<T, M>(this.#with({ blank: true }));
  }

  get strict(): Field<T, M> {
    return new Field<T, M>(this.#with({ strict: true }));
  }

  alias(...names: readonly string[]): Field<T, M> {
    return new Field<T, M>(this.#with({ aliases: [...this.data.aliases, ...names] }));
  }

  /** The most entries that are read, where a list has less room than every list. */
  max(count: number): Field<T, M> {
    if (!this.data.repeated) throw new TypeError(`Expected a list to have at most ${count} entries`);
    return new Field<T, M>(this.#with({ max: count }));
  }

  /** Sets the description for the schemas, one sentence. */
  says(sentence: string): Field<T, M> {
    return new Field<T, M>(this.#with({ sentence }));
  }
}

export type Fields = Readonly<Record<string, Field>>;

type IsMandatory<F> = F extends { readonly [mandatory]?: true } ? true : false;
type Flat<T> = { [K in keyof T]: T[K] };

/** The type of an object with these fields. An optional field may also be given as undefined. */
export type FieldsValue<F extends Fields> = Flat<
  { readonly [K in keyof F as IsMandatory<F[K]> extends true ? K : never]: F[K][typeof carries] } & {
    readonly [K in keyof F as IsMandatory<F[K]> extends true ? never : K]?: F[K][typeof carries] | undefined;
  }
>;

/** The TypeScript type of whatever is described. */
export type Value<D extends Description | Structure | Lazy | Scalar | Field> = D[typeof carries];

const plain = {
  repeated: false,
  max: undefined,
  mandatory: false,
  direction: 'both',
  aliases: [],
  blank: false,
  strict: false,
  sentence: '',
} as const;

export function attribute<T>(type: Scalar<T>): Field<T, false> {
  return new Field({ ...plain, place: 'attribute', type });
}

export function element<T>(type: Scalar<T> | Structure<T> | Lazy<T>): Field<T, false> {
  return new Field({ ...plain, place: 'element', type });
}

export function list<T>(type: Scalar<T> | Structure<T> | Lazy<T>): Field<readonly T[], false> {
  return new Field({ ...plain, place: 'element', type, repeated: true });
}

/** Elements of names that no description knows. They are written, and never read. */
export function named<T>(type: Structure<T>): Field<ReadonlyMap<string, readonly T[]>, false> {
  return new Field({ ...plain, place: 'named', type, direction: 'out' });
}

/** The text of the element itself; in JSON a key like any other. */
export function content<T>(type: Scalar<T>): Field<T, false> {
  return new Field({ ...plain, place: 'content', type });
}

/** Element without content, whose presence is its value. */
export function marker(): Field<true, false> {
  return new Field({ ...plain, place: 'element', type: { kind: 'marker' } });
}

export function lazy<T>(target: () => Structure<T>): Lazy<T> {
  return { kind: 'lazy', target } as Lazy<T>;
}

export function structure<const F extends Fields>(
  name: string,
  fields: F,
  ...laws: readonly (Rule<keyof F & string> | Trait)[]
): Structure<FieldsValue<F>> {
  checkFields(name, fields);
  return {
    kind: 'structure',
    name,
    fields,
    rules: laws.filter((law): law is Rule<keyof F & string> => 'keys' in law),
    traits: laws.filter((law): law is Trait => !('keys' in law)),
  } as unknown as Structure<FieldsValue<F>>;
}

/** A document with fields of its own, or around a structure that is used elsewhere too. */
export function document<T>(name: string, root: Structure<T>): Description<T>;
export function document<const F extends Fields>(
  name: string,
  fields: F,
  ...laws: readonly (Rule<keyof F & string> | Trait)[]
): Description<FieldsValue<F>>;
export function document(name: string, root: Structure | Fields, ...laws: readonly (Rule | Trait)[]): Description {
  if (isStructure(root)) return describe(name, root);
  return describe(name, structure(name.replace(/Document$/, 'Type'), root, ...laws));
}

function describe(name: string, root: Structure): Description {
  return { kind: 'document', name, aliases: [], careful: false, structure: root } as unknown as Description;
}

/** Makes a document careful, for cases in which a misspelt name would open access. */
export function careful<T>(description: Description<T>): Description<T> {
  return { ...description, careful: true };
}

/** Adds alternative names of the root element. */
export function alsoNamed<T>(description: Description<T>, ...aliases: readonly string[]): Description<T> {
  return { ...description, aliases };
}

function isStructure(root: Structure | Fields): root is Structure {
  return root['kind'] === 'structure';
}

/** Validates a description when its module is loaded. */
function checkFields(name: string, fields: Fields): void {
  const all = Object.entries(fields);
  for (const [key, { data }] of all) {
    for (const spelling of [key, ...data.aliases]) {
      // A plain object would seem to hold these already.
      if (spelling in Object.prototype) throw new TypeError(`Expected another field name in ${name}: "${spelling}"`);
    }
  }
  const hasContent = all.some(([, { data }]) => data.place === 'content');
  if (hasContent && all.some(([, { data }]) => data.type.kind !== 'scalar' || data.repeated)) {
    throw new TypeError(`Expected only single scalars beside text content: ${name}`);
  }
}
