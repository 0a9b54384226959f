import type { Description, Field, FieldData, Rule, Scalar, Structure } from './describe.ts';
import { escapeAttribute, escapeText } from './escape.ts';
import { type ScalarForm, scalarForms } from './scalars.ts';

type Source = Readonly<Record<string, unknown>>;

/** The slots for which a value has keys, in the orders of both forms. */
interface Present<S> {
  readonly inJson: readonly S[];
  readonly attributes: readonly S[];
  readonly elements: readonly S[];
}

/** Limit of remembered key lists. Structures with more variants get all slots. */
const max = 8;

/**
 * Finds the present slots of a value by its keys. Most values of a list have the same keys in the same order, and fewer
 * than their structure: to compare them costs less than to look for each slot.
 */
class PresentSlots<S extends { readonly key: string }> {
  readonly #all: Present<S>;
  readonly #known: { readonly keys: readonly string[]; readonly present: Present<S> }[] = [];

  constructor(all: Present<S>) {
    this.#all = all;
  }

  of(source: Source): Present<S> {
    for (const { keys, present } of this.#known) if (hasKeys(source, keys)) return present;
    if (this.#known.length === max) return this.#all;
    const keys = Object.keys(source);
    const isPresent = ({ key }: S): boolean => keys.includes(key);
    const { inJson, attributes, elements } = this.#all;
    const present = {
      inJson: inJson.filter(isPresent),
      attributes: attributes.filter(isPresent),
      elements: elements.filter(isPresent),
    };
    this.#known.push({ keys, present });
    return present;
  }
}

/** Whether the object has exactly these keys, in this order. */
function hasKeys(source: Source, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in source) if (keys[at++] !== key) return false;
  return at === keys.length;
}

/** Prepared field, with everything that readers and writers need for each element. */
export interface Slot {
  readonly key: string;
  readonly place: FieldData['place'];
  readonly repeated: boolean;
  readonly max: number | undefined;
  readonly required: boolean;
  readonly written: boolean;
  readonly blank: boolean;
  readonly strict: boolean;
  /** Exactly one of the two is set, or none for a marker. */
  readonly child: Plan | undefined;
  readonly scalar: Scalar | undefined;
  readonly form: ScalarForm | undefined;
  readonly open: string;
  readonly close: string;
  readonly jsonKey: string;
  /** The text of a scalar in each form. */
  readonly jsonText: (value: unknown) => string;
  readonly xmlText: (value: unknown) => string;
}

export interface Plan {
  readonly name: string;
  readonly slots: readonly Slot[];
  readonly attributes: readonly Slot[];
  readonly elements: readonly Slot[];
  /** Written fields in the order of JSON, as clients expect it: inherited elements after own ones, attributes last. */
  readonly inJson: readonly Slot[];
  readonly present: PresentSlots<Slot>;
  readonly content: Slot | undefined;
  /** Field that a text instead of the element stands for. */
  readonly named: Slot | undefined;
  readonly required: readonly Slot[];
  readonly rules: readonly Rule[];
  readonly nulls: boolean;
  readonly bare: boolean;
  /** Names and aliases. A Map, because the names that are looked up come from outside. */
  readonly byXmlName: ReadonlyMap<string, Slot>;
  readonly byJsonName: ReadonlyMap<string, Slot>;
}

/** Values while reading, before they are typed. Has described keys only, so a plain object is safe. */
export type Target = Record<string, unknown>;

const plans = new WeakMap<Structure, Plan>();

export function planOf(description: Description | Structure): Plan {
  const structure = description.kind === 'document' ? description.structure : description;
  return plans.get(structure) ?? makePlan(structure);
}

function makePlan(structure: Structure): Plan {
  const slots: Slot[] = [];
  const byXmlName = new Map<string, Slot>();
  const byJsonName = new Map<string, Slot>();
  const parts = { attributes: [] as Slot[], elements: [] as Slot[], inJson: [] as Slot[], required: [] as Slot[] };
  const traits = new Set(structure.traits.map(({ kind }) => kind));
  const plan = {
    ...parts,
    name: structure.name,
    slots,
    present: new PresentSlots<Slot>(parts),
    content: undefined as Slot | undefined,
    named: undefined as Slot | undefined,
    rules: structure.rules,
    nulls: traits.has('nullsInJson'),
    bare: traits.has('bareInJson'),
    byXmlName,
    byJsonName,
  };
  // Before the fields: a recursive structure meets itself on the way down.
  plans.set(structure, plan);
  for (const [key, field] of Object.entries(structure.fields)) {
    const slot = makeSlot(key, field);
    slots.push(slot);
    if (slot.place === 'attribute') parts.attributes.push(slot);
    else if (slot.place === 'element') parts.elements.push(slot);
    else if (slot.place === 'content') plan.content = slot;
    else {
      parts.elements.push(slot);
      continue;
    }
    if (key === 'name' && traits.has('textIsName')) plan.named = slot;
    if (slot.required) parts.required.push(slot);
    for (const name of [key, ...field.data.aliases]) {
      byJsonName.set(name, slot);
      if (slot.place !== 'content') byXmlName.set(name, slot);
    }
  }
  const inherited = new Set(structure.traits.flatMap((trait) => trait.inherited ?? []));
  const placeInJson = (slot: Slot): number => {
    if (slot.place === 'attribute' && !traits.has('orderedInJson')) return 2;
    return inherited.has(slot.key) ? 1 : 0;
  };
  const written = slots.filter((slot) => slot.written);
  parts.inJson.push(...written.toSorted((one, other) => placeInJson(one) - placeInJson(other)));
  return plan;
}

/** Caches the last text of an attribute: lists repeat the same user, time and state again and again. */
function keepingLast(write: (value: unknown) => string): (value: unknown) => string {
  let [last, text]: [unknown, string] = [undefined, ''];
  return (value) => {
    if (value === last) return text;
    text = write(value);
    last = value;
    return text;
  };
}

function textsOf(form: ScalarForm | undefined, isAttribute: boolean): Pick<Slot, 'jsonText' | 'xmlText'> {
  const { json, xml } = form ?? scalarForms.string;
  if (isAttribute) {
    return { jsonText: keepingLast(json), xmlText: keepingLast((value) => escapeAttribute(xml(value))) };
  }
  return { jsonText: json, xmlText: (value) => escapeText(xml(value)) };
}

function makeSlot(key: string, { data }: Field): Slot {
  const type = data.type.kind === 'lazy' ? data.type.target() : data.type;
  const scalar = type.kind === 'scalar' ? type : undefined;
  const form = scalar && scalarForms[scalar.name];
  return {
    key,
    place: data.place,
    repeated: data.repeated,
    max: data.max,
    required: data.mandatory,
    written: data.direction !== 'in',
    blank: data.blank,
    strict: data.strict,
    child: type.kind === 'structure' ? planOf(type) : undefined,
    scalar,
    form,
    open: `<${key}>`,
    close: `</${key}>`,
    jsonKey: `${JSON.stringify(key)}:`,
    ...textsOf(form, data.place === 'attribute'),
  };
}
