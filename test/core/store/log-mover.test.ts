import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/core/store/contract.ts';
import { LogMover } from '../../../src/core/store/local/local-database.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { settle } from '../../support/clock.ts';
import { temporaryDirectory } from '../../support/store.ts';

/** A mover whose moves end when the test says so. */
function open() {
  const moves: ((log: number | Error) => Promise<void>)[] = [];
  const mover = new LogMover(
    () =>
      new Promise<Row[]>((resolve, reject) => {
        moves.push(async (log) => {
          if (typeof log === 'number') resolve([[0, log, log]]);
          else reject(log);
          await settle();
        });
      }),
  );
  /** How many transactions pass before the next move, and how long the log is then. */
  const movesAfter = async (log: number | Error) => {
    const before = moves.length;
    let transactions = 0;
    for (; moves.length === before && transactions < 10_000; transactions++) mover.wrote(1);
    await moves.at(-1)!(log);
    return transactions;
  };
  return { mover, moves, movesAfter };
}

describe('the mover of the log', () => {
  it('moves it when a few thousand pages have come, as many as transactions have had', async () => {
    const { movesAfter } = open();
    expect(await movesAfter(1280)).toBe(128);
    // Ten pages each.
    expect(await movesAfter(3280)).toBe(200);
    // The log is shorter than before: the writer has begun it anew, and does not tell how much came.
    expect(await movesAfter(500)).toBe(200);
    expect(await movesAfter(3500)).toBe(200);
    expect(await movesAfter(4000)).toBe(133);
  });

  it('stays within bounds for tiny and huge transactions', async () => {
    const { movesAfter } = open();
    await movesAfter(1_000_000);
    expect(await movesAfter(1_000_001)).toBe(16);
    expect(await movesAfter(1_000_002)).toBe(4096);
  });

  it('begins no second move beside one, and the next one soon after', async () => {
    const { mover, moves } = open();
    mover.wrote(200);
    mover.wrote(200);
    mover.wrote(200);
    expect(moves).toHaveLength(1);
    await moves[0]!(1000);
    mover.wrote(1);
    expect(moves).toHaveLength(2);
  });

  it('learns nothing from a move that another one was in the way of', async () => {
    const { movesAfter } = open();
    expect(await movesAfter(1280)).toBe(128);
    expect(await movesAfter(-1)).toBe(200);
    // Four hundred transactions had ten pages each.
    expect(await movesAfter(5280)).toBe(200);
    expect(await movesAfter(6280)).toBe(200);
  });

  it('goes on after a move that no thread had time for', async () => {
    const { movesAfter } = open();
    expect(await movesAfter(new Error('Too many queries are waiting'))).toBe(128);
    expect(await movesAfter(1280)).toBe(128);
  });

  it('puts pages into the file of a database, long before the log is full', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory.path, 'portico.db');
    const database = await openDatabase(`file:${path}`);
    await database.write([{ sql: 'CREATE TABLE thing (text TEXT)', args: [] }]);
    const before = statSync(path).size;
    const write = () => database.write([{ sql: 'INSERT INTO thing VALUES (?)', args: ['x'.repeat(8000)] }]);
    // Four pages each. At 16,000 the writer moves them.
    for (let turn = 0; turn < 3000 && statSync(path).size === before; turn++) await write();
    expect(statSync(path).size).toBeGreaterThan(before);
    expect(database.figures.logBytes).toBeLessThan(32 * 1024 * 1024);
    await database.close();
    await directory.remove();
  });
});
