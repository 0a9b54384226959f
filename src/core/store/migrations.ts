import { getTableName } from 'drizzle-orm';
import { toHex } from '../lib/bytes.ts';
import type { Clock } from '../lib/clock.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database, Outcome, Statement } from './contract.ts';
import { messageOf, StoreStartError } from './faults.ts';
import { releasedHashes } from './released-hashes.ts';
import * as shared from './schema.ts';
import { migration as migrationTable } from './schema.ts';
import { tableSql, tablesIn } from './tables-sql.ts';

/** Change of the schema. Never edited after its release: databases store its hash. */
export interface Migration {
  /** Global number without gaps, across all rooms. The newest is the version that the program needs. */
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
  /** Set if the statements make the newest schema in an empty database: later migrations have nothing to do there. */
  readonly isNewest?: true;
}

// `migrate` makes the table of migrations first.
const { migration: _made, ...others } = shared;

/** Part of the schema from a room. */
interface SchemaPart {
  readonly tables?: object;
  /** Triggers, views and first rows. May refer to tables of other rooms. */
  readonly schema?: readonly string[];
}

/**
 * Creates the schema of the rooms in an empty database, from their tables as they are now. Databases of earlier releases
 * come to the same schema by migrations, which `test/release/databases.test.ts` compares with the tables.
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
    isNewest: true,
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

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
  readonly appliedAt: number;
}

/** Migrations of the core, or of one extension, and where the database says which of them have run. */
interface Chain {
  readonly migrations: readonly Migration[];
  /** Undefined: those of the core. */
  readonly extension?: string | undefined;
}

type Readable = Pick<Database, 'read'>;

/** Migrations of the tables of an extension, in order. */
export interface ExtensionMigrations extends Chain {
  readonly extension: string;
}

const createTable = tableSql(migrationTable).join().replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS');

/** A start compares all of them after each one that it applies. */
const hashes = new WeakMap<Migration, Promise<string>>();

let knownHashes: Readonly<Record<string, string>> = globalThis.isEdgeModule ? {} : releasedHashes;

/** Hashes by the names of the migrations, for a module that lacks their statements. */
export function setHashes(hashesByName: Readonly<Record<string, string>>): void {
  knownHashes = hashesByName;
}

export function hashOf(migration: Migration): Promise<string> {
  if (Object.hasOwn(knownHashes, migration.name)) return Promise.resolve(knownHashes[migration.name]!);
  const hash = hashes.get(migration) ?? makeHash(migration);
  hashes.set(migration, hash);
  return hash;
}

/** Over a JSON list, so that moving a character from one statement to the next changes it. */
async function makeHash(migration: Migration): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(migration.statements));
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/**
 * Migrates the database to the newest version. Each migration is one atomic write that begins with its own row. The
 * primary key of that row lets one of several instances win. The others find the migration applied and continue.
 * `before`: called with the version before a change.
 */
export async function migrate(
  database: Database,
  clock: Clock,
  migrations: readonly Migration[],
  before?: (version: number) => Promise<void>,
  extensions: readonly ExtensionMigrations[] = [],
): Promise<void> {
  await migrateChain(database, clock, { migrations }, before);
  // The copy is named by the version of the core.
  const copy = before && (() => before(migrations.length));
  for (const extension of extensions) await migrateChain(database, clock, extension, copy);
}

async function migrateChain(
  database: Database,
  clock: Clock,
  chain: Chain,
  before?: (version: number) => Promise<void>,
): Promise<void> {
  const { migrations } = chain;
  let applied = await compare(database, chain);
  if (applied !== undefined && applied.length > 0 && applied.length < migrations.length) await before?.(applied.length);
  if (applied === undefined) await change(database, [{ sql: createTable, args: [] }], 'Cannot create its first table');
  let count = applied?.length ?? 0;
  while (count < migrations.length) {
    const next = migrations[count]!;
    const covered = next.isNewest ? migrations : [next];
    const failure = await apply(database, chain, next, covered, clock.now());
    if (failure === undefined) {
      count += covered.length;
      continue;
    }
    applied = await compare(database, chain);
    // Applied by a concurrent instance, or with a lost answer: only its presence counts.
    if (applied === undefined || applied.length <= count) {
      throw new StoreStartError(`Cannot apply ${label(next)}: ${failure}`);
    }
    count = applied.length;
  }
}

/** Checks the schema without changes. Throws the reason why it does not fit. For the edge, which never migrates. */
export async function checkSchema(
  database: Database,
  migrations: readonly Migration[],
  extensions: readonly ExtensionMigrations[] = [],
): Promise<void> {
  // All at once: on an edge each call delays the first request.
  const [core = 0, ...others] = await Promise.all(
    [{ migrations }, ...extensions].map(async (chain) => (await compare(database, chain))?.length ?? 0),
  );
  if (core < migrations.length) {
    throw new StoreStartError(
      `The database has version ${core}, this program needs ${migrations.length}: run "portico migrate" first`,
    );
  }
  for (const [index, chain] of extensions.entries()) {
    if (others[index] === chain.migrations.length) continue;
    throw new StoreStartError(
      `The database lacks tables of the extension "${chain.extension}": run "portico migrate" first, or leave it out`,
    );
  }
}

/** Versions of the core and of each extension whose tables the database has. Throws where this program did not make them. */
export async function versionsIn(
  database: Readable,
  migrations: readonly Migration[],
  extensions: readonly ExtensionMigrations[],
): Promise<ReadonlyMap<string | undefined, number>> {
  const versions = new Map<string | undefined, number>();
  for (const chain of [{ migrations, extension: undefined }, ...extensions]) {
    const count = (await compare(database, chain))?.length ?? 0;
    if (count > 0) versions.set(chain.extension, count);
  }
  return versions;
}

/**
 * Breaks when another program has migrated the database further: an older one must not write past the participants of
 * a newer one. A row without a name breaks the table's constraint.
 */
export function schemaGuard(migrations: readonly Migration[]): Statement {
  const version = migrations.length;
  const explanation = `A newer program has migrated the database beyond version ${version}: start the newer program here, too`;
  return {
    sql: `INSERT INTO migration (number, name, hash, applied_at)
      SELECT NULL, NULL, NULL, NULL WHERE (SELECT max(number) FROM migration) IS NOT ?`,
    args: [version],
    refusal: new ServiceError('store-unavailable', { explanation }, { 'Retry-After': '10' }),
  };
}

/** The number of the newest migration that the database has seen; 0 when it is empty. */
export async function schemaVersion(database: Database): Promise<number> {
  return (await readApplied(database, undefined))?.at(-1)?.number ?? 0;
}

/** `covered`: the migrations whose work the statements do. Their rows come first. */
async function apply(
  database: Database,
  { extension }: Chain,
  { statements }: Migration,
  covered: readonly Migration[],
  now: number,
): Promise<string | undefined> {
  const rows: Statement[] = [];
  for (const migration of covered) {
    const values = [migration.number, migration.name, await hashOf(migration), now];
    rows.push(
      extension === undefined
        ? { sql: 'INSERT INTO migration (number, name, hash, applied_at) VALUES (?, ?, ?, ?)', args: values }
        : {
            sql: 'INSERT INTO extension_migration (number, name, hash, applied_at, extension) VALUES (?, ?, ?, ?, ?)',
            args: [...values, extension],
          },
    );
  }
  try {
    const outcome = await database.write([...rows, ...statements.map((sql) => ({ sql, args: [] }))]);
    return outcome.done ? undefined : `statement ${outcome.index - rows.length + 1}: ${outcome.message}`;
  } catch (error) {
    return messageOf(error);
  }
}

async function change(database: Database, statements: readonly Statement[], failure: string): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = await database.write(statements);
  } catch (error) {
    throw new StoreStartError(`${failure}: ${messageOf(error)}`, { cause: error });
  }
  if (!outcome.done) throw new StoreStartError(`${failure}: ${outcome.message}`);
}

/** Undefined when the database has never been migrated. */
async function readApplied(database: Readable, extension: string | undefined): Promise<Applied[] | undefined> {
  try {
    const tables = database.read(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'`);
    const reading =
      extension === undefined
        ? database.read('SELECT number, name, hash, applied_at FROM migration ORDER BY number')
        : database.read(
            'SELECT number, name, hash, applied_at FROM extension_migration WHERE extension = ? ORDER BY number',
            [extension],
          );
    // Without tables it fails, and does not count.
    Promise.resolve(reading).catch(() => undefined);
    if ((await tables).length === 0) return undefined;
    const rows = await reading;
    return rows.map(([number, name, hash, appliedAt]) => ({
      ...{ number: Number(number), name: String(name), hash: String(hash), appliedAt: Number(appliedAt) },
    }));
  } catch (error) {
    throw new StoreStartError(`Cannot read the version of the database: ${messageOf(error)}`, { cause: error });
  }
}

/** Compares the applied migrations with the program's list, which must begin with them. */
async function compare(database: Readable, { migrations, extension }: Chain): Promise<Applied[] | undefined> {
  const gap = migrations.find((migration, index) => migration.number !== index + 1);
  if (gap) throw new StoreStartError(`The migrations of this program have a gap before ${label(gap)}`);
  const applied = await readApplied(database, extension);
  if (applied === undefined) return undefined;
  const newest = applied.at(-1)?.number ?? 0;
  const of = extension === undefined ? '' : ` of the extension "${extension}"`;
  for (const [index, expected] of migrations.slice(0, applied.length).entries()) {
    const row = applied[index]!;
    if (row.number !== expected.number)
      throw new StoreStartError(`The database lacks ${label(expected)}, but has later ones`);
    if (row.hash === (await hashOf(expected))) continue;
    throw new StoreStartError(
      index === 0 && extension === undefined
        ? 'The database was made by a program from before the first release, or by a changed one, and nothing in it was changed. Remedy: start with an empty database. Bring what is in the old one over with "portico migrate-from", while its own program serves it'
        : `The database ran ${label(row)} with other statements: it was edited after its release`,
    );
  }
  const unknown = applied.slice(migrations.length);
  if (unknown.length > 0) throw tooNew(`version ${newest}${of}`, migrations.length, unknown);
  return applied;
}

/** Refusal of a database that a newer program has migrated. Migrations run forward only. */
function tooNew(version: string, known: number, [first, ...others]: readonly Applied[]): StoreStartError {
  const since = new Date(first!.appliedAt).toISOString();
  const names = [first!, ...others].map(label).join(', ');
  return new StoreStartError(
    [
      `The database has ${version}, this program knows only ${known}: ${names} came later`,
      `Remedy: start the newer program, or restore a backup from before ${since}, such as portico.db.before-${known}`,
      'Everything that was changed since that time is lost with the backup',
    ].join('. '),
  );
}

function label({ number, name }: { number: number; name: string }): string {
  return `migration ${number} "${name}"`;
}
