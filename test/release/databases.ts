import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '../../src/core/store/contract.ts';
import { memoryDatabase } from '../../src/core/store/local/local-database.ts';
import { type ExtensionMigrations, type Migration, migrate } from '../../src/core/store/migrations.ts';
import { connect } from '../../src/entry/native/connection.ts';
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

/**
 * Statements that make what the database has. Parts of a table are sorted: a migration adds columns at the end. Triggers
 * are without what SQLite does not look at: how much space there is, and quotes around names.
 */
export async function schemaIn(database: Pick<Database, 'read'>): Promise<readonly string[]> {
  const rows = await database.read('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL');
  return rows.map(([sql]) => sortedParts(plainTrigger(String(sql)))).sort();
}

const plainTrigger = (statement: string): string =>
  statement.startsWith('CREATE TRIGGER')
    ? statement.replace(/('[^']*')|"(\w+)"|\s+/g, (_all, text, name) => text ?? name ?? ' ')
    : statement;

function sortedParts(statement: string): string {
  const [, head, body, tail] = /^(CREATE TABLE "\w+" \()(.*)(\)[^)]*)$/s.exec(statement) ?? [];
  if (body === undefined) return statement;
  // Commas within brackets do not divide.
  const parts = body.match(/(?:[^,(]|\((?:[^()]|\([^()]*\))*\))+/g)!.map((part) => part.trim());
  return `${head}${parts.sort().join(', ')}${tail}`;
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
