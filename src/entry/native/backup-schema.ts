import type Database from 'libsql';
import { rooms } from '../../composition/rooms.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { printable } from '../../core/lib/messages.ts';
import type { SqlValue } from '../../core/store/contract.ts';
import { memoryDatabase } from '../../core/store/local/local-database.ts';
import { type ExtensionMigrations, type Migration, migrate, versionsIn } from '../../core/store/migrations.ts';
import { mergeExtensions, mergeMigrations } from '../../room/merge-rooms.ts';
import { connect } from './connection.ts';
import { firstSchemas } from './first-schemas.ts';

/** Row of `sqlite_master`. */
interface Entry {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | undefined;
}

type Read = (sql: string, args?: readonly SqlValue[]) => Promise<readonly (readonly unknown[])[]>;

/** Tables that say which migrations have run. */
const registers: ReadonlySet<string> = new Set(['migration', 'extension_migration']);

/** More than any release has, so that a refusal stays short. */
const maxEntries = 10_000;
const maxTold = 5;

/**
 * Refuses a database whose schema this program would not have made: a trigger, a view, an expression or a name of others
 * must not run for the operator. Nothing of the schema is used before it was compared.
 */
export async function mustHaveOwnSchema(
  database: Database.Database,
  migrations: readonly Migration[] = mergeMigrations(rooms),
  extensions: readonly ExtensionMigrations[] = mergeExtensions(rooms),
): Promise<void> {
  const read = async (sql: string, args: readonly SqlValue[] = []) =>
    database
      .prepare(sql)
      .raw(true)
      .all([...args]) as unknown[][];
  const entries = await entriesIn(read);
  if (!entries.some(({ name }) => name === 'migration')) throw new Error('it is not a database of this program');
  const isRegister = ({ table }: Entry): boolean => registers.has(table);
  mustBeAlike(entries.filter(isRegister), (await entriesOf(migrations, [])).filter(isRegister));
  const versions = await versionsIn({ read: read as never }, migrations, extensions);
  const chains = extensions.flatMap((chain) => {
    const version = versions.get(chain.extension);
    return version === undefined ? [] : [{ ...chain, migrations: upTo(version, chain.migrations) }];
  });
  mustBeAlike(entries, await entriesOf(upTo(versions.get(undefined) ?? 0, migrations), chains));
}

/** Migrations that make the schema of an older version. The newest one is what the tables of this program are. */
function upTo(version: number, migrations: readonly Migration[]): readonly Migration[] {
  if (version === migrations.length) return migrations;
  const { number, name } = migrations[0]!;
  return [{ number, name, statements: firstSchemas().get(name) ?? [] }, ...migrations.slice(1, version)];
}

/** The schema that migrations make. */
export async function entriesOf(
  migrations: readonly Migration[],
  extensions: readonly ExtensionMigrations[],
): Promise<readonly Entry[]> {
  const database = memoryDatabase(connect(':memory:', { busyTimeout: 0 }));
  try {
    await migrate(database, systemClock, migrations, undefined, extensions);
    return await entriesIn((sql, args) => Promise.resolve(database.read(sql, args)));
  } finally {
    await database.close();
  }
}

async function entriesIn(read: Read): Promise<readonly Entry[]> {
  const rows = await read('SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?', [maxEntries]);
  return rows.map(([type, name, table, sql]) => ({
    ...{ type: String(type), name: String(name), table: String(table) },
    sql: sql === null ? undefined : plainStatement(String(sql)),
  }));
}

/** Throws with the names of what differs. */
function mustBeAlike(found: readonly Entry[], expected: readonly Entry[]): void {
  const named = ({ type, name, table }: Entry): string =>
    `${printable(type)} "${printable(name.slice(0, 80))}"${type === 'trigger' || type === 'index' ? ` of "${printable(table.slice(0, 80))}"` : ''}`;
  const rest = new Map(expected.map((entry) => [named(entry), entry]));
  const differences: string[] = [];
  for (const entry of found) {
    const own = rest.get(named(entry));
    if (!own) differences.push(`${named(entry)} is unknown`);
    else if (own.sql !== entry.sql || own.name !== entry.name) differences.push(`${named(entry)} is another one`);
    rest.delete(named(entry));
  }
  for (const name of rest.keys()) differences.push(`${name} is missing`);
  if (differences.length === 0) return;
  const more = differences.length > maxTold ? ` and ${differences.length - maxTold} more` : '';
  throw new Error(
    `Expected the schema that this program makes, found another one: ${differences.slice(0, maxTold).join(', ')}${more}`,
  );
}

/**
 * A statement of a schema without what differs among databases of one version: the order of columns, because a migration
 * adds them at the end, and in triggers blanks and quotes around names.
 */
export function plainStatement(sql: string): string {
  if (sql.startsWith('CREATE TRIGGER'))
    return sql.replace(/('[^']*')|"(\w+)"|[ \t\r\n]+/g, (_all, text, name) => text ?? name ?? ' ');
  const [, head, inner] = /^(CREATE TABLE "\w+" \()(.*)$/s.exec(sql) ?? [];
  if (head === undefined || inner === undefined) return sql;
  const { parts, tail } = partsOf(inner);
  return `${head}${parts.sort().join(', ')}${tail}`;
}

/** Parts between commas up to the closing bracket, and what follows it. Brackets and quotes keep their commas. */
function partsOf(inner: string): { readonly parts: string[]; readonly tail: string } {
  const parts: string[] = [];
  let [depth, start, at] = [0, 0, 0];
  for (; at < inner.length && depth >= 0; at++) {
    const character = inner[at]!;
    if (character === "'" || character === '"') {
      const end = inner.indexOf(character, at + 1);
      at = end < 0 ? inner.length : end;
    } else if (character === '(') depth++;
    else if (character === ')') depth--;
    if (depth < 0 || (depth === 0 && character === ',')) {
      parts.push(inner.slice(start, at).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));
      start = at + 1;
    }
  }
  return { parts, tail: inner.slice(start - 1) };
}
