import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { connect, LibsqlConnection } from '../../src/entry/native/connection.ts';
import { foldMigrations } from '../../src/room/fold.ts';
import { rooms } from '../../src/rooms.ts';
import type { Database as AnyDatabase } from '../../src/store/contract.ts';
import { memoryDatabase } from '../../src/store/local/local-database.ts';
import { migrate } from '../../src/store/migrations/apply.ts';
import { startOfTime } from './clock.ts';

/** Those of all rooms. */
export const migrations = foldMigrations(rooms);

let template: Promise<Uint8Array> | undefined;
let copies = 0;

/**
 * A database that has run the migrations of all rooms and lives as long as its connection. To copy one that is migrated
 * costs a tenth of migrating, and most tests open one.
 */
export async function migratedDatabase(): Promise<AnyDatabase> {
  template ??= makeTemplate();
  return memoryDatabase(new LibsqlConnection(openCopy(await template)));
}

async function makeTemplate(): Promise<Uint8Array> {
  const path = nextPath();
  const connection = connect(':memory:', { busyTimeout: 0 });
  // A quarter of the bytes to write for each copy.
  connection.prepare('PRAGMA page_size = 1024').run([]);
  const database = memoryDatabase(connection);
  await migrate(database, { now: () => startOfTime, sleep: async () => undefined }, migrations);
  connection.prepare(`VACUUM INTO '${path}'`).run([]);
  await database.close();
  return takeFile(path);
}

/** Without its name the file goes with the connection. */
function openCopy(bytes: Uint8Array): Database.Database {
  const path = nextPath();
  writeFileSync(path, bytes);
  const database = new Database(path, { timeout: 0 });
  database.exec('PRAGMA locking_mode = exclusive; PRAGMA journal_mode = memory; PRAGMA synchronous = 0');
  database.exec('PRAGMA foreign_keys = 1');
  database.prepare('SELECT count(*) FROM migration').get();
  rmSync(path);
  return database;
}

function takeFile(path: string): Uint8Array {
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

const nextPath = (): string => join(tmpdir(), `portico-${process.pid}-${++copies}.db`);
