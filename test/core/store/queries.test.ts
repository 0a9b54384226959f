import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database, RowCount } from '../../../src/core/store/contract.ts';
import { type OpenSettings, openDatabase } from '../../../src/entry/native/open-database.ts';
import { ReaderThread } from '../../../src/entry/native/reader-thread.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { maxTurnLength } from '../../support/turns.ts';

const counting = (to: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT count(*) FROM n`;
/** Counts for so long that the test sees it run, and ends by itself. */
const slow = counting(2_000_000);
const endless = counting(100_000_000_000);

async function open(queries: OpenSettings['queries'] = {}): Promise<Database> {
  const directory = await temporaryDirectory();
  const database = await openDatabase(`file:${join(directory.path, 'portico.db')}`, { queries });
  onTestFinished(async () => {
    await database.close();
    await directory.remove();
  });
  await database.write([{ sql: 'CREATE TABLE thing (key)', args: [] }]);
  return database;
}

const codeOf = (error: { code: string }) => error.code;

const asking = async (database: Database, caller: string, sql: string, max: RowCount = 'all') =>
  database.query(caller, sql, [], max);

// Rows cross a reader thread; a single one comes from a thread of the binding.
describe.each(['all', 'one'] as const)('queries of a file, rows: %s,', (max) => {
  const ask = (database: Database, caller: string, sql: string) => asking(database, caller, sql, max);

  it('hold up neither the loop nor reads', async () => {
    const database = await open();
    await ask(database, 'anna', 'SELECT 1');
    let isDone = false;
    let reads = 0;
    const running = ask(database, 'anna', slow).then((rows) => {
      isDone = true;
      return rows;
    });
    while (!isDone) {
      expect(await database.read('SELECT 1')).toEqual([[1]]);
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await running).toEqual([[2_000_000]]);
    expect(reads).toBeGreaterThan(20);
    const turns = await maxTurnLength(10, 50, () => ask(database, 'anna', counting(500_000)));
    expect(turns).toBeLessThan(50);
  });

  it('run beside each other, and cannot write', async () => {
    const database = await open();
    const both = await Promise.allSettled([
      ask(database, 'anna', 'SELECT 1'),
      ask(database, 'bert', 'SELECT 2'),
      ask(database, 'carl', `INSERT INTO thing VALUES ('written')`),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await database.read('SELECT count(*) FROM thing')).toEqual([[0]]);
  });

  it('end after their time, and their reader goes on', async () => {
    const database = await open({ readers: 1, milliseconds: 400 });
    await ask(database, 'anna', 'SELECT 1').catch(codeOf);
    const late = await ask(database, 'anna', endless).catch(codeOf);
    expect(late).toBe('query-too-long');
    // Without its interruption the only reader would be busy for hours.
    let answer: unknown;
    for (let turn = 0; turn < 20 && !Array.isArray(answer); turn++) {
      answer = await ask(database, 'bert', 'SELECT 1').catch(codeOf);
    }
    expect(answer).toEqual([[1]]);
    expect(database.figures.queriesLate).toBe(0);
  });

  it('end after their time also where the time is over before they have begun', async () => {
    const database = await open({ readers: 1, milliseconds: 1 });
    expect(await ask(database, 'anna', endless).catch(codeOf)).toBe('query-too-long');
    while (database.figures.queriesLate > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(database.figures.queriesRunning).toBe(0);
  });

  it('are not ended by an interrupt that comes after the one that it was for', async () => {
    const directory = await temporaryDirectory();
    const thread = new ReaderThread({ path: join(directory.path, 'portico.db'), busyTimeout: 1_000 });
    onTestFinished(async () => {
      await thread.close();
      await directory.remove();
    });
    await thread.prepare(false);
    expect(await thread.run('SELECT 1', [], max, 60_000)).toEqual([[1]]);
    thread.interrupt();
    thread.worker.postMessage({ interrupt: true });
    expect(await thread.run(slow, [], max, 60_000)).toEqual([[2_000_000]]);
  });

  it('end at once when a stop has no time left for them, and no more are taken', async () => {
    const database = await open({ readers: 2 });
    const both = ['anna', 'anna', 'bert'].map((caller) => ask(database, caller, endless).catch(codeOf));
    database.interrupt!();
    expect(await Promise.all(both)).toEqual(['store-unavailable', 'store-unavailable', 'store-unavailable']);
    expect(await ask(database, 'carl', 'SELECT 1').catch(codeOf)).toBe('store-unavailable');
    expect(await database.read('SELECT 1')).toEqual([[1]]);
    await database.close();
  });

  it('that run when the database closes are finished', async () => {
    const database = await open();
    const running = ask(database, 'anna', slow);
    await database.close();
    expect(await running).toEqual([[2_000_000]]);
    expect(await ask(database, 'anna', 'SELECT 1').catch(codeOf)).toBe('store-unavailable');
  });
});

describe('a database in a file', () => {
  it('ends a query after its time also where the first row comes soon', async () => {
    const database = await open({ readers: 1, milliseconds: 400 });
    await asking(database, 'anna', 'SELECT 1');
    expect(await asking(database, 'anna', `SELECT 1 UNION ALL SELECT * FROM (${endless})`).catch(codeOf)).toBe(
      'query-too-long',
    );
    let answer: unknown;
    for (let turn = 0; turn < 20 && !Array.isArray(answer); turn++) {
      answer = await asking(database, 'bert', 'SELECT 1').catch(codeOf);
    }
    expect(answer).toEqual([[1]]);
  });

  it('gives rows of all types in their order', async () => {
    const database = await open();
    const values = "SELECT 1, 2.5, 'text', NULL, x'0102' UNION ALL SELECT 0, -0.25, '', 'x', x''";
    expect(await asking(database, 'anna', values)).toEqual([
      [1, 2.5, 'text', null, new Uint8Array([1, 2])],
      [0, -0.25, '', 'x', new Uint8Array()],
    ]);
    const many =
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) SELECT i FROM n ORDER BY -i';
    expect(await asking(database, 'anna', many)).toEqual(Array.from({ length: 250 }, (_, at) => [250 - at]));
    expect(await asking(database, 'anna', 'SELECT 1 WHERE FALSE')).toEqual([]);
    expect(await asking(database, 'anna', many, 'one')).toEqual([[250]]);
    expect(await asking(database, 'anna', values, 'one')).toEqual([[1, 2.5, 'text', null, new Uint8Array([1, 2])]]);
    expect(await asking(database, 'anna', 'SELECT 1 WHERE FALSE', 'one')).toEqual([]);
  });

  it('tells the size of the write-ahead log', async () => {
    const database = await open();
    expect(database.figures.logBytes).toBeGreaterThan(0);
    const before = database.figures.logBytes;
    await database.write([{ sql: 'INSERT INTO thing VALUES (zeroblob(1000000))', args: [] }]);
    expect(database.figures.logBytes).toBeGreaterThan(before + 900_000);
  });
});
