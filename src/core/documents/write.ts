import type { Description, Value } from './describe.ts';
import { escapeAttribute } from './escape.ts';
import { type Plan, planOf, type Slot } from './plan.ts';
import { Written } from './written.ts';

type Source = Readonly<Record<string, unknown>>;

/** No root, no namespace, attributes after elements; absent fields are left out unless the structure says otherwise. */
export function writeJson<D extends Description>(description: D, value: Value<D>): string {
  return objectOf(planOf(description), value as Source);
}

function objectOf(plan: Plan, source: Source): string {
  if (source instanceof Written) return `{${source.text}}`;
  let out = '';
  for (const slot of plan.nulls ? plan.inJson : plan.present.of(source).inJson) {
    const value = source[slot.key];
    if (slot.place === 'named') {
      const named = writeNamedSources(slot, value as NamedSources | undefined);
      out += out === '' || named === '' ? named : `,${named}`;
      continue;
    }
    const written = value === undefined || value === null ? (plan.nulls ? 'null' : undefined) : fieldOf(slot, value);
    if (written === undefined) continue;
    out += out === '' ? slot.jsonKey : `,${slot.jsonKey}`;
    out += written;
  }
  return `{${out}}`;
}

type NamedSources = ReadonlyMap<string, readonly Source[]> | Written;

/** Entries of a list, without its brackets. */
export const writeObjects = (plan: Plan, values: readonly Source[]): string =>
  values.map((value) => objectOf(plan, value)).join(',');

/** A key for each entry of a map. */
function writeNamedSources({ child }: Slot, named: NamedSources = new Map()): string {
  if (named instanceof Written) return named.text;
  const keys = [...named].map(([name, values]) => {
    return `${JSON.stringify(name)}:[${writeObjects(child!, values)}]`;
  });
  return keys.join(',');
}

function fieldOf(slot: Slot, value: unknown): string {
  if (!slot.repeated) return writeOne(slot, value);
  let out = '';
  for (const each of value as readonly unknown[]) out += out === '' ? writeOne(slot, each) : `,${writeOne(slot, each)}`;
  return `[${out}]`;
}

export function writeOne(slot: Slot, value: unknown): string {
  if (slot.form !== undefined) return slot.jsonText(value);
  if (slot.child === undefined) return '""';
  const source = value as Source;
  return isBare(slot.child, source)
    ? slot.child.content!.jsonText(source[slot.child.content!.key])
    : objectOf(slot.child, source);
}

/** Only its text is there. */
function isBare(plan: Plan, source: Source): boolean {
  if (!plan.bare || plan.content === undefined) return false;
  for (const slot of plan.slots) {
    const present = source[slot.key] !== undefined && source[slot.key] !== null;
    if (present !== (slot === plan.content)) return false;
  }
  return true;
}

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Writes XML. The same value gives the same text: attributes, then elements, each in the order of the description. */
export function writeXml<D extends Description>(description: D, value: Value<D>, namespace: string): string {
  const { name } = description;
  const plan = planOf(description);
  const source = value as Source;
  const head = `${prolog}<${name} xmlns="${escapeAttribute(namespace)}"${writeAttributes(plan, source)}>`;
  return `${head}${insideOf(plan, source)}</${name}>`;
}

export function writeAttributes(plan: Plan, source: Source): string {
  let out = '';
  for (const slot of plan.present.of(source).attributes) {
    const value = source[slot.key];
    if (value === undefined || value === null || !slot.written) continue;
    out += ` ${slot.key}="${slot.xmlText(value)}"`;
  }
  return out;
}

function insideOf(plan: Plan, source: Source): string {
  if (source instanceof Written) return source.text;
  if (plan.content !== undefined) {
    const value = source[plan.content.key];
    return value === undefined || value === null ? '' : plan.content.xmlText(value);
  }
  let out = '';
  for (const slot of plan.present.of(source).elements) {
    const value = source[slot.key];
    if (value === undefined || value === null || !slot.written) continue;
    if (slot.place === 'named') out += writeNamed(slot, value as NamedSources);
    else if (!slot.repeated) out += writeElement(slot, value);
    else for (const each of value as readonly unknown[]) out += writeElement(slot, each);
  }
  return out;
}

/** An element for each value of a map, named by its key. What no element can be called is written as `_x0020_`. */
export function writeNamed({ child }: Slot, named: NamedSources): string {
  if (named instanceof Written) return named.text;
  let out = '';
  for (const [key, values] of named) {
    const name = elementName(key);
    for (const value of values) out += `<${name}${writeAttributes(child!, value)}>${insideOf(child!, value)}</${name}>`;
  }
  return out;
}

/** A key as the name of an element. */
export const elementName = (key: string): string => key.replace(/^[^A-Za-z_]|[^\w.-]/gu, coded);

const coded = (character: string): string =>
  `_x${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}_`;

export function writeElement(slot: Slot, value: unknown): string {
  const { child, form } = slot;
  if (form !== undefined) return slot.open + slot.xmlText(value) + slot.close;
  // Open and close even when empty: the form in which markers have always been printed.
  if (child === undefined) return slot.open + slot.close;
  const source = value as Source;
  const open = child.attributes.length === 0 ? slot.open : `<${slot.key}${writeAttributes(child, source)}>`;
  return open + insideOf(child, source) + slot.close;
}
