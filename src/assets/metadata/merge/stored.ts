import { runAtOnce } from '../../../core/lib/turn.ts';
import {
  type Change,
  fieldKey,
  type GroupPath,
  type Instance,
  type MetadataState,
  type Span,
  type StoredField,
  type StoredGroup,
  type StoredValue,
  spanKeyOf,
} from './state.ts';

/**
 * Compact JSON of a state: each change set is listed once, and instances refer to it by index. Optional parts come
 * last, and are left out if empty.
 */

export type ChangeRow = readonly [id: string, user: string, at: number];
type Marks = readonly [made: number, ordinal: number, changed: number];
type ValueRow = readonly [text: string, ...Marks, language?: string | null, conflict?: 1];
export type StoredFieldRow = readonly [
  name: string,
  ...Marks,
  values: readonly ValueRow[],
  track?: string | null,
  reference?: string,
];
export type GroupRow = readonly [
  name: string,
  ...Marks,
  fields: readonly StoredFieldRow[],
  groups: readonly GroupRow[],
  reference?: string,
];
type SpanRow = readonly [start: string, end: string, fields: readonly StoredFieldRow[], groups: readonly GroupRow[]];
export interface StateRows {
  readonly c: readonly ChangeRow[];
  readonly m?: readonly [changed: number, ...names: string[]];
  /** Template of the metadata, with the change that set it. */
  readonly t?: readonly [changed: number, text: string];
  readonly s: readonly SpanRow[];
}

export const textOfState = (state: MetadataState): string => runAtOnce(textInSteps(state));

/** Writes a state that may be long, span by span. Steps of `runInSlices`. */
export function* textInSteps(state: MetadataState): Generator<number, string> {
  const changes: ChangeRow[] = [];
  const numbers = new Map<string, number>();
  const numberOf = ({ id, user, at }: Change): number => {
    const numberOfChange = numbers.get(id);
    if (numberOfChange !== undefined) return numberOfChange;
    numbers.set(id, changes.length);
    return changes.push([id, user, at]) - 1;
  };
  const marks = ({ made, ordinal, changed }: Instance): Marks => [numberOf(made), ordinal, numberOf(changed)];

  const valueRow = (value: StoredValue): ValueRow => {
    const { text, language, conflict } = value;
    if (conflict) return [text, ...marks(value), language ?? null, 1];
    return language === undefined ? [text, ...marks(value)] : [text, ...marks(value), language];
  };
  const fieldRow = (field: StoredField): StoredFieldRow => {
    const { name, track, reference } = field;
    const row = [name, ...marks(field), field.values.map(valueRow)] as const;
    if (reference !== undefined) return [...row, track ?? null, reference];
    return track === undefined ? row : [...row, track];
  };
  const groupRow = (group: StoredGroup): GroupRow => {
    const row = [group.name, ...marks(group), ...placeRows(group.place)] as const;
    return group.reference === undefined ? row : [...row, group.reference];
  };
  const placeRows = ({ fields, groups }: GroupPath) =>
    [[...fields.values()].map(fieldRow), groups.map(groupRow)] as const;

  const s: SpanRow[] = [];
  for (const { start, end, place } of state.spans.values()) {
    s.push([start, end, ...placeRows(place)]);
    yield sizeOfSpan * (1 + place.fields.size + place.groups.length);
  }
  const { main, template } = state;
  const m = main && ([numberOf(main.changed), ...main.names] as const);
  const t = template && ([numberOf(template.changed), template.text] as const);
  const rows: StateRows = { c: changes, ...(m && { m }), ...(t && { t }), s };
  return JSON.stringify(rows);
}

export const rowsOfText = (text: string): StateRows => JSON.parse(text) as StateRows;

/** Size of a span with its fields, as steps of `runInSlices` count. */
export const sizeOfSpan = 200;

export const stateOfText = (text: string): MetadataState => runAtOnce(stateInSteps(text));

/** Reads a state that may be long, span by span. Steps of `runInSlices`. */
export function* stateInSteps(text: string): Generator<number, MetadataState> {
  const { c, m, t, s } = rowsOfText(text);
  const changes = c.map(([id, user, at]): Change => ({ id, user, at }));
  // Sets all keys at once: objects that grow key by key take three times as long.
  const valueFrom = ([value, made, ordinal, changed, language, conflict]: ValueRow): StoredValue => ({
    text: value,
    language: language ?? undefined,
    conflict: conflict ? true : undefined,
    made: changes[made]!,
    ordinal,
    changed: changes[changed]!,
  });
  const fieldFrom = ([name, made, ordinal, changed, values, track, reference]: StoredFieldRow): StoredField => ({
    name,
    track: track ?? undefined,
    reference,
    values: values.map(valueFrom),
    made: changes[made]!,
    ordinal,
    changed: changes[changed]!,
  });
  const groupFrom = ([name, made, ordinal, changed, fields, groups, reference]: GroupRow): StoredGroup => ({
    name,
    reference,
    place: placeFrom(fields, groups),
    made: changes[made]!,
    ordinal,
    changed: changes[changed]!,
  });
  const placeFrom = (rows: readonly StoredFieldRow[], groups: readonly GroupRow[]): GroupPath => {
    const fields = new Map<string, StoredField>();
    for (const row of rows) fields.set(fieldKey(row[0], row[5] ?? undefined), fieldFrom(row));
    return { fields, groups: groups.map(groupFrom) };
  };

  // A text of many spans has taken a turn to parse.
  if (s.length > 1) yield s.length * sizeOfSpan;
  const spans = new Map<string, Span>();
  for (const [start, end, fields, groups] of s) {
    spans.set(spanKeyOf({ start, end }), { start, end, place: placeFrom(fields, groups) });
    yield sizeOfSpan * (1 + fields.length + groups.length);
  }
  const [changed, ...names] = m ?? [0];
  return {
    main: m && { names, changed: changes[changed]! },
    ...(t && { template: { text: t[1], changed: changes[t[0]]! } }),
    spans,
  };
}
