import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { databaseCode } from '../../src/core/store/faults.ts';
import { readOffThread } from '../../src/core/store/local/native.ts';
import { connect } from '../../src/entry/native/connection.ts';
import { OffThreadConnection, ReadConnection } from '../../src/entry/native/reader-connections.ts';
import { temporaryDirectory } from '../support/store.ts';

/** Ends by itself after seconds, so that a lost interrupt fails the test. */
const long =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000000) SELECT count(*) FROM n';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const loopTurn = () => new Promise((resolve) => setTimeout(resolve, 20));

async function databaseFile(): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  return join(path, 'read.db');
}

interface Interruptible {
  interrupt(): void;
  close(): void;
}

async function expectInterrupts(connection: Interruptible, read: (sql: string) => Promise<unknown>): Promise<void> {
  const interrupted = async () => {
    const ended = read(long).then(
      () => 'ran to its end',
      (error: unknown) => databaseCode(error),
    );
    for (let turn = 0; turn < 5; turn++) {
      await loopTurn();
      collectGarbage();
    }
    const again = setInterval(() => connection.interrupt(), 20);
    return ended.finally(() => clearInterval(again));
  };
  for (let run = 0; run < 3; run++) expect(await interrupted()).toBe('SQLITE_INTERRUPT');
  expect(await read('SELECT 1')).toEqual([[1]]);
  connection.close();
}

it('an interrupt reaches a query while garbage of interrupted ones is collected', async () => {
  const path = await databaseFile();
  const connection = new ReadConnection(() => connect(path, { busyTimeout: 0 }));
  await expectInterrupts(connection, (sql) => readOffThread(connection, sql, [], 'all'));
});

it('an interrupt reaches a query beside the serving thread, too', async () => {
  const connection = new OffThreadConnection({ path: await databaseFile(), busyTimeout: 0 });
  await connection.open();
  await expectInterrupts(connection, (sql) => connection.first(sql, []));
});

it('a connection beside the serving thread reads on once it had to drop its statements', async () => {
  const connection = new OffThreadConnection({ path: await databaseFile(), busyTimeout: 0 });
  await connection.open();
  for (let number = 0; number < 410; number++)
    expect(await connection.first(`SELECT ${number}`, [])).toEqual([[number]]);
  connection.close();
});

it('a connection with many statements is replaced between queries, and drops none before', async () => {
  const path = await databaseFile();
  let opened = 0;
  const connection = new ReadConnection(() => {
    opened++;
    return connect(path, { busyTimeout: 0 });
  });
  const first = connection.get('SELECT 0');
  for (let number = 1; number < 400; number++) connection.get(`SELECT ${number}`).all([]);
  expect(connection.get('SELECT 0')).toBe(first);
  expect(opened).toBe(1);
  connection.renew();
  expect(opened).toBe(2);
  expect(connection.get('SELECT 0').all([])).toEqual([[0]]);
  connection.renew();
  expect(opened).toBe(2);
  connection.close();
});
