import { existsSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { databaseCode, kindOfFault, messageOf, StoreStartError } from '../../core/store/faults.ts';
import { mustHaveOwnSchema } from './backup-schema.ts';
import { folderOfUri } from './file-storage/roots.ts';

/** More than a service gives out between two backups. */
const ahead = 1_000_000;

const quoted = (name: unknown): string => `"${String(name).replaceAll('"', '""')}"`;

/**
 * Prepares a restored database: ids, event sequences and fences must not be reused. Leases are released. All logins end,
 * because those that were ended after the backup would be good again.
 */
export function prepareRestored(path: string): void {
  const database = new Database(path);
  try {
    const rows = (text: string) => database.prepare(text).raw(true).all([]) as unknown[][];
    const run = (text: string) => database.prepare(text).run();
    const tables = new Set(rows(`SELECT name FROM sqlite_master WHERE type = 'table'`).flat());
    const columns = rows(
      `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    );
    run('BEGIN IMMEDIATE');
    if (tables.has('serial')) run(`UPDATE serial SET next = next + ${ahead}`);
    // Serials that were free at the backup may have been given out behind it.
    if (tables.has('serial_gap')) run('DELETE FROM serial_gap WHERE free = 1');
    if (tables.has('event')) {
      run(`INSERT INTO sqlite_sequence (name, seq)
        SELECT 'event', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'event')`);
      run(`UPDATE sqlite_sequence SET seq = seq + ${ahead} WHERE name = 'event'`);
    }
    for (const [table, column] of columns) {
      if (column === 'fence') run(`UPDATE ${quoted(table)} SET fence = fence + ${ahead}`);
      // A lease that is over is found by its time; 0 means that there is none.
      if (column === 'lease_until') run(`UPDATE ${quoted(table)} SET lease_until = 1 WHERE lease_until > 1`);
    }
    if (tables.has('lane')) run('UPDATE lane SET ready = 1 WHERE owner IS NOT NULL');
    for (const table of ['token', 'login_session']) if (tables.has(table)) run(`DELETE FROM ${table}`);
    run('COMMIT');
    // The log beside it would stay behind when the file is renamed.
    rows('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Folders of file storages that the database names, by storage. */
export function storageFolders(path: string): readonly (readonly [storage: string, uri: string])[] {
  const database = new Database(path, { readonly: true } as never);
  try {
    const tables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'storage_method'`).raw(true).all([]);
    if ((tables as unknown[]).length === 0) return [];
    const text = `SELECT DISTINCT storage_id, uri FROM storage_method WHERE uri LIKE 'file:%' ORDER BY storage_id LIMIT 1000`;
    return database.prepare(text).raw(true).all([]) as [string, string][];
  } finally {
    database.close();
  }
}

/** Only this call of the binding leaves the event loop free while it works. */
async function copyInto(source: string, target: string): Promise<void> {
  const database = new AsyncDatabase(source, { timeout: 5_000 });
  try {
    await database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/** Copies a database while it is in use; the copy is one moment of it, and durable when this resolves. */
export async function backup(path: string, target: string): Promise<void> {
  const [source, copy] = [resolve(path), resolve(target)];
  // Opening would create an empty database where a path is misspelt.
  if (!existsSync(source)) throw new StoreStartError(`Cannot back up "${source}": there is no such file`);
  await reserve(copy);
  try {
    await copyInto(source, copy);
    await sync(copy);
    await sync(dirname(copy));
  } catch (error) {
    await rm(copy, { force: true });
    throw new StoreStartError(`Cannot back up "${source}": ${messageOf(error)}`, { cause: error });
  }
}

/** Replaces an unused database by a backup. The old one stays complete until the new one is complete. */
export async function restore(source: string, path: string, options: { force?: boolean } = {}): Promise<void> {
  const ready = await readyBackup(source, path, options);
  await ready.replace();
}

interface ReadyBackup {
  /** Puts the database in its place. */
  replace(): Promise<void>;
  discard(): Promise<void>;
}

/** A checked and prepared copy beside the database that it is to replace. */
export async function readyBackup(
  source: string,
  path: string,
  options: { force?: boolean } = {},
): Promise<ReadyBackup> {
  const [backupPath, target] = [resolve(source), resolve(path)];
  const fail = (reason: string, cause?: unknown) =>
    new StoreStartError(`Cannot restore "${backupPath}" to "${target}": ${reason}`, { cause });
  const temporary = `${target}.restoring`;
  const discard = () => removeWithLog(temporary);
  const orDiscard = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      await discard();
      throw fail(messageOf(error), error);
    }
  };
  const file = await stat(backupPath).catch(() => undefined);
  if (!file) throw fail('there is no such backup');
  // A pipe would be waited for.
  if (!file.isFile()) throw fail('it is no file');
  if (existsSync(target) && !options.force) throw fail('a database is there already, use force to replace it');
  await discard();
  await orDiscard(async () => {
    await reserve(temporary);
    await copyFile(backupPath, temporary);
    // The copy has got the rights of the backup, which others may be able to read.
    await chmod(temporary, 0o600);
    await sync(temporary);
    await checkBackup(temporary);
    prepareRestored(temporary);
    await sync(temporary);
  });
  const replaceWhole = () =>
    orDiscard(async () => {
      await replace(temporary, target);
      await sync(dirname(target));
    });
  return { replace: replaceWhole, discard };
}

/** The way back from an upgrade: a copy beside the database, in the place of an older one of that version. */
export async function copyBeforeMigration(path: string, version: number): Promise<string> {
  const target = `${resolve(path)}.before-${version}`;
  const temporary = `${target}.writing`;
  await rm(temporary, { force: true });
  await backup(path, temporary);
  await rename(temporary, target);
  return target;
}

/** Creates the file for this process alone, so that an existing one is never overwritten, not even by a race. */
async function reserve(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    const reason = databaseCode(error) === 'EEXIST' ? 'it exists already' : messageOf(error);
    throw new StoreStartError(`Cannot write "${path}": ${reason}`, { cause: error });
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Ours, not newer than this program, and whole. In this order: a check of its pages uses expressions of its schema. */
async function checkBackup(path: string): Promise<void> {
  const database = new Database(path);
  const rows = (text: string) => database.prepare(text).raw(true).all([]) as unknown[][];
  try {
    for (const pragma of ['trusted_schema = OFF', 'cell_size_check = ON']) database.prepare(`PRAGMA ${pragma}`).run();
    await mustHaveOwnSchema(database);
    const problems = rows('PRAGMA integrity_check').flat();
    if (problems.length !== 1 || problems[0] !== 'ok')
      throw new Error(`the backup is damaged: ${problems.slice(0, 3).join('; ')}`);
  } finally {
    database.close();
  }
}

/** Renames over the old database while holding it, so that no other process can be writing. */
async function replace(temporary: string, target: string): Promise<void> {
  const release = hold(target);
  try {
    await rename(temporary, target);
    // Removes the log of the old database, which would be played into the new one.
    await rm(`${target}-wal`, { force: true });
    await rm(`${target}-shm`, { force: true });
  } finally {
    release();
  }
}

function hold(target: string): () => void {
  if (!existsSync(target)) return () => {};
  const old = new Database(target, { timeout: 0 });
  try {
    // Leaving WAL mode needs to be alone: it fails while any other connection is open, even an idle one.
    const [row] = old.prepare('PRAGMA journal_mode = DELETE').raw(true).all([]) as unknown[][];
    if (row?.[0] !== 'delete') throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
    old.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    old.close();
    if (kindOfFault(error) === 'busy') throw new Error('another process has the database open');
    // A database that is too damaged to be opened is in use by no process.
    return () => {};
  }
  return () => old.close();
}

async function removeWithLog(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${path}${suffix}`, { force: true });
}

/** Storages below one folder lie below another one after a restore. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

const address = (text: string): string =>
  resolve(/^file:/i.test(text) ? fileURLToPath(text.replace(/^file:(?!\/\/)/i, 'file://')) : text);

/** `OLD=NEW`, two absolute folders or addresses of folders. Undefined: it is something else. */
export function readMove(text: string): Move | undefined {
  const [from, to, ...rest] = text.split('=');
  if (!from || !to || rest.length > 0) return undefined;
  if (![from, to].every((each) => isAbsolute(each) || /^file:\//i.test(each))) return undefined;
  return { from: address(from), to: address(to) };
}

const isBelow = (folder: string, { from }: Move): boolean => {
  const inside = relative(from, folder);
  return !isAbsolute(inside) && inside.split(sep)[0] !== '..';
};

/**
 * Writes the new folders into the methods of storages. What was known of their file system is forgotten, since it is
 * another one now. Gives a line for each method, and one for each move that is about none.
 */
export function moveStorages(path: string, moves: readonly Move[]): readonly string[] {
  if (moves.length === 0) return [];
  const database = new Database(path);
  try {
    const text = `SELECT id, storage_id, uri FROM storage_method WHERE uri LIKE 'file:%' ORDER BY serial`;
    const rows = database.prepare(text).raw(true).all([]) as [id: string, storage: string, uri: string][];
    const update = database.prepare(
      'UPDATE storage_method SET uri = ?, identity = NULL, version = version + 1 WHERE id = ?',
    );
    const moveLines: string[] = [];
    const used = new Set<Move>();
    for (const [id, storage, uri] of rows) {
      const place = folderOfUri(uri);
      const folder = 'folder' in place ? place.folder : undefined;
      const move = folder === undefined ? undefined : moves.find((each) => isBelow(folder, each));
      if (folder === undefined || !move) continue;
      used.add(move);
      const to = join(move.to, relative(move.from, folder));
      update.run([pathToFileURL(uri.endsWith('/') ? `${to}/` : to).href, id]);
      moveLines.push(`moved storage ${storage} to ${to}`);
    }
    for (const move of moves) if (!used.has(move)) moveLines.push(`no storage lies below ${move.from}`);
    return moveLines;
  } finally {
    database.close();
  }
}
