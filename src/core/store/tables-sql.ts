import { is, SQL } from 'drizzle-orm';
import { getTableConfig, SQLiteAsyncDialect, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

const dialect = new SQLiteAsyncDialect();
const wide = new WeakSet<SQLiteTable>();

/** Keeps the row apart from its key. For rows with documents or bytes: beside their keys few of them fit on a page. */
export function wideRows<T extends SQLiteTable>(table: T): T {
  wide.add(table);
  return table;
}

const words = new WeakMap<SQLiteTable, string>();

/** A full-text index with the columns of the description. `options`: those of FTS5. */
export function textIndex<T extends SQLiteTable>(table: T, options: string): T {
  words.set(table, options);
  return table;
}

const quoted = (name: string): string => `"${name}"`;
const listed = (names: readonly string[]): string => `(${names.map(quoted).join(', ')})`;
const namesOf = (columns: readonly { readonly name: string }[]): string[] => columns.map(({ name }) => name);

/** All tables among the exports of a module. */
export const tablesIn = (declared: object): SQLiteTable[] =>
  Object.values(declared).filter((each): each is SQLiteTable => is(each, SQLiteTable));

/**
 * The statements that make a described table and its indexes. A table with a key keeps its rows in the order of the key.
 * An insert into another kind of table changes last_insert_rowid(), which a commit reads for its events.
 */
export function tableSql(table: SQLiteTable): string[] {
  const { name, columns, indexes, primaryKeys, uniqueConstraints, foreignKeys, checks } = getTableConfig(table);
  const options = words.get(table);
  if (options !== undefined) {
    return [`CREATE VIRTUAL TABLE ${quoted(name)} USING fts5(${[...namesOf(columns), options].join(', ')})`];
  }
  const parts = [
    ...columns.map((column) => columnSql(name, column)),
    ...primaryKeys.map((key) => `PRIMARY KEY ${listed(namesOf(key.columns))}`),
    ...uniqueConstraints.map((unique) => `UNIQUE ${listed(namesOf(unique.columns))}`),
    ...foreignKeys.map((key) => {
      const { columns: from, foreignColumns, foreignTable } = key.reference();
      const target = `${quoted(getTableConfig(foreignTable).name)} ${listed(namesOf(foreignColumns))}`;
      const effect = key.onDelete ? ` ON DELETE ${key.onDelete.toUpperCase()}` : '';
      return `FOREIGN KEY ${listed(namesOf(from))} REFERENCES ${target}${effect}`;
    }),
    ...checks.map(({ value }) => `CHECK (${expression(name, value)})`),
  ];
  const key = columns.find((column) => column.primary);
  const hasRowid = wide.has(table) || key?.getSQLType() === 'integer' || !(key || primaryKeys.length > 0);
  return [
    `CREATE TABLE ${quoted(name)} (${parts.join(', ')})${hasRowid ? '' : ' WITHOUT ROWID'}`,
    ...indexes.map(({ config }) => {
      const on = config.columns.map((column) =>
        is(column, SQL) ? expression(name, column) : quoted(column.name ?? ''),
      );
      const where = config.where ? ` WHERE ${expression(name, config.where)}` : '';
      return `CREATE ${config.unique ? 'UNIQUE ' : ''}INDEX ${quoted(config.name)} ON ${quoted(name)} (${on.join(', ')})${where}`;
    }),
  ];
}

function columnSql(table: string, column: SQLiteColumn): string {
  const { name, primary, notNull, isUnique, default: value } = column;
  if (column.generated) throw unwritable(table, 'a generated column');
  const key = primary ? ` PRIMARY KEY${'autoIncrement' in column && column.autoIncrement ? ' AUTOINCREMENT' : ''}` : '';
  // Needed for primary keys too: SQLite allows NULL in them otherwise.
  const required = primary || notNull ? ' NOT NULL' : '';
  const fallback = value === undefined ? '' : ` DEFAULT ${literal(table, value)}`;
  return `${quoted(name)} ${column.getSQLType().toUpperCase()}${key}${required}${fallback}${isUnique ? ' UNIQUE' : ''}`;
}

function literal(table: string, value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw unwritable(table, 'a default that is neither a number nor a text');
}

function expression(table: string, part: SQL): string {
  const { sql, params } = dialect.sqlToQuery(part);
  if (params.length > 0) throw unwritable(table, 'an expression with values');
  return sql;
}

const unwritable = (table: string, what: string): Error =>
  new Error(`Expected a table whose statements can be written: "${table}" has ${what}`);
