import { beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedDoc, Had } from '../../src/search/index/port.ts';
import { embeddedIndex } from '../../src/search/index/store.ts';
import { fillSlice } from '../../src/search/ordered/store.ts';
import type { IndexedValue } from '../../src/spi/index.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore, nobody } from '../support/store.ts';

const none = { words: '', fieldWords: '', keys: '' };
const docOf = (values: readonly IndexedValue[]): EmbeddedDoc => ({
  id: 1,
  entityId: 'VX-1',
  timed: false,
  generic: { ...none, keys: 'all' },
  inTime: none,
  values,
  words: new Set(),
  hasAllWords: false,
});
const value = (field: number, json: string, more: Partial<IndexedValue> = {}): IndexedValue => ({
  ...{ field, json, spans: 1 },
  ...more,
});

let store: Store;

beforeEach(async () => {
  store = await memoryStore();
  await run(`INSERT INTO item (id, serial, created_at) VALUES ('VX-1', 1, 0)`);
  await run(`INSERT INTO search_ordered (name, field, state, position) VALUES ('a', 7, 'ready', 0)`);
});

const run = (sql: string) => store.commit({ changes: [{ sql, args: [] }], events: [] }, nobody);
const write = (values: readonly IndexedValue[], had: ReadonlyMap<number, Had>) =>
  store.commit({ changes: embeddedIndex.apply([docOf(values)], had), events: [] }, nobody);
const rows = () => embeddedIndex.rowsOf(store, [1]);
const kept = async () => ({
  values: await store.read('SELECT field, CAST(val AS TEXT), spans, folded FROM search_value ORDER BY 1, 2'),
  places: await store.read('SELECT field, CAST(key AS TEXT), tie FROM search_order ORDER BY 1, 2'),
});

describe('what the index writes of an entity', () => {
  const first = [value(7, '1'), value(7, '5'), value(8, '"x"', { spans: 3, folded: 'x' })];
  const later = [value(7, '5'), value(8, '"x"'), value(9, '9223372036854775807')];
  const laterKept = {
    values: [
      [7, '5', 1, null],
      [8, 'x', 1, null],
      [9, '9223372036854775807', 1, null],
    ],
    places: [
      [7, '5', -1],
      [7, '5', 1],
    ],
  };

  it('follows from what it has, whether it is new, changed or the same', async () => {
    await write(first, await rows());
    expect(await kept()).toEqual({
      values: [
        [7, '1', 1, null],
        [7, '5', 1, null],
        [8, 'x', 3, 'x'],
      ],
      places: [
        [7, '1', -1],
        [7, '5', 1],
      ],
    });
    for (let turn = 0; turn < 2; turn++) {
      await write(later, await rows());
      expect(await kept()).toEqual(laterKept);
    }
  });

  it('changes beside a number that JSON in memory would round', async () => {
    await write(later, await rows());
    await write([value(7, '6'), value(9, '9223372036854775806')], await rows());
    expect((await kept()).values).toEqual([
      [7, '6', 1, null],
      [9, '9223372036854775806', 1, null],
    ]);
    expect((await kept()).places).toEqual([
      [7, '6', -1],
      [7, '6', 1],
    ]);
  });

  it.each([
    ['a text that reads as several pairs', '"1],[7,3],[8"', [[8, '1],[7,3],[8', 1, null]]],
    ['a text that ends like a pair', '"x],"', [[8, 'x],', 1, null]]],
    ['a text with quotes', '"a\\"],[7,\\"b"', [[8, 'a"],[7,"b', 1, null]]],
  ])('changes beside %s', async (_, json, expected) => {
    const beside = value(8, json);
    await write([value(7, '3'), beside], await rows());
    await write([value(7, '6'), beside], await rows());
    expect((await kept()).values).toEqual([[7, '6', 1, null], ...expected]);
    await write([beside], await rows());
    expect((await kept()).values).toEqual(expected);
    await write([], await rows());
    expect((await kept()).values).toEqual([]);
  });

  it.each([
    ['older rows', '[[7,1]]'],
    ['rows of values that are gone', '[[7,5],[8,"gone"],[9,3]]'],
    ['no rows', '[]'],
  ])('is right where another instance was faster than the reader of %s', async (_, read) => {
    await write(first, await rows());
    await write(later, new Map([[1, { rows: read, version: 7 }]]));
    expect(await kept()).toEqual(laterKept);
    await write(first.slice(0, 1), new Map([[1, { rows: read, version: 0 }]]));
    expect(await kept()).toEqual({
      values: [[7, '1', 1, null]],
      places: [
        [7, '1', -1],
        [7, '1', 1],
      ],
    });
  });

  it('has places of the values between the ends until the item goes, made by a commit or the work', async () => {
    const places = [
      [-7, '3', 1],
      [-7, '4', 1],
      [7, '1', -1],
      [7, '9', 1],
    ];
    await write(
      ['1', '4', '3', '9'].map((json) => value(7, json)),
      await rows(),
    );
    expect((await kept()).places).toEqual(places);
    await run('DELETE FROM search_order');
    await store.commit({ changes: [fillSlice({ field: 7, from: 0, below: 9 })], events: [] }, nobody);
    expect((await kept()).places).toEqual(places);
    await run(`DELETE FROM item WHERE id = 'VX-1'`);
    expect((await kept()).places).toEqual([]);
  });

  it('goes through no table for it', async () => {
    const plans = [];
    for (const { sql, args } of embeddedIndex.apply([docOf(later)], new Map([[1, { rows: '[]', version: 0 }]]))) {
      plans.push(...(await store.read(`EXPLAIN QUERY PLAN ${sql}`, args)).map((row) => String(row.at(-1))));
    }
    expect(plans.filter((step) => /SCAN search_(?!ordered|feed)/.test(step))).toEqual([]);
    const keys = plans.filter((step) => /SEARCH search_order USING/.test(step));
    expect(keys.length).toBeGreaterThan(0);
    for (const step of keys) expect(step).toContain('field=? AND key=? AND tie=?');
  });
});
