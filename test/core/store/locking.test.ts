import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Statement } from '../../../src/core/store/contract.ts';
import { LocalDatabase } from '../../../src/core/store/local/local-database.ts';
import { connect } from '../../../src/entry/native/connection.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { WriterThread } from '../../../src/entry/native/writer-thread.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/store.ts';
import { turnOf } from '../../support/turns.ts';

const create: Statement = { sql: 'CREATE TABLE t (n INTEGER PRIMARY KEY)', args: [] };
const insert = (n: number): Statement => ({ sql: 'INSERT INTO t VALUES (?)', args: [n] });

let directory: TemporaryDirectory;
let path: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory.path, 'portico.db');
});
afterEach(() => directory.remove());

describe('every connection has its pragmas', () => {
  const names = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'];

  test('writer and reader of a file', async () => {
    const database = await openDatabase(`file:${path}`, { busyTimeout: 1_234 });
    const read = async (name: string) => (await database.read(`PRAGMA ${name}`))[0]?.[0];
    const write = async (name: string) => {
      const outcome = await database.write([{ sql: `PRAGMA ${name}`, args: [], returns: true }]);
      return outcome.done ? outcome.rows[0]?.[0]?.[0] : undefined;
    };
    expect(await Promise.all(names.map(write))).toEqual(['wal', 2, 1, 1_234]);
    expect(await Promise.all(names.map(read))).toEqual(['wal', 2, 1, 10]);
    await expect(database.read('CREATE TABLE x (n)')).rejects.toThrow();
    await database.close();
  });

  test('a connection that was renewed after a failure', async () => {
    const database = await openDatabase(`file:${path}`, { busyTimeout: 50 });
    await database.write([create]);
    const lock = new Database(path);
    lock.exec('BEGIN IMMEDIATE');
    await expect(database.write([insert(1)])).rejects.toMatchObject({ code: 'busy' });
    lock.exec('ROLLBACK');
    const asked = names.map((name) => ({ sql: `PRAGMA ${name}`, args: [], returns: true }) as const);
    expect(await database.write(asked)).toMatchObject({ rows: [[['wal']], [[2]], [[1]], [[50]]] });
    lock.close();
    await database.close();
  });

  test('memory', async () => {
    const database = await openDatabase('memory:');
    expect(await database.read('PRAGMA foreign_keys')).toEqual([[1]]);
    await database.close();
  });
});

describe('while another connection holds the write lock', () => {
  test('a write waits without holding up the event loop, reads go on, and the write succeeds afterwards', async () => {
    const database = await openDatabase(`file:${path}`);
    await database.write([create, insert(1)]);
    const lock = new Database(path);
    lock.exec('BEGIN IMMEDIATE');
    lock.exec('INSERT INTO t VALUES (2)');
    const waiting = database.write([insert(3)]);
    const released = new Promise<void>((resolve) => {
      setTimeout(() => {
        lock.exec('COMMIT');
        resolve();
      }, 400);
    });
    expect(await database.read('SELECT n FROM t')).toEqual([[1]]);
    expect((await turnOf(() => Promise.all([waiting, released]))).turn).toBeLessThan(200);
    expect(await waiting).toEqual({ done: true, rows: [] });
    expect(await database.read('SELECT n FROM t')).toEqual([[1], [2], [3]]);
    lock.close();
    await database.close();
  });

  test('a write that waited too long is refused as busy, and later commits are sound', async () => {
    const database = await openDatabase(`file:${path}`, { busyTimeout: 150 });
    await database.write([create]);
    const lock = new Database(path);
    for (const round of [1, 2, 3]) {
      lock.exec('BEGIN IMMEDIATE');
      const refused = database.write([insert(-round)]);
      expect((await turnOf(() => refused.catch(() => undefined))).turn).toBeLessThan(200);
      await expect(refused).rejects.toMatchObject({ code: 'busy', status: 503 });
      lock.exec('ROLLBACK');
      expect(await database.write([insert(round)])).toEqual({ done: true, rows: [] });
    }
    expect(await database.read('SELECT n FROM t ORDER BY n')).toEqual([[1], [2], [3]]);
    lock.close();
    await database.close();
  });
});

describe('the writer thread', () => {
  async function openWithThread() {
    const thread = new WriterThread({ path, busyTimeout: 1_000 });
    await thread.ready;
    const reader = connect(path, { busyTimeout: 10, readOnly: true });
    return { thread, database: new LocalDatabase('file', reader, thread, { soon: setImmediate }) };
  }

  test('when it dies, waiting writes are refused, reads go on, and the next write starts another', async () => {
    const { thread, database } = await openWithThread();
    await database.write([create]);
    let acknowledged = 0;
    for (let round = 1; round <= 3; round++) {
      const writes = Array.from({ length: 2_000 }, (_, n) => database.write([insert(round * 10_000 + n)]));
      const results = Promise.allSettled(writes);
      void thread.worker.terminate();
      const refused = (await results).filter((result) => result.status === 'rejected');
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'store-unavailable' });
      acknowledged += 2_000 - refused.length;
      expect(await database.read('SELECT count(*) >= ? FROM t', [acknowledged])).toEqual([[1]]);
      expect(await database.write([insert(round)])).toEqual({ done: true, rows: [] });
      acknowledged++;
    }
    expect(await database.read('SELECT count(*) >= ? FROM t', [acknowledged])).toEqual([[1]]);
    await database.close();
  });

  test('a database that cannot be opened is a clear error, not a thread that hangs', async () => {
    await expect(openDatabase(`file:${directory.path}`)).rejects.toThrow(/^Cannot open the database ".*": /);
  });

  test('closing leaves one file: the log is moved into it', async () => {
    const { readdir } = await import('node:fs/promises');
    const database = await openDatabase(`file:${path}`);
    await database.write([create, insert(1)]);
    await database.read('SELECT * FROM t');
    await database.close();
    const { size } = await (await import('node:fs/promises')).stat(path);
    expect(size).toBeGreaterThan(4_096);
    const log = (await readdir(directory.path)).filter((name) => name.endsWith('-wal'));
    for (const name of log)
      expect((await (await import('node:fs/promises')).stat(join(directory.path, name))).size).toBe(0);
  });
});

describe('the URL of the database', () => {
  test.each(['ws://h', 'wss://h'])('%s is refused with what to use instead', async (url) => {
    await expect(openDatabase(url)).rejects.toThrow(/WebSocket.*expected "(http|libsql):\/\/…" instead/);
  });
  test.each(['postgres://user:secret@h', 'portico.db', '', '__proto__:', 'constructor:x'])(
    '"%s" is refused',
    async (url) => {
      const error: Error = await openDatabase(url).then(
        () => new Error('opened'),
        (refused) => refused,
      );
      expect(error.message).toMatch(/expected file:PATH, memory:, libsql:/);
      expect(error.message).not.toContain('secret');
    },
  );
  test('"file:" needs a path', () => expect(openDatabase('file:')).rejects.toThrow(/path of the database is missing/));
  test('every "memory:" is a database of its own', async () => {
    const [one, two] = [await openDatabase('memory:'), await openDatabase('memory:')];
    await one.write([create]);
    await expect(two.read('SELECT * FROM t')).rejects.toThrow(/no such table/);
    await Promise.all([one.close(), two.close()]);
  });
});
