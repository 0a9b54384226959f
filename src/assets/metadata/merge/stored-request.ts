import type { FieldRequest, GroupRequest, MetadataRequest, SpanRequest, ValueRequest } from './request.ts';

/**
 * Compact JSON of a change set. Rows are arrays without the defaults at their ends. An ordinal is stored where it does
 * not follow that of the element before. Older rows of the log are objects: the request as it is.
 */

type Mode = FieldRequest['mode'];
/** Rare parts of an element. */
interface Rest {
  readonly uuid?: string | undefined;
  readonly mode?: Mode;
  readonly track?: string | undefined;
  readonly language?: string | undefined;
  readonly reference?: string | undefined;
}
type Marks = readonly [at?: string | null, n?: number | null, rest?: Rest | null];
/** A text alone is a row without marks. */
type ValueRow = string | readonly [text: string, ...Marks];
type FieldRow = readonly [name: string | null, values: readonly ValueRow[], ...Marks];
type GroupRow = readonly [name: string | null, fields: readonly FieldRow[], groups: readonly GroupRow[], ...Marks];
/** Times 0: the untimed span. */
type SpanRow = readonly [
  times: 0 | readonly [start: string, end: string],
  fields: readonly FieldRow[],
  groups?: readonly GroupRow[] | null,
  clear?: 1,
];
type Rows = readonly [spans: readonly SpanRow[], rest?: Omit<MetadataRequest, 'spans'>];

type Ordinals = { next: number };

export function textOfRequest({ spans, ...others }: MetadataRequest): string {
  const ordinals: Ordinals = { next: 0 };
  const rows = spans.map((span) => spanRow(span, ordinals));
  const isPlain = Object.values(others).every((part) => part === undefined);
  return JSON.stringify((isPlain ? [rows] : [rows, others]) satisfies Rows);
}

function spanRow({ start, end, clear, fields, groups }: SpanRequest, ordinals: Ordinals): SpanRow {
  const times = start === '-INF' && end === '+INF' ? 0 : ([start, end] as const);
  const row = [times, fields.map((field) => fieldRow(field, ordinals))] as const;
  if (groups.length === 0 && !clear) return row;
  const groupRows = groups.map((group) => groupRow(group, ordinals));
  return clear ? [...row, groupRows, 1] : [...row, groupRows];
}

function fieldRow(field: FieldRequest, ordinals: Ordinals): FieldRow {
  const { name = null, uuid, mode, track, reference } = field;
  const rest = uuid ?? mode ?? track ?? reference;
  const marks = marksOf(field, ordinals, rest === undefined ? undefined : { uuid, mode, track, reference });
  const values = field.values.map((value) => valueRow(value, ordinals));
  return marks.length === 0 ? [name, values] : [name, values, ...marks];
}

function valueRow(value: ValueRequest, ordinals: Ordinals): ValueRow {
  const { uuid, mode, language } = value;
  const rest = uuid ?? mode ?? language;
  const marks = marksOf(value, ordinals, rest === undefined ? undefined : { uuid, mode, language });
  return marks.length === 0 ? value.text : [value.text, ...marks];
}

function groupRow(group: GroupRequest, ordinals: Ordinals): GroupRow {
  const { name = null, uuid, mode, reference } = group;
  const rest = uuid ?? mode ?? reference;
  const marks = marksOf(group, ordinals, rest === undefined ? undefined : { uuid, mode, reference });
  const fields = group.fields.map((field) => fieldRow(field, ordinals));
  const groups = group.groups.map((each) => groupRow(each, ordinals));
  return [name, fields, groups, ...marks];
}

const noMarks: Marks = [];

function marksOf({ n, at }: Pick<FieldRequest, 'n' | 'at'>, ordinals: Ordinals, rest: Rest | undefined): Marks {
  const stored = n === ordinals.next ? null : n;
  ordinals.next = n + 1;
  if (rest !== undefined) return [at ?? null, stored, rest];
  if (stored !== null) return [at ?? null, stored];
  return at === undefined ? noMarks : [at];
}

export function requestOfText(text: string): MetadataRequest {
  if (text.startsWith('{')) return JSON.parse(text) as MetadataRequest;
  const [spans, others] = JSON.parse(text) as Rows;
  const ordinals: Ordinals = { next: 0 };
  return { spans: spans.map((row) => spanFrom(row, ordinals)), ...others };
}

function spanFrom([times, fields, groups, clear]: SpanRow, ordinals: Ordinals): SpanRequest {
  const [start, end] = times === 0 ? (['-INF', '+INF'] as const) : times;
  return {
    start,
    end,
    clear: clear === undefined ? undefined : true,
    fields: fields.map((row) => fieldFrom(row, ordinals)),
    groups: (groups ?? []).map((row) => groupFrom(row, ordinals)),
  };
}

function fieldFrom([name, values, at, n, rest]: FieldRow, ordinals: Ordinals): FieldRequest {
  return {
    n: nextOf(n, ordinals),
    uuid: rest?.uuid,
    mode: rest?.mode,
    at: at ?? undefined,
    name: name ?? undefined,
    track: rest?.track,
    reference: rest?.reference,
    values: values.map((row) => valueFrom(row, ordinals)),
  };
}

function valueFrom(row: ValueRow, ordinals: Ordinals): ValueRequest {
  const [text, at, n, rest] = typeof row === 'string' ? [row] : row;
  return {
    n: nextOf(n, ordinals),
    uuid: rest?.uuid,
    mode: rest?.mode,
    at: at ?? undefined,
    text,
    language: rest?.language,
  };
}

function groupFrom([name, fields, groups, at, n, rest]: GroupRow, ordinals: Ordinals): GroupRequest {
  return {
    n: nextOf(n, ordinals),
    uuid: rest?.uuid,
    mode: rest?.mode,
    at: at ?? undefined,
    name: name ?? undefined,
    reference: rest?.reference,
    fields: fields.map((row) => fieldFrom(row, ordinals)),
    groups: groups.map((row) => groupFrom(row, ordinals)),
  };
}

function nextOf(stored: number | null | undefined, ordinals: Ordinals): number {
  const n = stored ?? ordinals.next;
  ordinals.next = n + 1;
  return n;
}
