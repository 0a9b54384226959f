import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { toHex } from '../../lib/hex.ts';
import type { Database, Outcome, Statement } from '../contract.ts';
import { messageOf } from '../faults.ts';
import { StoreStartError } from '../start-error.ts';
import type { Migration } from './migration.ts';

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
}

const createTable = `CREATE TABLE IF NOT EXISTS migration (
  number INTEGER PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  applied_at INTEGER NOT NULL
)`;

/** A start compares all of them after each one that it applies. */
const hashes = new WeakMap<Migration, Promise<string>>();

export function hashOf(migration: Migration): Promise<string> {
  const known = hashes.get(migration) ?? makeHash(migration);
  hashes.set(migration, known);
  return known;
}

/** Over a JSON list, so that moving a character from one statement to the next changes it. */
async function makeHash(migration: Migration): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(migration.statements));
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/**
 * Brings the database to the newest version. Each migration is one atomic write that begins with its own row. The
 * primary key of that row lets one of several instances win. The others find the migration applied and go on.
 * `before` is told the version of a database that is about to change.
 */
export async function migrate(
  database: Database,
  clock: Clock,
  migrations: readonly Migration[],
  before?: (version: number) => Promise<void>,
): Promise<void> {
  let applied = await compare(database, migrations);
  if (applied !== undefined && applied.length > 0 && applied.length < migrations.length) await before?.(applied.length);
  if (applied === undefined) await change(database, [{ sql: createTable, args: [] }], 'Cannot create its first table');
  let count = applied?.length ?? 0;
  while (count < migrations.length) {
    const next = migrations[count]!;
    const failure = await apply(database, next, clock.now());
    if (failure === undefined) {
      count++;
      continue;
    }
    applied = await compare(database, migrations);
    // Whether another instance did it, or the answer was lost: what counts is that it is there.
    if (applied === undefined || applied.length <= count) {
      throw new StoreStartError(`Cannot apply ${label(next)}: ${failure}`);
    }
    count = applied.length;
  }
}

/** Says why this program cannot serve with this database, and changes nothing. For an edge, which never migrates. */
export async function checkSchema(database: Database, migrations: readonly Migration[]): Promise<void> {
  const applied = (await compare(database, migrations))?.length ?? 0;
  if (applied < migrations.length) {
    throw new StoreStartError(
      `The database has version ${applied}, this program needs ${migrations.length}: run "portico migrate" first`,
    );
  }
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
  return (await readApplied(database))?.at(-1)?.number ?? 0;
}

async function apply(database: Database, migration: Migration, now: number): Promise<string | undefined> {
  const row: Statement = {
    sql: 'INSERT INTO migration (number, name, hash, applied_at) VALUES (?, ?, ?, ?)',
    args: [migration.number, migration.name, await hashOf(migration), now],
  };
  try {
    const outcome = await database.write([row, ...migration.statements.map((sql) => ({ sql, args: [] }))]);
    return outcome.done ? undefined : `statement ${outcome.index}: ${outcome.message}`;
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
async function readApplied(database: Database): Promise<Applied[] | undefined> {
  try {
    const tables = await database.read(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'`);
    if (tables.length === 0) return undefined;
    const rows = await database.read('SELECT number, name, hash FROM migration ORDER BY number');
    return rows.map(([number, name, hash]) => ({ number: Number(number), name: String(name), hash: String(hash) }));
  } catch (error) {
    throw new StoreStartError(`Cannot read the version of the database: ${messageOf(error)}`, { cause: error });
  }
}

/** What the database has seen must be how the program's own list begins. */
async function compare(database: Database, migrations: readonly Migration[]): Promise<Applied[] | undefined> {
  const gap = migrations.find((migration, index) => migration.number !== index + 1);
  if (gap) throw new StoreStartError(`The migrations of this program have a gap before ${label(gap)}`);
  const applied = await readApplied(database);
  if (applied === undefined) return undefined;
  const newest = applied.at(-1)?.number ?? 0;
  if (newest > migrations.length) {
    throw new StoreStartError(
      `The database has version ${newest}, this program knows only ${migrations.length}: use a newer program`,
    );
  }
  for (const [index, row] of applied.entries()) {
    const known = migrations[index]!;
    if (row.number !== known.number)
      throw new StoreStartError(`The database lacks ${label(known)}, but has later ones`);
    if (row.hash !== (await hashOf(known))) {
      throw new StoreStartError(
        `The database ran ${label(row)} with other statements: it was edited after its release`,
      );
    }
  }
  return applied;
}

function label({ number, name }: { number: number; name: string }): string {
  return `migration ${number} "${name}"`;
}
