import type { MetadataChange } from '../../../core/events/payloads.ts';
import { runAtOnce } from '../../../core/lib/turn.ts';
import { type Contents, type MetadataState, type Span, type StoredField, uuidOfInstance } from './state.ts';
import { sizeOfSpan } from './stored.ts';

interface MatchedValue {
  /** Names of the groups, the nearest first. */
  readonly around: readonly string[];
  readonly span: Span;
  readonly field: StoredField;
}

/** Changes between two states, as in events: one for each field whose values differ. Steps of `runInSlices`. */
export function* changesBetween(
  before: MetadataState,
  after: MetadataState,
): Generator<number, readonly MetadataChange[]> {
  const old = yield* fieldsOf(before);
  const now = yield* fieldsOf(after);
  const changes: MetadataChange[] = [];
  for (const [key, match] of now) {
    changes.push(...changesOf(old.get(key), match));
    yield sizeOfSpan;
  }
  for (const [key, oldField] of old) if (!now.has(key)) changes.push(...changesOf(oldField, undefined));
  return changes;
}

/** Fields by position: on the first level by timespan, name and track; deeper also by the group around them. */
function* fieldsOf(state: MetadataState): Generator<number, Map<string, MatchedValue>> {
  const matchedByKey = new Map<string, MatchedValue>();
  for (const [key, span] of state.spans) {
    collect(matchedByKey, span, span.contents, key, []);
    yield sizeOfSpan;
  }
  return matchedByKey;
}

function collect(
  valuesByPath: Map<string, MatchedValue>,
  span: Span,
  { fields, groups }: Contents,
  path: string,
  around: readonly string[],
): void {
  for (const [key, field] of fields) valuesByPath.set(`${path} ${key}`, { around, span, field });
  for (const group of groups) {
    collect(valuesByPath, span, group.contents, `${path} ${uuidOfInstance(group)}`, [group.name, ...around]);
  }
}

interface TouchedField {
  readonly name: string;
  /** Names of the groups, the nearest first. */
  readonly around: readonly string[];
  /** Number of fields added, minus those removed. */
  readonly more: number;
}

/** Fields that differ between two states, once per name and surrounding groups. Steps of `runInSlices`. */
export function* touchedBetween(
  before: MetadataState,
  after: MetadataState,
): Generator<number, readonly TouchedField[]> {
  const old = yield* fieldsOf(before);
  const now = yield* fieldsOf(after);
  const touched = new Map<string, TouchedField>();
  const touch = ({ field: { name }, around }: MatchedValue, by: number) => {
    const key = JSON.stringify([name, ...around]);
    touched.set(key, { name, around, more: (touched.get(key)?.more ?? 0) + by });
  };
  for (const [key, newField] of now) {
    const oldField = old.get(key);
    if (oldField === undefined) touch(newField, 1);
    else if (changesOf(oldField, newField).length > 0) touch(newField, 0);
    yield sizeOfSpan;
  }
  for (const [key, oldField] of old) if (!now.has(key)) touch(oldField, -1);
  return [...touched.values()];
}

/** Changes per language, since filters distinguish languages. */
function changesOf(before: MatchedValue | undefined, after: MatchedValue | undefined): MetadataChange[] {
  if (before?.field === after?.field) return [];
  const [old, now] = [textsOf(before?.field), textsOf(after?.field)];
  const { span, field } = (after ?? before)!;
  // A value may equal the value referred to.
  const isOther = before?.field.reference !== after?.field.reference;
  const changes: MetadataChange[] = [];
  for (const language of new Set([...now.keys(), ...old.keys()])) {
    const [was, is] = [old.get(language) ?? [], now.get(language) ?? []];
    if (!isOther && was.length === is.length && was.every((text, index) => text === is[index])) continue;
    changes.push({
      field: field.name,
      values: is,
      ...(language !== undefined && { language }),
      ...(field.track !== undefined && { track: field.track }),
      start: span.start,
      end: span.end,
    });
  }
  return changes;
}

function textsOf(field: StoredField | undefined): Map<string | undefined, string[]> {
  const texts = new Map<string | undefined, string[]>();
  // Shows the uuid of a reference, since its values may change without the field.
  if (field?.reference !== undefined) return texts.set(undefined, [field.reference]);
  for (const { language, text } of field?.values ?? []) {
    const list = texts.get(language);
    if (list) list.push(text);
    else texts.set(language, [text]);
  }
  return texts;
}

export function namesIn(state: MetadataState): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { field } of runAtOnce(fieldsOf(state)).values()) names.add(field.name);
  return names;
}
