import { serialOf } from '../../../core/lib/serial.ts';
import { isLongList, mapInSteps, runAtOnce } from '../../../core/lib/turn.ts';
import {
  type Change,
  type Contents,
  fieldKey,
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
/** A number where one change set made and last changed the instance: see `markOf`. */
export type Mark = number | readonly [made: number, ordinal: number, changed: number];
/** A text alone has the mark that follows those before it in its field: see `markAt`. */
export type ValueRow = string | readonly [text: string, mark: Mark, language?: string | null, conflict?: 1];
export type StoredFieldRow = readonly [
  name: string,
  mark: Mark,
  values: readonly ValueRow[],
  track?: string | null,
  reference?: string,
];
export type GroupRow = readonly [
  name: string,
  mark: Mark,
  fields: readonly StoredFieldRow[],
  groups: readonly GroupRow[],
  reference?: string,
];
/** Times 0: the untimed span. */
export type SpanRow = readonly [
  times: 0 | readonly [start: string, end: string],
  fields: readonly StoredFieldRow[],
  groups?: readonly GroupRow[],
];
export interface StateRows {
  readonly c: readonly ChangeRow[];
  readonly m?: readonly [changed: number, ...names: string[]];
  /** Template of the metadata, with the change that set it. */
  readonly t?: readonly [changed: number, text: string];
  readonly s: readonly SpanRow[];
}

const untimed = ['-INF', '+INF'] as const;

export const timesOf = ([times]: SpanRow): readonly [start: string, end: string] => (times === 0 ? untimed : times);

/** `count`: number of change sets of the state. */
const markOf = (made: number, ordinal: number, changed: number, count: number): Mark =>
  made === changed ? ordinal * count + made : [made, ordinal, changed];

export const madeBy = (mark: Mark, count: number): number => (typeof mark === 'number' ? mark % count : mark[0]);
export const ordinalOf = (mark: Mark, count: number): number =>
  typeof mark === 'number' ? Math.floor(mark / count) : mark[1];
export const changedBy = (mark: Mark, count: number): number => (typeof mark === 'number' ? mark % count : mark[2]);

/** Mark of a value at that place: most elements are written one after the other. */
export const markAt = ([, mark, values]: StoredFieldRow, at: number, count: number): Mark => {
  const value = values[at]!;
  return typeof value === 'string' ? (mark as number) + (at + 1) * count : value[1];
};

/**
 * Timespans of a change set as the log stores them, if a state of plain fields says the same. Undefined: it does not.
 * SQL reads them from the state, too: see `log-text-sql.ts`.
 */
export function logTextIn({ c, s: [span, ...others] }: StateRows, place: number): string | undefined {
  if (span === undefined || others.length > 0 || span.length > 2 || span[0] !== 0 || c.length > 9) return undefined;
  if (span[1].some(([, mark]) => typeof mark !== 'number')) return undefined;
  const fields = span[1].filter(([, mark]) => madeBy(mark, c.length) === place);
  return JSON.stringify([[0, fields.map(([name, , values]) => [name, values])]]);
}

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
  const list = ({ made, changed }: Instance): void => {
    numberOf(made);
    numberOf(changed);
  };
  const listIn = ({ fields, groups }: Contents): void => {
    for (const field of fields.values()) {
      list(field);
      field.values.forEach(list);
    }
    for (const group of groups) {
      list(group);
      listIn(group.contents);
    }
  };
  // Marks depend on the number of change sets.
  for (const { contents } of state.spans.values()) {
    listIn(contents);
    yield (sizeOfSpan * (1 + contents.fields.size + contents.groups.length)) / 4;
  }
  if (state.main) numberOf(state.main.changed);
  if (state.template) numberOf(state.template.changed);
  const count = changes.length;
  const mark = ({ made, ordinal, changed }: Instance): Mark =>
    markOf(numberOf(made), ordinal, numberOf(changed), count);

  const valueRow = (value: StoredValue, follows: Mark): ValueRow => {
    const { text, language, conflict } = value;
    const own = mark(value);
    if (conflict) return [text, own, language ?? null, 1];
    if (language !== undefined) return [text, own, language];
    return own === follows ? text : [text, own];
  };
  const fieldRow = (field: StoredField): StoredFieldRow => {
    const { name, track, reference } = field;
    const own = mark(field);
    const next = (at: number) => (typeof own === 'number' ? own + (at + 1) * count : own);
    const row = [name, own, field.values.map((value, at) => valueRow(value, next(at)))] as const;
    if (reference !== undefined) return [...row, track ?? null, reference];
    return track === undefined ? row : [...row, track];
  };
  const groupRow = (group: StoredGroup): GroupRow => {
    const row = [group.name, mark(group), fieldRows(group.contents), group.contents.groups.map(groupRow)] as const;
    return group.reference === undefined ? row : [...row, group.reference];
  };
  const fieldRows = ({ fields }: Contents) => Array.from(fields.values(), fieldRow);

  const s: SpanRow[] = [];
  for (const { start, end, contents } of state.spans.values()) {
    const times = start === '-INF' && end === '+INF' ? 0 : ([start, end] as const);
    const fields = fieldRows(contents);
    s.push(contents.groups.length === 0 ? [times, fields] : [times, fields, contents.groups.map(groupRow)]);
    yield sizeOfSpan * (1 + contents.fields.size + contents.groups.length);
  }
  const { main, template } = state;
  const m = main && ([numberOf(main.changed), ...main.names] as const);
  const t = template && ([numberOf(template.changed), template.text] as const);
  const c = changes.map((row, at) => (at === 0 ? row : shortened(row, changes[at - 1]!)));
  const rows = { c, ...(m && { m }), ...(t && { t }), s };
  return JSON.stringify(rows);
}

/** A change set after another: a number is the distance of its serial, and no time is the same time. */
type NextChangeRow = ChangeRow | readonly [id: string | number, user: string, at?: number];

/** Id at a distance from another one. */
function idAt(id: string, distance: number): string {
  const serial = serialOf(id);
  return `${id.slice(0, id.length - String(serial).length)}${serial + distance}`;
}

function shortened([id, user, at]: ChangeRow, [before, , earlier]: ChangeRow): NextChangeRow {
  const distance = serialOf(id) - serialOf(before);
  const name = idAt(before, distance) === id ? distance : id;
  return at === earlier ? [name, user] : [name, user, at];
}

export function rowsOfText(text: string): StateRows {
  const rows = JSON.parse(text) as Omit<StateRows, 'c'> & { c: readonly NextChangeRow[] };
  const changes: ChangeRow[] = [];
  for (const [name, user, time] of rows.c) {
    const before = changes.at(-1);
    const id = typeof name === 'number' ? idAt(before![0], name) : name;
    changes.push([id, user, time ?? before![2]]);
  }
  rows.c = changes;
  return rows as StateRows;
}

/** Size of a span with its fields, as steps of `runInSlices` count. */
export const sizeOfSpan = 200;
/** Size of a value in a field that has thousands of values, as steps of `runInSlices` count. */
export const sizeOfValue = 20;

export const stateOfText = (text: string): MetadataState => runAtOnce(stateInSteps(text));

/** Fields with so many values that they take turns of their own. */
const longFieldsIn = (fields: readonly StoredFieldRow[], groups: readonly GroupRow[]): readonly StoredFieldRow[] => [
  ...fields.filter(([, , values]) => isLongList(values)),
  ...groups.flatMap(([, , inner, below]) => longFieldsIn(inner, below)),
];

/** Reads a state that may be long, span by span. Steps of `runInSlices`. */
export function* stateInSteps(text: string): Generator<number, MetadataState> {
  const { c, m, t, s } = rowsOfText(text);
  const changes = c.map(([id, user, at]): Change => ({ id, user, at }));
  // Sets all keys at once: objects that grow key by key take three times as long.
  const count = c.length;
  const valueFrom = (row: ValueRow, mark: Mark): StoredValue => ({
    text: typeof row === 'string' ? row : row[0],
    language: (typeof row === 'string' ? undefined : row[2]) ?? undefined,
    conflict: typeof row !== 'string' && row[3] ? true : undefined,
    made: changes[madeBy(mark, count)]!,
    ordinal: ordinalOf(mark, count),
    changed: changes[changedBy(mark, count)]!,
  });
  const longValues = new Map<StoredFieldRow, readonly StoredValue[]>();
  const valueIn = (row: StoredFieldRow) => (value: ValueRow, at: number) => valueFrom(value, markAt(row, at, count));
  const fieldFrom = (row: StoredFieldRow): StoredField => ({
    name: row[0],
    track: row[3] ?? undefined,
    reference: row[4],
    values: longValues.get(row) ?? row[2].map(valueIn(row)),
    made: changes[madeBy(row[1], count)]!,
    ordinal: ordinalOf(row[1], count),
    changed: changes[changedBy(row[1], count)]!,
  });
  const groupFrom = ([name, mark, fields, groups, reference]: GroupRow): StoredGroup => ({
    name,
    reference,
    contents: contentsFrom(fields, groups),
    made: changes[madeBy(mark, count)]!,
    ordinal: ordinalOf(mark, count),
    changed: changes[changedBy(mark, count)]!,
  });
  const contentsFrom = (rows: readonly StoredFieldRow[], groups: readonly GroupRow[]): Contents => {
    const fields = new Map<string, StoredField>();
    for (const row of rows) fields.set(fieldKey(row[0], row[3] ?? undefined), fieldFrom(row));
    return { fields, groups: groups.map(groupFrom) };
  };

  // A text of many spans or values has taken a turn to parse.
  yield Math.max((s.length - 1) * sizeOfSpan, text.length / 10);
  const spans = new Map<string, Span>();
  for (const row of s) {
    const [, fields, groups = []] = row;
    const [start, end] = timesOf(row);
    for (const long of longFieldsIn(fields, groups))
      longValues.set(long, yield* mapInSteps(long[2], valueIn(long), sizeOfValue));
    spans.set(spanKeyOf({ start, end }), { start, end, contents: contentsFrom(fields, groups) });
    yield sizeOfSpan * (1 + fields.length + groups.length);
  }
  const [changed, ...names] = m ?? [0];
  return {
    main: m && { names, changed: changes[changed]! },
    ...(t && { template: { text: t[1], changed: changes[t[0]]! } }),
    spans,
  };
}
