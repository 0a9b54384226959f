import { describe, expect, test } from 'vitest';
import { connect } from '../../src/entry/native/connection.ts';
import type { Statement } from '../../src/store/contract.ts';
import { Executor } from '../../src/store/local/executor.ts';
import { type NativeConnection, StatementCache } from '../../src/store/local/native.ts';

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
      return { run, all: (args) => statement.all(args) };
    },
  };
  return { connection, rows: () => real.prepare('SELECT n FROM t ORDER BY n').all([]).flat() };
}

const failures = [
  ['BEGIN IMMEDIATE', 'SQLITE_BUSY', 'busy'],
  ['INSERT INTO t VALUES (?)', 'SQLITE_FULL', 'store-unavailable'],
  ['INSERT INTO t VALUES (?)', 'SQLITE_IOERR_WRITE', 'store-unavailable'],
  ['INSERT INTO t VALUES (?)', 'SQLITE_BUSY_SNAPSHOT', 'busy'],
  ['RELEASE member', 'SQLITE_NOMEM', 'store-unavailable'],
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
