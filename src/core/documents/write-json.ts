import type { Description, Value } from './describe.ts';
import { type Plan, planOf, type Slot } from './plan.ts';
import { Written } from './written.ts';

type Source = Readonly<Record<string, unknown>>;

/** No root, no namespace, attributes after elements; absent fields are left out unless the structure says otherwise. */
export function writeJson<D extends Description>(description: D, value: Value<D>): string {
  return objectOf(planOf(description), value as Source);
}

function objectOf(plan: Plan, source: Source): string {
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

type NamedSources = ReadonlyMap<string, readonly Source[]>;

/** Entries of a list, without its brackets. */
export const writeObjects = (plan: Plan, values: readonly Source[]): string =>
  values.map((value) => objectOf(plan, value)).join(',');

/** A key for each entry of a map. */
function writeNamedSources({ child }: Slot, named: NamedSources = new Map()): string {
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
  if (value instanceof Written) return value.json();
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
