import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../src/core/store/contract.ts';
import { Executor } from '../../../src/core/store/local/executor.ts';
import { LocalDatabase } from '../../../src/core/store/local/local-database.ts';
import { type NativeConnection, StatementCache } from '../../../src/core/store/local/native.ts';
import { connect } from '../../../src/entry/native/connection.ts';
import { hastyClock } from '../../support/store.ts';

const insert = (n: number): Statement => ({ sql: 'INSERT INTO t VALUES (?)', args: [n] });

function failure(code: string): Error {
  return Object.assign(new Error(`made up ${code}`), { code });
}

/** A real connection that fails at the n-th run of a text, once. */
function faulty(text: string, code: string, at = 1) {
  const real = connect(':memory:', { busyTimeout: 0 });
  real.prepare('CREATE TABLE t (n INTEGER PRIMARY KEY)').run([]);
  let left = at;
  const connection: NativeConnection = {
    get inTransaction() {
      return real.inTransaction;
    },
    close: () => real.close(),
    prepare: (sql) => {
      const statement = real.prepare(sql);
      const run: typeof statement.run = (args) => {
        if (sql === text && --left === 0) throw failure(code);
        statement.run(args);
      };
      return { run, all: (args) => statement.all(args), first: (args) => statement.first(args) };
    },
  };
  return { connection, rows: () => real.prepare('SELECT n FROM t ORDER BY n').all([]).flat() };
}

const failures = [
  ['BEGIN IMMEDIATE', 'SQLITE_BUSY', 'busy'],
  ['INSERT INTO t VALUES (?)', 'SQLITE_FULL', 'store-unavailable'],
  ['INSERT INTO t VALUES (?)', 'SQLITE_IOERR_WRITE', 'store-unavailable'],
  ['INSERT INTO t VALUES (?)', 'SQLITE_BUSY_SNAPSHOT', 'busy'],
  ['COMMIT', 'SQLITE_FULL', 'store-unavailable'],
  ['COMMIT', 'SQLITE_BUSY', 'busy'],
] as const;

describe('a failure of the database itself fails the whole group, and the next group works', () => {
  test.each(failures)('%s meets %s: %s', (text, code, refusal) => {
    const { connection, rows } = faulty(text, code);
    const executor = new Executor(connection);
    expect(() => executor.runGroup([[insert(1)], [insert(2)]])).toThrow(expect.objectContaining({ code: refusal }));
    expect(rows()).toEqual([]);
    expect(connection.inTransaction).toBe(false);
    expect(executor.runGroup([[insert(3)]])).toEqual([{ done: true, rows: [] }]);
    expect(rows()).toEqual([3]);
    executor.close();
  });

  test('also where a member broke before, and the group runs again', () => {
    const { connection, rows } = faulty('RELEASE member', 'SQLITE_NOMEM');
    const executor = new Executor(connection);
    const group = [[insert(1)], [insert(2)], [insert(2)]];
    expect(() => executor.runGroup(group)).toThrow(expect.objectContaining({ code: 'store-unavailable' }));
    expect(rows()).toEqual([]);
    expect(executor.runGroup([[insert(3)]])).toEqual([{ done: true, rows: [] }]);
    executor.close();
  });

  test('a member that breaks alone in its group is run once', () => {
    // A third run would meet the failure.
    const { connection, rows } = faulty('INSERT INTO t VALUES (?)', 'SQLITE_FULL', 3);
    const executor = new Executor(connection);
    executor.runGroup([[insert(1)]]);
    expect(executor.runGroup([[insert(1)]])).toMatchObject([{ done: false, index: 0 }]);
    expect([rows(), connection.inTransaction]).toEqual([[1], false]);
    executor.close();
  });

  test('a file gets a fresh connection before the next group', () => {
    const first = faulty('COMMIT', 'SQLITE_IOERR_FSYNC');
    const second = faulty('', '');
    const fresh = [second.connection];
    const executor = new Executor(first.connection, () => fresh.pop()!);
    expect(() => executor.runGroup([[insert(1)]])).toThrow();
    expect(executor.runGroup([[insert(2)]])).toEqual([{ done: true, rows: [] }]);
    expect([fresh.length, second.rows()]).toEqual([0, [2]]);
    executor.close();
  });

  test('when even opening fails, the group is refused and the next one tries again', () => {
    const first = faulty('COMMIT', 'SQLITE_IOERR');
    const second = faulty('', '');
    let openings = 0;
    const executor = new Executor(first.connection, () => {
      if (++openings === 1) throw failure('SQLITE_CANTOPEN');
      return second.connection;
    });
    expect(() => executor.runGroup([[insert(1)]])).toThrow();
    expect(() => executor.runGroup([[insert(1)]])).toThrow(expect.objectContaining({ code: 'store-unavailable' }));
    expect(executor.runGroup([[insert(2)]])).toEqual([{ done: true, rows: [] }]);
    executor.close();
  });

  test('a group that cannot even be undone is known, so that the thread can be ended', () => {
    const { connection } = faulty('COMMIT', 'SQLITE_IOERR');
    const held: NativeConnection = {
      get inTransaction() {
        return connection.inTransaction;
      },
      close: () => connection.close(),
      prepare: (sql) => {
        if (sql === 'ROLLBACK') throw failure('SQLITE_BUSY');
        return connection.prepare(sql);
      },
    };
    const executor = new Executor(held);
    expect(executor.stuck).toBe(false);
    expect(() => executor.runGroup([[insert(1)]])).toThrow();
    expect(executor.stuck).toBe(true);
    held.close();
  });

  test('a conflict clause that rolls back everything fails the group instead of half committing it', () => {
    const { connection, rows } = faulty('', '');
    const executor = new Executor(connection);
    const rollback: Statement = { sql: 'INSERT OR ROLLBACK INTO t VALUES (?)', args: [1] };
    expect(() => executor.runGroup([[insert(1)], [rollback], [insert(2)]])).toThrow();
    expect(rows()).toEqual([]);
    expect(executor.runGroup([[insert(1)]])).toEqual([{ done: true, rows: [] }]);
    executor.close();
  });
});

test('the statement cache is bounded', () => {
  const connection = connect(':memory:', { busyTimeout: 0 });
  const cache = new StatementCache(connection, 10);
  for (let n = 0; n < 100; n++) cache.get(`SELECT ${n}`);
  expect(cache.size).toBe(10);
  expect(cache.get('SELECT 99')).toBe(cache.get('SELECT 99'));
  connection.close();
});

test('a statement that broke a constraint runs with its next values, and tells of its next fault', () => {
  const connection = connect(':memory:', { busyTimeout: 0 });
  connection.prepare('CREATE TABLE t (a UNIQUE, b NOT NULL)').run([]);
  const statement = connection.prepare('INSERT INTO t VALUES (?, ?)');
  const rows = () => connection.prepare('SELECT a, b FROM t ORDER BY a').all([]);
  statement.run([1, 'one']);
  expect(() => statement.run([1, 'again'])).toThrow('UNIQUE');
  expect(() => statement.run([2, null])).toThrow('NOT NULL');
  statement.run([2, 'two']);
  statement.run([3, 'three']);
  expect(rows()).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
  connection.close();
});

test('a read that meets a lock is tried again without blocking, and given up as busy', async () => {
  const real = connect(':memory:', { busyTimeout: 0 });
  let locked = 3;
  const reader: NativeConnection = {
    inTransaction: false,
    close: () => real.close(),
    prepare: (sql) => {
      if (locked-- > 0) throw failure('SQLITE_BUSY');
      return real.prepare(sql);
    },
  };
  const writer = { runGroup: async () => [], close: async () => {} };
  const clock = hastyClock();
  const database = new LocalDatabase('file', reader, writer, { clock, readPatience: 1_000 });
  expect(await database.read('SELECT 1')).toEqual([[1]]);
  expect(clock.slept).toEqual([20, 20, 20]);
  locked = Number.POSITIVE_INFINITY;
  await expect(database.read('SELECT 2')).rejects.toMatchObject({ code: 'busy' });
  expect(clock.slept.length).toBeLessThan(60);
  await database.close();
});

describe('a member that breaks a constraint goes alone', () => {
  const broken = { done: false, index: 1, message: expect.stringContaining('UNIQUE') };
  const good = { done: true, rows: [] };

  test('with nothing of it left, and all others made once', () => {
    const { connection, rows } = faulty('', '');
    const executor = new Executor(connection);
    const group = [[insert(1)], [insert(2), insert(1)], [insert(3)]];
    expect(executor.runGroup(group)).toEqual([good, broken, good]);
    expect(rows()).toEqual([1, 3]);
    // The groups behind it run with savepoints for a while, and then without.
    for (let n = 10; n < 60; n += 2)
      expect(executor.runGroup([[insert(n)], [insert(n + 1), insert(n)]])).toEqual([good, broken]);
    for (let n = 100; n < 150; n++) expect(executor.runGroup([[insert(n)]])).toEqual([good]);
    expect(executor.runGroup([[insert(200), insert(100)], [insert(201)]])).toEqual([broken, good]);
    expect(rows().filter((n) => Number(n) >= 200)).toEqual([201]);
    executor.close();
  });

  test('and rows that statements return are those of what was made', () => {
    const { connection } = faulty('', '');
    const executor = new Executor(connection);
    const returning = (n: number): Statement => ({
      sql: 'INSERT INTO t VALUES (?) RETURNING n',
      args: [n],
      returns: true,
    });
    const settled = executor.runGroup([[returning(1)], [returning(1)], [returning(2)]]);
    expect(settled).toEqual([
      { done: true, rows: [[[1]]] },
      { done: false, index: 0, message: expect.any(String) },
      { done: true, rows: [[[2]]] },
    ]);
    executor.close();
  });
});
