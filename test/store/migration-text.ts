import { is, SQL } from 'drizzle-orm';
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { configOf, type RoomTable } from './described.ts';

/**
 * Writes the migration that makes new tables, from their descriptions. Until its release its author may change it:
 * `schema.test.ts` compares it with the descriptions.
 */

const dialect = new SQLiteSyncDialect();
const quoted = (name: string): string => `"${name}"`;
const listed = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The statements that make a table and its indexes. */
export function statementsFor(table: SQLiteTable): string[] {
  const { name, columns, indexes, primaryKeys, uniqueConstraints, foreignKeys, checks } = configOf(table);
  if (foreignKeys.length + checks.length > 0) throw unwritable(name, 'a foreign key or a check');
  const keys = primaryKeys.map((key) => `PRIMARY KEY (${listed(key.columns.map((column) => column.name))})`);
  const uniques = uniqueConstraints.map((unique) => `UNIQUE (${listed(unique.columns.map((column) => column.name))})`);
  const parts = [...columns.map((column) => columnText(name, column)), ...keys, ...uniques];
  // A table whose key is a whole number has that number for its row. Any other would keep its key twice.
  const rowIsKey = columns.some((column) => column.primary && column.getSQLType() === 'integer');
  const hasKey = keys.length > 0 || columns.some((column) => column.primary);
  const end = hasKey && !rowIsKey ? ') WITHOUT ROWID' : ')';
  return [
    `CREATE TABLE ${quoted(name)} (\n${parts.map((part) => `       ${part}`).join(',\n')}\n     ${end}`,
    ...indexes.map(({ config }) => {
      const on = config.columns.map((column) =>
        is(column, SQL) ? expression(name, column) : quoted(column.name ?? ''),
      );
      const where = config.where ? ` WHERE ${expression(name, config.where)}` : '';
      const kind = config.unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX';
      return `${kind} ${quoted(config.name)} ON ${quoted(name)} (${on.join(', ')})${where}`;
    }),
  ];
}

function columnText(table: string, column: SQLiteColumn): string {
  const { name, primary, notNull, isUnique, default: value } = column;
  if (column.generated) throw unwritable(table, 'a generated column');
  const key = primary ? ` PRIMARY KEY${'autoIncrement' in column && column.autoIncrement ? ' AUTOINCREMENT' : ''}` : '';
  // Beside a primary key too: SQLite lets a key be NULL that does not say so.
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

const unwritable = (table: string, found: string): Error =>
  new Error(`Expected a table that this command can write a migration for: "${table}" has ${found}`);

export interface NewMigration {
  readonly path: string;
  /** What the module exports, for the list of the room. */
  readonly exported: string;
  readonly text: string;
}

/** The migration of everything that a room describes and no migration makes. */
export function newMigration(
  room: string,
  name: string,
  number: number,
  missing: readonly Pick<RoomTable, 'table'>[],
): NewMigration {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) throw new Error(`Expected a name such as new-tables: "${name}"`);
  if (missing.length === 0) throw new Error(`Expected a table of ${room} that no migration makes: found none`);
  const exported = `${name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())}Migration`;
  const statements = missing.flatMap(({ table }) => statementsFor(table)).map((statement) => `    \`${statement}\`,\n`);
  return {
    path: `src/${room}/migrations/${String(number).padStart(4, '0')}-${name}.ts`,
    exported,
    text: `import type { Migration } from '../../store/migrations/index.ts';

export const ${exported}: Migration = {
  number: ${number},
  name: '${name}',
  statements: [
${statements.join('')}  ],
};
`,
  };
}
