import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { rooms } from '../../src/composition/rooms.ts';
import type { Database as AnyDatabase } from '../../src/core/store/contract.ts';
import { memoryDatabase } from '../../src/core/store/local/local-database.ts';
import { type NativeConnection, StatementCache } from '../../src/core/store/local/native.ts';
import { migrate } from '../../src/core/store/migrations.ts';
import { connect, LibsqlConnection } from '../../src/entry/native/connection.ts';
import { mergeExtensions, mergeMigrations } from '../../src/room/merge-rooms.ts';
import { startOfTime } from './clock.ts';

/** Migrations of all rooms, and those of extensions. */
export const migrations = mergeMigrations(rooms);
export const extensions = mergeExtensions(rooms);

let files = 0;
let copies = 0;

/** File of `npm run test:postgresql`, with each statement that a test sends to a database, once for each process. */
const statementFile = process.env['PORTICO_STATEMENTS'];
const kept = new Set<string>();

function keepStatement(sql: string): void {
  if (statementFile === undefined || kept.has(sql)) return;
  kept.add(sql);
  appendFileSync(statementFile, `${JSON.stringify(sql)}\n`);
}

/** Connections of databases that were closed. Most tests open one database, some several at once. */
const idle: Copy[] = [];
const keptIdle = 8;

/**
 * A database that has run the migrations of all rooms and lives as long as its connection. Most tests open one: to
 * migrate it costs fifty times as much as to copy one that is migrated, and to read its schema four times as much.
 * So a connection takes the copy for the next test when a test is done with it, and keeps the schema.
 */
export const migratedDatabase = copiesOf((database) =>
  migrate(database, { now: () => startOfTime, sleep: async () => undefined }, migrations, undefined, extensions),
);

/** Makes databases that are alike: `fill` writes into an empty one, for the first of them, and may close it. */
export function copiesOf(fill: (database: AnyDatabase) => Promise<unknown>): () => Promise<AnyDatabase> {
  let template: Promise<Uint8Array> | undefined;
  return async () => {
    template ??= makeTemplate(fill);
    return copyOf(await template);
  };
}

function copyOf(bytes: Uint8Array): AnyDatabase {
  for (let copy = idle.pop(); copy; copy = idle.pop()) {
    if (copy.fill(bytes)) return memoryDatabase(copy.lend());
    copy.end();
  }
  const copy = new Copy();
  copy.fill(bytes);
  return memoryDatabase(copy.lend());
}

async function makeTemplate(fill: (database: AnyDatabase) => Promise<unknown>): Promise<Uint8Array> {
  const path = nextPath();
  const connection = connect(':memory:', { busyTimeout: 0 });
  // A quarter of the bytes to write for each copy.
  connection.prepare('PRAGMA page_size = 1024').run([]);
  const lent: NativeConnection = {
    get inTransaction() {
      return connection.inTransaction;
    },
    prepare: (sql) => connection.prepare(sql),
    close: () => undefined,
  };
  await fill(memoryDatabase(lent));
  connection.prepare(`VACUUM INTO '${path}'`).run([]);
  connection.close();
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

/** Where the header of a database file counts its changes, and where it says for which of them the header is right. */
const countedAt = [24, 92];
/** Where the header counts the changes of the schema. */
const schemaAt = 40;
/** Where the header has a number that is the application's own: here that of the copy. */
const numberedAt = 68;

/** A file without a name, which goes with the process, and its connection. */
class Copy {
  readonly #path = nextPath();
  readonly #file = openSync(this.#path, 'wx');
  #database: Database.Database | undefined;
  #statements: StatementCache | undefined;
  /** The changes of its schema that the template has seen. */
  #schema = 0;

  /**
   * Writes the template. By the count of changes the connection sees that no page that it remembers holds any more.
   * False where it does not look: a statement that was left half way holds on to what it read.
   */
  fill(template: Uint8Array): boolean {
    this.#database?.exec('PRAGMA locking_mode = normal');
    // The lock goes with the next read.
    this.#database?.exec('PRAGMA application_id');
    const bytes = Buffer.from(template);
    const number = ++copies;
    for (const at of countedAt) bytes.writeUInt32BE(number * 100_000, at);
    bytes.writeUInt32BE(number, numberedAt);
    this.#schema = bytes.readUInt32BE(schemaAt);
    ftruncateSync(this.#file, 0);
    writeSync(this.#file, bytes, 0, bytes.length, 0);
    this.#database ??= this.#open();
    this.#database.exec('PRAGMA locking_mode = exclusive');
    const seen = this.#database.prepare('PRAGMA application_id').raw(true).all([]) as unknown[][];
    return seen[0]?.[0] === number;
  }

  /** For one service. To close it gives the connection back. */
  lend(): NativeConnection {
    const database = this.#database!;
    this.#statements ??= new StatementCache(new LibsqlConnection(database), 2_000);
    const statements = this.#statements;
    let open = true;
    return {
      get inTransaction() {
        return open && database.inTransaction;
      },
      prepare: (sql) => {
        if (!open) throw new Error('The connection is closed');
        keepStatement(sql);
        return statements.get(sql);
      },
      close: () => {
        if (!open) return;
        open = false;
        if (!database.inTransaction && idle.length < keptIdle && this.#keptSchema()) idle.push(this);
        else this.end();
      },
    };
  }

  /** False after a migration of a test: compiled statements would go by tables that the next copy does not have. */
  #keptSchema(): boolean {
    const [row] = this.#database!.prepare('PRAGMA schema_version').raw(true).all([]) as unknown[][];
    return row?.[0] === this.#schema;
  }

  #open(): Database.Database {
    const database = new Database(this.#path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = exclusive; PRAGMA journal_mode = memory; PRAGMA synchronous = 0');
    // Not for each copy: the engine compiles every statement anew after it.
    database.exec('PRAGMA foreign_keys = 1');
    database.exec('PRAGMA application_id');
    rmSync(this.#path);
    return database;
  }

  end(): void {
    this.#database!.close();
    closeSync(this.#file);
  }
}

/** Memory that is a folder, where there is enough of it: a disk would write down every page of every test. */
const folder = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > 1024 ** 3;
  } catch {
    return false;
  }
}

const nextPath = (): string => join(folder, `portico-${process.pid}-${++files}.db`);
