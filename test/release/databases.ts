import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '../../src/core/store/contract.ts';
import { memoryDatabase } from '../../src/core/store/local/local-database.ts';
import { type ExtensionMigrations, type Migration, migrate } from '../../src/core/store/migrations.ts';
import { entriesOf, plainStatement } from '../../src/entry/native/backup-schema.ts';
import { connect } from '../../src/entry/native/connection.ts';
import { firstSchemas } from '../../src/entry/native/first-schemas.ts';
import { startOfTime } from '../support/clock.ts';
import { extensions, migrations } from '../support/migrated.ts';
import { byVersion } from './compare.ts';

/** Databases of releases, with calls that their clients send, and what was answered. */
const folder = 'test/release/databases';

export interface KeptCall {
  readonly request: string;
  readonly answer: unknown;
}

export const keptVersions: readonly string[] = readdirSync(folder)
  .flatMap((name) => /^(.+)\.db\.gz$/.exec(name)?.[1] ?? [])
  .sort(byVersion);

const read = (name: string): Buffer => gunzipSync(readFileSync(`${folder}/${name}.gz`));
export const bytesOf = (version: string): Uint8Array => read(`${version}.db`);
export const callsOf = (version: string): readonly KeptCall[] => JSON.parse(read(`${version}.calls.json`).toString());

export function keepFiles(version: string, bytes: Uint8Array, calls: readonly KeptCall[]): void {
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(`${folder}/${version}.${name}.gz`, gzipSync(content, { level: 9 }));
  write('db', bytes);
  write('calls.json', JSON.stringify(calls));
}

/** Runs work with a database of these bytes, in a file of its own. Without bytes it is empty. */
export async function withCopy<T>(
  bytes: Uint8Array,
  run: (database: Database, path: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-kept-'));
  const path = join(directory, 'portico.db');
  writeFileSync(path, bytes);
  const database = memoryDatabase(connect(path, { busyTimeout: 0 }));
  try {
    return await run(database, path);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
}

const clock = { now: () => startOfTime, sleep: async () => undefined };

export const upgrade = (
  database: Database,
  core: readonly Migration[] = migrations,
  chains: readonly ExtensionMigrations[] = extensions,
): Promise<void> => migrate(database, clock, core, undefined, chains);

/** Statements that make what the database has, without what may differ among databases of one version. */
export async function schemaIn(database: Pick<Database, 'read'>): Promise<readonly string[]> {
  const rows = await database.read('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL');
  return rows.map(([sql]) => plainStatement(String(sql))).sort();
}

/** Statements of the first schemas by their names, as the first release with each made them. */
async function firstSchemasIn(version: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const [core] = migrations;
  const isOf = await owners();
  const rows = await withCopy(bytesOf(version), async (database) =>
    database.read(
      `SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT IN (SELECT 'migration' UNION SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`,
    ),
  );
  const schemas = new Map<string, string[]>();
  for (const [name, sql] of rows) {
    const schema = isOf.get(String(name)) ?? core!.name;
    schemas.set(schema, [...(schemas.get(schema) ?? []), String(sql)]);
  }
  return schemas;
}

/** Names of first schemas by what they make. */
async function owners(): Promise<ReadonlyMap<string, string>> {
  const names = async (chains: readonly ExtensionMigrations[]) =>
    (await entriesOf(migrations, chains)).map(({ type, name }) => `${type} ${name}`);
  const core = new Set(await names([]));
  const pairs = extensions.map(async (chain) =>
    (await names([chain])).filter((name) => !core.has(name)).map((name) => [name, chain.migrations[0]!.name] as const),
  );
  return new Map((await Promise.all(pairs)).flat());
}

/** Writes the first schemas that a kept database has and no earlier one had. */
export async function keepFirstSchemas(version: string): Promise<void> {
  const kept = new Map(firstSchemas());
  for (const [name, statements] of await firstSchemasIn(version)) if (!kept.has(name)) kept.set(name, statements);
  const text = gzipSync(JSON.stringify([...kept]), { level: 9 }).toString('base64');
  const path = 'src/entry/native/first-schemas.ts';
  const lines = text.match(/.{1,110}/g)!.map((line) => `  '${line}',\n`);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(?<=const packed = \[\n).*?(?=\];)/s, lines.join('')));
}

/** Rows by their keys. */
async function rowsIn(database: Pick<Database, 'read'>): Promise<readonly string[]> {
  const keys = await database.read(
    `SELECT made.name, group_concat(format('"%w"', part.name)) FROM sqlite_master AS made, pragma_table_info(made.name) AS part
      WHERE made.type = 'table' AND made.sql LIKE 'CREATE TABLE "%' AND part.pk > 0 GROUP BY made.name`,
  );
  const rows: string[] = [];
  for (const [table, columns] of keys)
    for (const row of await database.read(`SELECT ${columns} FROM "${table}"`))
      rows.push(`-- a row of "${table}": ${JSON.stringify(row)}`);
  return rows;
}

interface SchemaDifference {
  /** Statements and first rows of the tables that migrations do not come to. */
  readonly missing: readonly string[];
  /** Statements that migrations come to, and the tables do not. */
  readonly gone: readonly string[];
}

/**
 * Difference of a kept database behind all migrations from an empty one, whose schema follows the tables. `more`: what
 * the tables have more, for a test.
 */
export async function differenceOf(version: string, ...more: readonly string[]): Promise<SchemaDifference> {
  const schemaOf = (bytes: Uint8Array, ...statements: readonly string[]) =>
    withCopy(bytes, async (database) => {
      await upgrade(database);
      await database.write(statements.map((sql) => ({ sql, args: [] })));
      return { statements: await schemaIn(database), rows: await rowsIn(database) };
    });
  const [upgraded, newest] = [await schemaOf(bytesOf(version)), await schemaOf(new Uint8Array(), ...more)];
  const without = (one: readonly string[], other: readonly string[]) => {
    const all = new Set(other);
    return one.filter((each) => !all.has(each));
  };
  return {
    missing: [...without(newest.statements, upgraded.statements), ...without(newest.rows, upgraded.rows)],
    gone: without(upgraded.statements, newest.statements),
  };
}
