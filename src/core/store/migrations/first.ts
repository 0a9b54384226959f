import { getTableName } from 'drizzle-orm';
import * as shared from '../schema.ts';
import { tableSql, tablesIn } from '../tables-sql.ts';
import type { Migration } from './migration.ts';

// `migrate` makes the table of migrations first.
const { migration: _made, ...others } = shared;

/** Part of the schema from a room. */
interface SchemaPart {
  readonly tables?: object;
  /** Triggers, views and first rows. May refer to tables of other rooms. */
  readonly schema?: readonly string[];
}

/**
 * Creates the schema of the rooms in an empty database. It follows their tables until the first release, which writes
 * it down: see "A migration" in `docs/contributing/others.md`.
 */
export const firstMigration = (parts: readonly SchemaPart[]): Migration =>
  schemaOf('schema', [others, ...parts.map(({ tables = {} }) => tables)], parts);

/** Creates the tables of an extension in a database with those of the core. */
export const firstOfExtension = (name: string, part: SchemaPart): Migration =>
  schemaOf(`schema of ${name}`, [part.tables ?? {}], [part]);

function schemaOf(name: string, tables: readonly object[], parts: readonly SchemaPart[]): Migration {
  let statements: readonly string[] | undefined;
  return {
    number: 1,
    name,
    get statements() {
      statements ??= [
        ...tables
          .flatMap(tablesIn)
          // A bundle has the exports of a module in another order, and its schema has to have the same hash.
          .sort((one, other) => (getTableName(one) < getTableName(other) ? -1 : 1))
          .flatMap(tableSql),
        ...parts.flatMap(({ schema = [] }) => schema),
      ];
      return statements;
    },
  };
}
