import { checkValue } from '../../assets/definitions/public.ts';
import { fieldsIn, groupsIn, textsOf } from '../../assets/metadata/public.ts';
import {
  isKept,
  type MetadataDocumentValue,
  type MetadataField,
  type MetadataGroup,
  type MetadataTimespan,
  maxValues,
  spanKeyOf,
} from '../../assets/metadata/public-reading.ts';
import { once } from '../../core/lib/cache.ts';
import { type CsvRow, fromWithoutFormula, joinedTexts, separateTexts, withoutFormula } from '../../core/lib/csv.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { compare, instantOf } from '../../core/lib/time-code.ts';
import type { FieldColumn, TableColumn } from './heads.ts';
import type { TableOptions } from './job.ts';
import { sentenceOf, type TableProblem } from './problems.ts';

/** A table with what its rows are compared by. */
export interface ReadTable {
  readonly columns: readonly TableColumn[];
  readonly options: TableOptions;
}

interface Times {
  readonly start: string;
  readonly end: string;
}

/** Finds what a row has in the columns of a use. */
const cellOf = (columns: readonly TableColumn[], use: TableColumn['use'], { values }: CsvRow): string | undefined => {
  const at = columns.findIndex((column) => column.use === use);
  return at < 0 ? undefined : fromWithoutFormula(values[at] ?? '').trim();
};

export const keyOf = ({ columns }: ReadTable, row: CsvRow): string => cellOf(columns, 'key', row)!;

/** Problem of a whole row. */
export const problemOfRow = (table: ReadTable, row: CsvRow, expected: string): TableProblem => ({
  ...{ row: row.number, column: '', value: keyOf(table, row), expected },
});

/** The times of a row, or what is wrong with them. Undefined: the table has no times. */
export function timesOf({ columns }: ReadTable, row: CsvRow): Times | readonly TableProblem[] | undefined {
  const texts = [cellOf(columns, 'start', row), cellOf(columns, 'end', row)];
  if (texts.every((text) => text === undefined)) return undefined;
  const start = texts[0] || '-INF';
  const end = texts[1] || '+INF';
  const [from, to] = [instantOf(start), instantOf(end)];
  const problem = (use: 'start' | 'end', value: string, expected: string): TableProblem => {
    const column = columns.find((each) => each.use === use)?.head ?? '';
    return { row: row.number, column, value, expected };
  };
  const code = 'Expected a time code such as 250@PAL, 3.5, -INF or +INF';
  const problems = [
    ...(from ? [] : [problem('start', start, code)]),
    ...(to ? [] : [problem('end', end, code)]),
    ...(from && to && compare(from, to) > 0
      ? [problem('end', end, `Expected an end that is no earlier than ${start}`)]
      : []),
  ];
  return problems.length > 0 ? problems : { start, end };
}

interface RowChange {
  readonly problems: readonly TableProblem[];
  /** Changed fields alone. Undefined: none. */
  readonly document: MetadataDocumentValue | undefined;
}

/** Metadata of an item as the caller sees it, by the keys of its timespans. */
export interface ShownItem {
  readonly spans: readonly MetadataTimespan[];
  readonly byKey: ReadonlyMap<string, readonly MetadataTimespan[]>;
}

export const shownItem = ({ timespan: spans = [] }: MetadataDocumentValue = {}): ShownItem => ({
  spans,
  byKey: groupBy(spans, ({ start, end }) => spanKeyOf({ start: start!, end: end! })),
});

/** Compares a row with its item. */
export function changeOfRow(
  { columns, options }: ReadTable,
  row: CsvRow,
  times: Times | undefined,
  { spans, byKey }: ShownItem,
): RowChange {
  const { start, end } = times ?? { start: '-INF', end: '+INF' };
  const here = byKey.get(spanKeyOf({ start, end })) ?? [];
  const looked = times ? here : spans;
  const own = once(() => ({ looked: looked.map(ownPart), here: here.map(ownPart) }));
  const problems: TableProblem[] = [];
  const changed: Tree = { field: [], group: [] };
  let room = maxValues;
  for (const [at, column] of columns.entries()) {
    if (column.use !== 'field') continue;
    const cell = row.values[at] ?? '';
    try {
      const texts = newTexts(column, cell, textsOf(looked.flatMap((span) => fieldsIn(span, column.path))), {
        ...options,
        room,
      });
      if (texts === undefined) continue;
      room -= texts.length;
      const obstacle = obstacleTo(column, own());
      if (obstacle === undefined) put(changed, column, texts);
      else problems.push({ row: row.number, column: column.head, value: cell, expected: `Expected ${obstacle}` });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { value = cell } = error.detail;
      problems.push({ row: row.number, column: column.head, value, expected: sentenceOf(error) });
    }
  }
  const isSame = changed.field.length + changed.group.length === 0;
  return { problems, document: isSame ? undefined : { timespan: [{ start, end, ...changed }] } };
}

/** The texts that a cell gives its field. Undefined: those that it has. Throws the refusal. */
function newTexts(
  { path: { field }, definition }: FieldColumn,
  cell: string,
  before: readonly string[],
  { values, empty, room }: TableOptions & { readonly room: number },
): readonly string[] | undefined {
  // Texts as a list tells them: what they were made of need not be told apart.
  if (cell === withoutFormula(joinedTexts(before))) return undefined;
  const text = fromWithoutFormula(cell);
  if (text === '' && empty === 'keep') return undefined;
  const parts = text === '' ? [] : values === 'one' ? [text] : separateTexts(text, room);
  if (parts === undefined) throw refused(`a row of at most ${maxValues} values`);
  const texts = definition ? parts.map((each) => checkValue(definition, each)) : parts;
  if (texts.length === before.length && texts.every((each, at) => each === before[at])) return undefined;
  if (isKept(field)) throw refused('the value that the item has: the service alone writes this field');
  return texts;
}

const refused = (expected: string): ServiceError =>
  new ServiceError('bad-value', { explanation: `Expected ${expected}` });

type Place = Pick<MetadataGroup, 'field' | 'group'>;

/** Own values of an item: inherited ones stay where they are. */
const ownPart = ({ field = [], group = [] }: Place): Place => ({
  field: field.filter(({ inheritance }) => inheritance === undefined),
  group: group.flatMap((each) => (each.inheritance === undefined ? [{ ...each, ...ownPart(each) }] : [])),
});

/** Places that a column shows, and those that a row changes. */
interface OwnPlaces {
  readonly looked: readonly Place[];
  readonly here: readonly Place[];
}

/** Values that a change of the place of a column would not replace. Undefined: it replaces all that the column shows. */
function obstacleTo({ path }: FieldColumn, { looked, here }: OwnPlaces): string | undefined {
  for (const [at, name] of path.groups.entries()) {
    const groups = here.flatMap((place) => groupsIn(place, path.groups.slice(0, at + 1)));
    if (groups.length > 1) return `at most one group "${name}" in the item, which has ${groups.length}`;
    if (groups.some(({ reference }) => reference !== undefined)) return `a group "${name}" that refers to no other one`;
  }
  const shown = looked.flatMap((place) => fieldsIn(place, path));
  const replaced = new Set(here.flatMap((place) => groupsIn(place, path.groups)).flatMap(({ field = [] }) => field));
  if (shown.some(({ reference }) => reference !== undefined)) return 'a field that refers to no other one';
  if (shown.some(({ track }) => track !== undefined)) return 'a field without tracks in the item';
  if (shown.some(({ value = [] }) => value.some(({ lang }) => lang !== undefined))) {
    return 'values without a language in the item';
  }
  if (shown.every((field) => replaced.has(field))) return undefined;
  return `a column for each place of the values in the item: "group/${path.field}", or columns start and end`;
}

interface Tree {
  readonly field: MetadataField[];
  readonly group: (Tree & { readonly name: string })[];
}

function put(root: Tree, { path: { groups, field: name } }: FieldColumn, texts: readonly string[]): void {
  const place = groups.reduce<Tree>((parent, group) => {
    const before = parent.group.find((each) => each.name === group);
    const next = before ?? { name: group, field: [], group: [] };
    if (!before) parent.group.push(next);
    return next;
  }, root);
  const value = texts.map((text) => ({ value: text }));
  place.field.push({ name, ...(value.length > 0 ? { value } : { mode: 'remove' }) });
}
