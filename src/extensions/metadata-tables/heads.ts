import {
  deniedFields,
  type FieldDefinition,
  type FieldReader,
  loadFields,
  loadGroups,
} from '../../assets/definitions/public-reading.ts';
import { type ColumnPath, columnAndHead, columnPaths, isTimeColumn } from '../../assets/metadata/public.ts';
import { isKept } from '../../assets/metadata/public-reading.ts';
import { nearest } from '../../core/lib/messages.ts';
import type { Reader } from '../../core/store/statement.ts';
import { badParameter } from '../../http/parameters/index.ts';
import type { TableOptions } from './job.ts';
import type { TableProblem } from './problems.ts';
import { fieldNames } from './store.ts';

/** Column of values of a field. */
export interface FieldColumn {
  readonly use: 'field';
  readonly head: string;
  /** The field with its groups, as columns of lists name it. */
  readonly name: string;
  readonly path: ColumnPath;
  /** Undefined: a computed field. */
  readonly definition: FieldDefinition | undefined;
}

export type TableColumn =
  | FieldColumn
  | { readonly use: 'key' | 'start' | 'end' | 'ignored'; readonly head: string }
  | { readonly use: 'unknown'; readonly head: string; readonly nearest: string | undefined };

/** Unknown heads that are compared with names, the characters of one, and the fields whose names are compared. */
const [maxCompared, maxComparedLength, maxNames] = [10, 40, 1_000];

/** The place of the key column. Throws the refusal of options that name no column. */
export function keyPlace(heads: readonly string[], { keyColumn, fields, ignore }: TableOptions): number {
  const expectHead = (parameter: string, head: string): void => {
    if (!heads.includes(head)) throw badParameter(parameter, 'Expected the head of a column of the table', head);
  };
  for (const head of ignore) expectHead('ignore', head);
  for (const text of fields) expectHead('field', columnAndHead(text)[1]);
  if (keyColumn === undefined) return Math.max(heads.indexOf('itemId'), 0);
  expectHead('keyColumn', keyColumn);
  return heads.indexOf(keyColumn);
}

interface Heads {
  readonly columns: readonly TableColumn[];
  readonly problems: readonly TableProblem[];
}

/** The columns of a table, with the problems of its heads but for unknown ones. */
export async function readHeads(
  reader: Reader,
  asker: FieldReader,
  heads: readonly string[],
  options: TableOptions,
): Promise<Heads> {
  const keyAt = keyPlace(heads, options);
  const names = new Map(options.fields.map(columnAndHead).map(([column, head]) => [head, column]));
  const paths = columnPaths(heads.map((head) => (options.ignore.includes(head) ? '' : (names.get(head) ?? head))));
  const [denied, fields, groups] = await Promise.all([
    deniedFields(reader, asker),
    loadFields(
      reader,
      paths.map(({ field }) => field),
    ),
    loadGroups(
      reader,
      paths.flatMap((path) => path.groups),
    ),
  ]);
  const problems: TableProblem[] = [];
  const columns = heads.map((head, at): TableColumn => {
    const expect = (expected: string) => problems.push({ row: 1, column: head, value: head, expected });
    if (at === keyAt) return { use: 'key', head };
    if (options.ignore.includes(head)) return { use: 'ignored', head };
    if (heads.indexOf(head) < at) expect('Expected each head once, or its columns ignored');
    const name = names.get(head) ?? head;
    if (isTimeColumn(name)) return { use: name, head };
    const path = paths[at]!;
    const definition = fields.get(path.field);
    const isComputed = isKept(path.field) && path.groups.length === 0;
    const isKnown = (definition !== undefined || isComputed) && !denied.has(path.field);
    const group = path.groups.find((each) => !groups.has(each));
    if (group !== undefined) expect(`Expected a field group in front of "/", and there is no "${group}"`);
    if (!isKnown || group !== undefined) return { use: 'unknown', head, nearest: undefined };
    return { use: 'field', head, name, path, definition };
  });
  for (const [use, other] of [
    ['start', 'end'],
    ['end', 'start'],
  ] as const) {
    const column = columns.find((each) => each.use === use);
    if (!column || columns.some((each) => each.use === other)) continue;
    const expected = `Expected the column "${other}" beside it`;
    problems.push({ row: 1, column: column.head, value: column.head, expected });
  }
  return { columns, problems };
}

/** All problems of heads, with the nearest field of an unknown one. */
export async function withNearest(reader: Reader, asker: FieldReader, { columns, problems }: Heads): Promise<Heads> {
  const heads = columns.map(({ head }) => head);
  const isUnknown = (column: TableColumn) =>
    column.use === 'unknown' && !problems.some((problem) => problem.column === column.head);
  const unknown = columns.filter(isUnknown);
  if (unknown.length === 0) return { columns, problems };
  const denied = await deniedFields(reader, asker);
  const names = (await fieldNames(reader, { limit: maxNames })).flatMap(({ name }) => (denied.has(name) ? [] : name));
  const near = new Map(unknown.slice(0, maxCompared).map(({ head }) => [head, nearestOf(head, names)]));
  const added = unknown.map(({ head }): TableProblem => {
    const name = near.get(head);
    const hint = name === undefined ? '' : `. The nearest is ${name}`;
    const expected = `Expected the name of a field, or an ignored column${hint}`;
    return { row: 1, column: head, value: head, expected };
  });
  return {
    columns: columns.map((column) => (isUnknown(column) ? { ...column, nearest: near.get(column.head) } : column)),
    problems: [...problems, ...added].toSorted((one, other) => heads.indexOf(one.column) - heads.indexOf(other.column)),
  };
}

/** A head often lacks the category of its field: "Note" for "x_note". */
function nearestOf(head: string, names: readonly string[]): string | undefined {
  const plain = head
    .trim()
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
  if (plain === '' || plain.length > maxComparedLength) return undefined;
  return names.find((name) => name.toLowerCase().endsWith(`_${plain}`)) ?? nearest(plain, names);
}
