import type { MetadataDocumentValue, MetadataField, MetadataGroup, MetadataTimespan } from '../documents.ts';

/** Column of a table of metadata: a field within groups, which are named from the outside. */
export interface ColumnPath {
  readonly groups: readonly string[];
  readonly field: string;
  /** The field wherever it is. */
  readonly anywhere: boolean;
}

/** A column with its head: "created:Date". */
export function columnAndHead(text: string): readonly [column: string, head: string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, text] : [text.slice(0, colon), text.slice(colon + 1)];
}

type Place = Pick<MetadataGroup, 'field' | 'group'>;

type TimeColumn = 'start' | 'end';

/** Whether a column has the times of its rows. */
export const isTimeColumn = (column: string): column is TimeColumn => column === 'start' || column === 'end';

/** Columns such as `x_note` and `x_event/x_note`: no name has a slash. Beside the second, the first has no values of groups. */
export function columnPaths(columns: readonly string[]): readonly ColumnPath[] {
  const paths = columns.map((column) => {
    const groups = column.split('/');
    return { field: groups.pop()!, groups };
  });
  const inGroups = new Set(paths.flatMap(({ groups, field }) => (groups.length > 0 ? field : [])));
  return paths.map((path) => ({ ...path, anywhere: !inGroups.has(path.field) }));
}

/** Fields that a column shows of a timespan. */
export const fieldsIn = (
  place: Place,
  { groups, field, anywhere: isAnywhere }: ColumnPath,
): readonly MetadataField[] =>
  isAnywhere ? anywhere(place, field) : groupsIn(place, groups).flatMap((each) => named(each, field));

/** Groups at the end of a path. */
export const groupsIn = (place: Partial<MetadataGroup>, path: readonly string[]): readonly Partial<MetadataGroup>[] =>
  path.reduce<readonly Partial<MetadataGroup>[]>(
    (places, name) => places.flatMap(({ group = [] }) => group.filter((each) => each.name === name)),
    [place],
  );

const named = ({ field = [] }: Place, name: string): readonly MetadataField[] =>
  field.filter((each) => each.name === name);

const anywhere = (place: Place, name: string): readonly MetadataField[] => [
  ...named(place, name),
  ...(place.group ?? []).flatMap((each) => anywhere(each, name)),
];

export const textsOf = (fields: readonly MetadataField[]): readonly string[] =>
  fields.flatMap(({ value: values = [] }) => values.map(({ value = '' }) => value));

/** Texts of each column in the rows of a document: one row, or one for each timespan that has any. */
export function rowsOfColumns(
  { timespan: spans = [] }: MetadataDocumentValue,
  columns: readonly string[],
): readonly (readonly (readonly string[])[])[] {
  const isTimed = columns.some(isTimeColumn);
  const paths = columnPaths(columns);
  const rowOf = (some: readonly MetadataTimespan[]) =>
    paths.map((path) => textsOf(some.flatMap((span) => fieldsIn(span, path))));
  if (!isTimed) return [rowOf(spans)];
  const rows = spans.map((span) => ({ span, texts: rowOf([span]) }));
  const filled = rows.filter(({ texts }) => texts.some((each) => each.length > 0));
  // An item without values has a row, too: the first timespan is the one without times.
  return (filled.length > 0 ? filled : rows.slice(0, 1)).map(({ span, texts }) =>
    columns.map((column, at) => (isTimeColumn(column) ? [span[column] ?? ''] : texts[at]!)),
  );
}
