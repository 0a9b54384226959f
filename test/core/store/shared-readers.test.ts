import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { searchReading } from '../../../src/assets/search/reading.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { storeSettings, temporaryDirectory } from '../../support/store.ts';

const counting = (to: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT count(*) FROM n`;
const endless = counting(100_000_000_000);
const attackers = ['anna', 'bert', 'carl', 'dora'];

/** With so much time for a query that a busy machine ends none. */
async function open() {
  const directory = await temporaryDirectory();
  const queries = { milliseconds: 120_000 };
  const database = await openDatabase(`file:${join(directory.path, 'portico.db')}`, { queries });
  const store = openStore(database, storeSettings());
  onTestFinished(async () => {
    database.interrupt!();
    await store.close();
    await directory.remove();
  });
  await store.migrate();
  return { database, store };
}

it('four accounts with endless queries hold up no query of a fifth', async () => {
  const { database, store } = await open();
  const ends: unknown[] = [];
  const asked = attackers
    .flatMap((caller) => [caller, caller, caller])
    .map(async (caller) => {
      await Promise.resolve(database.query(caller, endless)).catch((error: { code: string }) => ends.push(error.code));
    });
  for (let time = 0; time < 10; time++) expect(await database.query('emil', 'SELECT 1')).toEqual([[1]]);
  const given = {
    asking: { administrator: true, userId: undefined },
    kind: 'item' as const,
    document: { text: [{ value: 'harbour' }] },
    page: { first: 1, number: 10 },
    options: {},
  };
  for (const place of ['off-thread', 'here'] as const) {
    expect(await store.perform('emil', searchReading, given, place)).toMatchObject({ hits: 0 });
  }
  expect([ends, database.figures.queriesRunning + database.figures.queriesWaiting]).toEqual([[], 12]);
  database.interrupt!();
  await Promise.all(asked);
  expect(ends).toEqual(Array.from({ length: 12 }, () => 'store-unavailable'));
});

it('queries that lose their readers meanwhile find what they would have found', async () => {
  const { database } = await open();
  const long = attackers.map((caller, at) => database.query(caller, counting(1_000_000 + at)));
  for (let time = 0; time < 20; time++) expect(await database.query('emil', 'SELECT 1')).toEqual([[1]]);
  expect(await Promise.all(long)).toEqual(attackers.map((_, at) => [[1_000_000 + at]]));
});
