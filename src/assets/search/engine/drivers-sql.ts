import type { SQL } from 'drizzle-orm';
import { query, type Reader, sql, value, valuesOf } from '../../../core/store/statement.ts';
import type { Node, Test } from '../query/ast.ts';

/** Maximum rows that an index of the database gives for a criterion. */
const maxRows = 50_000;

const itemsBy = (rows: SQL) =>
  query(
    sql`SELECT serial FROM (${rows} LIMIT ${value('max')}) AS given LEFT JOIN item ON item.id = given.item_id
      LIMIT ${value('max')}`,
    { serial: sql<number | null>`` },
  );

const filesBy = (column: SQL) =>
  itemsBy(sql`SELECT item_id FROM (SELECT id FROM file WHERE ${column} IN ${valuesOf('values')} LIMIT ${value('max')}) AS one
    LEFT JOIN file_use ON file_use.file_id = one.id`);

const [byFile, byHash] = [filesBy(sql`id`), filesBy(sql`hash`)];
const byShape = itemsBy(sql`SELECT item_id FROM shape WHERE id IN ${valuesOf('values')}`);
const byTag = itemsBy(sql`SELECT item_id FROM shape_tagged WHERE tag IN ${valuesOf('values')}`);

/** Queries by indexes for items, by the kind and the name of a fact that has one of several values. */
const queries: Readonly<Record<string, typeof byFile>> = {
  'file fileId': byFile,
  'file id': byFile,
  'file hash': byHash,
  'shape shapeId': byShape,
  'shape id': byShape,
  'shape tag': byTag,
  'shape shapeTag': byTag,
  'item __shape': byShape,
  'item hashOfTag': byHash,
};

/** Index of the database that finds all items that may meet a criterion. */
export interface Driver {
  readonly name: string;
  readonly values: readonly string[];
}

/** Driver of a criterion on other tables of items. Undefined: no index finds them. */
export function driverOf(node: Node): Driver | undefined {
  const own = node.is === 'linked' ? (node.of.is === 'and' ? node.of.of : [node.of]) : [node];
  const kind = node.is === 'linked' ? node.to : 'item';
  for (const each of own) {
    if (each.is !== 'fact' || each.fact.of !== kind) continue;
    const [name, values] = [`${kind} ${each.fact.name}`, valuesIn(each.test)];
    if (values && Object.hasOwn(queries, name)) return { name, values };
  }
  return undefined;
}

const valuesIn = (test: Test): readonly string[] | undefined =>
  test.is === 'equals' ? [String(test.value)] : test.is === 'among' ? test.values.map(String) : undefined;

/** Numbers of the items that a driver finds. Undefined: too many. */
export async function itemsOfDriver(reader: Reader, { name, values }: Driver): Promise<readonly number[] | undefined> {
  const rows = await queries[name]!(reader, { values, max: maxRows + 1 });
  if (rows.length > maxRows) return undefined;
  return [...new Set(rows.flatMap(({ serial }) => serial ?? []))];
}
