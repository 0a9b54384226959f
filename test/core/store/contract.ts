import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database, SqlValue, Statement } from '../../../src/core/store/contract.ts';

/** An empty database, and more instances on it. */
export interface Place {
  readonly database: Database;
  /** Another instance on the same rows. Closed by `close`. */
  another(): Promise<Database>;
  close(): Promise<void>;
}

export interface Kind {
  readonly name: string;
  open(): Promise<Place>;
  /** The server of the tests must not meet many writers at once. */
  readonly crowd: number;
}

const put = (key: string, value: SqlValue = 1): Statement => ({
  sql: 'INSERT INTO thing VALUES (?, ?)',
  args: [key, value],
});
const keys = async (database: Database) => (await database.read('SELECT key FROM thing ORDER BY key')).flat();

export function describeDatabase(kind: Kind): void {
  describe(`${kind.name}: database`, () => {
    let place: Place;
    let database: Database;

    beforeEach(async () => {
      place = await kind.open();
      database = place.database;
      await database.write([
        { sql: 'CREATE TABLE thing (key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID', args: [] },
      ]);
    });
    afterEach(() => place.close());

    test('a transaction is there as a whole', async () => {
      expect(await database.write([put('a'), put('b')])).toEqual({ done: true, rows: [] });
      expect(await keys(database)).toEqual(['a', 'b']);
    });

    test('a broken constraint undoes all of its transaction and names the statement', async () => {
      const outcome = await database.write([put('a'), put('b'), put('a'), put('c')]);
      expect(outcome).toMatchObject({ done: false, index: 2 });
      expect(await keys(database)).toEqual([]);
    });

    test('one broken member does not sink the others of its group', async () => {
      const members = Array.from({ length: 40 }, (_, n) => (n % 13 === 5 ? [put(`k${n}`), put('k0')] : [put(`k${n}`)]));
      const outcomes = await Promise.all(members.map((member) => database.write(member)));
      expect(outcomes.map((outcome) => outcome.done)).toEqual(members.map((member) => member.length === 1));
      expect(outcomes[5]).toMatchObject({ done: false, index: 1 });
      expect((await keys(database)).length).toBe(37);
    });

    test('bad SQL is refused as internal, alone, and later transactions work', async () => {
      const results = await Promise.allSettled([
        database.write([put('a')]),
        database.write([put('b'), { sql: 'INSERT INTO nowhere VALUES (1)', args: [] }]),
        database.write([put('c')]),
        database.write([{ sql: 'SELEC', args: [] }]),
      ]);
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
      expect(results[1]).toMatchObject({ reason: { code: 'internal' } });
      expect(results[3]).toMatchObject({ reason: { code: 'internal' } });
      expect(await keys(database)).toEqual(['a', 'c']);
      await expect(database.read('SELECT * FROM nowhere')).rejects.toMatchObject({ code: 'internal' });
    });

    test('a read sees every write that was acknowledged before, also by another instance', async () => {
      const other = await place.another();
      for (let turn = 0; turn < 20; turn++) {
        await database.write([put(`mine${turn}`)]);
        expect(await database.read('SELECT 1 FROM thing WHERE key = ?', [`mine${turn}`])).toEqual([[1]]);
        expect(await other.read('SELECT 1 FROM thing WHERE key = ?', [`mine${turn}`])).toEqual([[1]]);
      }
    });

    test('a query gives what a read gives', async () => {
      await database.write([put('a'), put('b', 'text'), put('c', new Uint8Array([0, 255])), put('d', null)]);
      const text = 'SELECT key, value FROM thing WHERE key >= ? ORDER BY key';
      expect(await database.query('anna', text, ['b'])).toEqual(await database.read(text, ['b']));
      expect(await database.query('anna', 'SELECT value FROM thing WHERE key = ?', ['b'], 'one')).toEqual([['text']]);
      expect(await database.query('anna', text, ['x'], 'one')).toEqual([]);
      // The same text may be asked for one row and for all, in any order, with other values.
      for (const ask of [database.read.bind(database), database.query.bind(database, 'anna')]) {
        const one = 'SELECT value FROM thing WHERE key = ?';
        expect(await ask(one, ['a'])).toEqual([[1]]);
        expect(await ask(one, ['b'], 'one')).toEqual([['text']]);
        expect(await ask(one, ['a'])).toEqual([[1]]);
        expect(await ask(one, ['none'], 'one')).toEqual([]);
      }
    });

    test('a query sees every write that was acknowledged before, also by another instance', async () => {
      const other = await place.another();
      for (let turn = 0; turn < 20; turn++) {
        await database.read('SELECT count(*) FROM thing');
        await database.write([put(`mine${turn}`)]);
        expect(await database.query('anna', 'SELECT 1 FROM thing WHERE key = ?', [`mine${turn}`])).toEqual([[1]]);
        expect(await other.query('anna', 'SELECT 1 FROM thing WHERE key = ?', [`mine${turn}`])).toEqual([[1]]);
      }
    });

    test('a query that cannot work is refused as a read is, and changes nothing', async () => {
      const query = async (sql: string, args: readonly SqlValue[] = []) => database.query('anna', sql, args);
      await expect(query('SELECT * FROM nowhere')).rejects.toMatchObject({ code: 'internal' });
      await expect(query('SELECT ?', ['a\0b'])).rejects.toMatchObject({ code: 'bad-value' });
      expect(await query('SELECT count(*) FROM thing')).toEqual([[0]]);
      await database.close();
      await expect(query('SELECT 1')).rejects.toMatchObject({ code: 'store-unavailable' });
    });

    test('concurrent counting loses nothing', async () => {
      await database.write([put('count', 0)]);
      const other = await place.another();
      const add: Statement = { sql: `UPDATE thing SET value = value + 1 WHERE key = 'count'`, args: [] };
      const writers = Array.from({ length: kind.crowd }, (_, n) => (n % 2 ? other : database));
      await Promise.all(writers.map((writer) => writer.write([add])));
      expect(await database.read(`SELECT value FROM thing WHERE key = 'count'`)).toEqual([[kind.crowd]]);
    });

    test('RETURNING hands back the rows of the statements that ask for it', async () => {
      const outcome = await database.write([
        { sql: 'INSERT INTO thing VALUES (?, ?), (?, ?) RETURNING key, value', args: ['a', 1, 'b', 2], returns: true },
        put('c'),
        { sql: 'UPDATE thing SET value = 9 WHERE key = ? RETURNING value', args: ['c'], returns: true },
        { sql: 'DELETE FROM thing WHERE key = ? RETURNING value', args: ['none'], returns: true },
      ]);
      expect(outcome).toEqual({
        done: true,
        rows: [
          [
            ['a', 1],
            ['b', 2],
          ],
          [[9]],
          [],
        ],
      });
    });

    test('a statement that gives rows nobody asked for disturbs nothing', async () => {
      const outcomes = await Promise.all([
        database.write([{ sql: `INSERT INTO thing VALUES ('a', 1), ('b', 2) RETURNING key`, args: [] }, put('c')]),
        database.write([{ sql: 'SELECT * FROM thing', args: [] }, put('d')]),
      ]);
      expect(outcomes).toEqual([
        { done: true, rows: [] },
        { done: true, rows: [] },
      ]);
      expect(await keys(database)).toEqual(['a', 'b', 'c', 'd']);
    });

    const values: readonly SqlValue[] = [
      '',
      'text',
      'Ünïcödé 漢字 🎬',
      `quote ' " \\ \n`,
      'x'.repeat(100_000),
      0,
      1,
      -1,
      1.5,
      -0.25,
      1e300,
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      1_700_000_000_000,
      null,
      new Uint8Array([]),
      new Uint8Array([0, 1, 255]),
      new Uint8Array(5_000).fill(7),
    ];
    test('values of every type come back as they were', async () => {
      for (const [index, value] of values.entries()) await database.write([put(`v${index}`, value)]);
      for (const [index, value] of values.entries()) {
        const [row] = await database.read('SELECT value, ? FROM thing WHERE key = ?', [value, `v${index}`]);
        expect(row).toEqual([value, value]);
      }
    });

    test('an integer is stored as an integer, so that text made of it has no fraction', async () => {
      const [row] = await database.read(`SELECT typeof(?1), ?1 || '', typeof(?2)`, [5, 5.5]);
      expect(row).toEqual(['integer', '5', 'real']);
    });

    const unstorable: readonly (readonly [string, unknown, string])[] = [
      ['a NUL in a text, which would cut it short', 'admin\0x', 'bad-value'],
      ['half a surrogate pair, which would become another text', 'a\ud800', 'bad-value'],
      ['a NUL that JSON hides, which json_each would cut short', JSON.stringify(['admin\0x']), 'bad-value'],
      ['half a pair that JSON hides, which ends the process', JSON.stringify({ 'a\ud800': 1 }), 'bad-value'],
      ['a boolean', true, 'internal'],
      ['undefined', undefined, 'internal'],
      ['an object', {}, 'internal'],
      ['NaN', Number.NaN, 'internal'],
      ['Infinity', Number.POSITIVE_INFINITY, 'internal'],
    ];
    test.each(unstorable)('%s is refused before it reaches the engine', async (_, value, code) => {
      await expect(database.write([{ ...put('a'), args: ['a', value as SqlValue] }])).rejects.toMatchObject({ code });
      await expect(database.read('SELECT ?', [value as SqlValue])).rejects.toMatchObject({ code });
      expect(await keys(database)).toEqual([]);
    });

    test.each([JSON.stringify(['\ud83d\ude00', '\\ud800']), '["\\ud83d\\ude00"]', 'C:\\ud800'])(
      'whole characters in the text %j are stored',
      async (value) => {
        expect(await database.read('SELECT ?', [value])).toEqual([[value]]);
      },
    );

    test('a group far larger than its limit is stored completely', async () => {
      const outcomes = await Promise.all(Array.from({ length: 1_500 }, (_, n) => database.write([put(`n${n}`)])));
      expect(outcomes.every((outcome) => outcome.done)).toBe(true);
      expect(await database.read('SELECT count(*) FROM thing')).toEqual([[1_500]]);
    });

    test('a transaction of many statements is one', async () => {
      const many = Array.from({ length: 600 }, (_, n) => put(`n${n}`));
      expect(await database.write([...many, put('n5')])).toMatchObject({ done: false, index: 600 });
      expect(await keys(database)).toEqual([]);
      expect(await database.write(many)).toMatchObject({ done: true });
    });

    test('more texts than any cache holds', async () => {
      const texts = Array.from({ length: 1_200 }, (_, n) => ({
        sql: `INSERT INTO thing VALUES (?, ${n})`,
        args: [`n${n}`],
      }));
      for (const round of [0, 1]) {
        await Promise.all(texts.map(({ sql, args }) => database.write([{ sql, args: [`${round}${args[0]}`] }])));
      }
      expect(await database.read('SELECT count(*), sum(value) FROM thing')).toEqual([[2_400, 1_438_800]]);
    });

    test('closing finishes what was accepted and refuses what comes later', async () => {
      const accepted = Array.from({ length: 300 }, (_, n) => database.write([put(`n${n}`)]));
      const closing = database.close();
      const late = database.write([put('late')]);
      await expect(late).rejects.toMatchObject({ code: 'store-unavailable' });
      const outcomes = await Promise.all(accepted);
      await closing;
      await database.close();
      expect(outcomes.every((outcome) => outcome.done)).toBe(true);
      await expect(database.read('SELECT 1')).rejects.toMatchObject({ code: 'store-unavailable' });
    });
  });
}
