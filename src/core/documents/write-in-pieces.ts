import { pieceEnd } from '../lib/text-stream.ts';
import type { Description } from './describe.ts';
import { type Plan, planOf, type Slot } from './plan.ts';
import { scalarForms } from './scalars.ts';
import { writeAttributes, writeElement, writeNamed, writeObjects, writeOne } from './write.ts';
import { Written } from './written.ts';

type Source = Readonly<Record<string, unknown>>;
type NamedSources = ReadonlyMap<string, readonly Source[]>;

/** Number of values, or texts of that length, that are written without a yield. */
export const heavy = 4000;

/** Number of values in a value, where 100 characters count as one more, or 1000 of a written one. Counted up to `max`. */
export function weightOf(value: unknown, max: number): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (value === null || typeof value !== 'object') return 1;
  if (value instanceof Written) return 1 + value.text.length / 1000;
  let weight = 1;
  if (value instanceof Map || Array.isArray(value)) {
    for (const part of value.values()) {
      weight += weightOf(part, max - weight);
      if (weight >= max) break;
    }
    return weight;
  }
  // Without a list of the values: most entries of a list are small.
  for (const key in value) {
    weight += weightOf((value as Source)[key], max - weight);
    if (weight >= max) break;
  }
  return weight;
}

const isHeavy = (value: unknown): boolean => weightOf(value, heavy) >= heavy;

/** Characters of one text that are written at once: longer ones are copied as a whole, and the memory is soon full of them. */
const longText = 64 * 1024;

const isLongText = (slot: Slot, value: unknown): value is string =>
  slot.form === scalarForms.string && typeof value === 'string' && value.length > longText;

function* partsOf(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at + longText);
    yield text.slice(at, end);
    at = end;
  }
}

/** Values of one name that are written at once. */
const lotLength = 250;

function* inLots<T>(values: readonly T[]): Generator<readonly T[], void> {
  for (let at = 0; at < values.length; at += lotLength) yield values.slice(at, at + lotLength);
}

/** The text of one entry of a list in pieces that are short to write. Together they are what `writeXml` gives. */
export const xmlPieces = (description: Description, list: string, entry: unknown): Generator<string, void> =>
  elementPieces(slotOf(description, list), entry);

/** Pieces of a list entry for `writeJson`. */
export const jsonPieces = (description: Description, list: string, entry: unknown): Generator<string, void> =>
  valuePieces(slotOf(description, list), entry);

/** Elements of a document in pieces that are short to write: what `writeXml` has between the tags of the root. */
export const xmlPiecesWithin = (description: Description, value: unknown): Generator<string, void> =>
  innerPieces(planOf(description), value as Source);

/** A whole document for `writeJson` in pieces that are short to write. */
export const jsonPiecesOf = (description: Description, value: unknown): Generator<string, void> =>
  objectPieces(planOf(description), value as Source);

function slotOf(description: Description, list: string): Slot {
  const slot = planOf(description).elements.find(({ key }) => key === list);
  if (slot) return slot;
  throw new Error(`Expected a list of ${description.name}: "${list}"`);
}

function* elementPieces(slot: Slot, value: unknown): Generator<string, void> {
  const { child } = slot;
  if (isLongText(slot, value)) {
    yield slot.open;
    for (const part of partsOf(value)) yield slot.xmlText(part);
    return yield slot.close;
  }
  if (child === undefined || child.content !== undefined || !isHeavy(value)) return yield writeElement(slot, value);
  const source = value as Source;
  yield child.attributes.length === 0 ? slot.open : `<${slot.key}${writeAttributes(child, source)}>`;
  yield* innerPieces(child, source);
  yield slot.close;
}

function* innerPieces(plan: Plan, source: Source): Generator<string, void> {
  if (source instanceof Written) return yield source.text;
  for (const inner of plan.elements) {
    const part = source[inner.key];
    if (part === undefined || part === null || !inner.written) continue;
    if (inner.place === 'named') {
      if (part instanceof Written) {
        yield part.text;
        continue;
      }
      for (const [key, values] of part as NamedSources) {
        for (const lot of inLots(values)) yield writeNamed(inner, new Map([[key, lot]]));
      }
    } else if (!inner.repeated) yield* elementPieces(inner, part);
    else for (const each of part as readonly unknown[]) yield* elementPieces(inner, each);
  }
}

function* valuePieces(slot: Slot, value: unknown): Generator<string, void> {
  const { child } = slot;
  if (isLongText(slot, value)) {
    yield '"';
    for (const part of partsOf(value)) yield slot.jsonText(part).slice(1, -1);
    return yield '"';
  }
  if (child === undefined || child.content !== undefined || !isHeavy(value)) return yield writeOne(slot, value);
  yield* objectPieces(child, value as Source);
}

function* objectPieces(plan: Plan, source: Source): Generator<string, void> {
  if (source instanceof Written) return yield `{${source.text}}`;
  let comma = '';
  yield '{';
  for (const slot of plan.inJson) {
    const value = source[slot.key];
    if (slot.place === 'named') {
      if (value instanceof Written) {
        if (value.text === '') continue;
        yield comma + value.text;
        comma = ',';
        continue;
      }
      for (const [key, values] of (value as NamedSources | undefined) ?? []) {
        yield `${comma}${JSON.stringify(key)}:[`;
        let between = '';
        for (const lot of inLots(values)) {
          yield between + writeObjects(slot.child!, lot);
          between = ',';
        }
        yield ']';
        comma = ',';
      }
      continue;
    }
    const isAbsent = value === undefined || value === null;
    if (isAbsent && !plan.nulls) continue;
    yield `${comma}${slot.jsonKey}`;
    comma = ',';
    if (isAbsent) yield 'null';
    else if (slot.repeated) yield* listPieces(slot, value as readonly unknown[]);
    else yield* valuePieces(slot, value);
  }
  yield '}';
}

function* listPieces(slot: Slot, values: readonly unknown[]): Generator<string, void> {
  yield '[';
  for (const [at, value] of values.entries()) {
    if (at > 0) yield ',';
    yield* valuePieces(slot, value);
  }
  yield ']';
}
