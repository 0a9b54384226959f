import { beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedDoc, IndexedValue } from '../../../src/assets/search/index/document.ts';
import { fillSlice } from '../../../src/assets/search/index/order-sql.ts';
import { embeddedIndex } from '../../../src/assets/search/index/store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { memoryStore, nobody } from '../../support/store.ts';

const none = { words: '', fieldWords: '', keys: '' };
const docOf = (values: readonly IndexedValue[], changed?: readonly number[]): EmbeddedDoc => ({
  id: 1,
  entityId: 'VX-1',
  timed: false,
  generic: { ...none, keys: 'all' },
  inTime: none,
  values,
  definitions: new Map(),
  words: new Set(),
  hasAllWords: false,
  changed: changed && new Set(changed),
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
/** `changed`: the fields that are written. Absent: all are. */
const write = (values: readonly IndexedValue[], changed?: readonly number[]) =>
  store.commit({ changes: embeddedIndex.apply([docOf(values, changed)]), events: [] }, nobody);
/** Fields of a list, by their ids. */
const named = (list: string) =>
  `(SELECT json_group_array(field) FROM json_each(${list}) AS each CROSS JOIN search_field ON search_field.id = each.value)`;
const fields = async () => (await store.read(`SELECT ${named('fields')} FROM search_fields`)).flat();
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

  it.each([
    ['all of it', undefined],
    ['the fields that change', [7, 8, 9]],
    ['those that change, and others', [7, 8, 9, 10]],
  ])('is what it has, whether it is new, changed or the same: %s', async (_, changed) => {
    await write(first);
    expect([await kept(), await fields()]).toEqual([
      {
        values: [
          [7, '1', 1, null],
          [7, '5', 1, null],
          [8, 'x', 3, 'x'],
        ],
        places: [
          [7, '1', -1],
          [7, '5', 1],
        ],
      },
      ['[7,8]'],
    ]);
    for (let turn = 0; turn < 2; turn++) {
      await write(later, changed);
      expect([await kept(), await fields()]).toEqual([laterKept, ['[7,8,9]']]);
    }
    await write([], changed);
    expect(await kept()).toEqual({ values: [], places: [] });
    // A change only adds fields.
    expect(await fields()).toEqual([changed ? '[7,8,9]' : '[]']);
  });

  it('leaves the fields as they are that no change names', async () => {
    await write(first);
    await write([value(7, '6'), value(8, '"y"')], [7]);
    expect(await kept()).toEqual({
      values: [
        [7, '6', 1, null],
        [8, 'x', 3, 'x'],
      ],
      places: [
        [7, '6', -1],
        [7, '6', 1],
      ],
    });
  });

  it('writes the fields of an entity only where they are others', async () => {
    await write(first);
    await run('CREATE TEMP TABLE told (fields TEXT)');
    const tells = `INSERT INTO told SELECT ${named('NEW.fields')}`;
    await run(`CREATE TEMP TRIGGER tell AFTER UPDATE ON search_fields BEGIN ${tells}; END`);
    await write([value(7, '6'), value(8, '"y"')], [7]);
    expect(await store.read('SELECT * FROM told')).toEqual([]);
    await write([value(7, '6'), value(9, '1')], [8, 9]);
    await write([value(7, '6')]);
    await write([value(7, '7')]);
    expect(await store.read('SELECT * FROM told')).toEqual([['[7,8,9]'], ['[7]']]);
  });

  it('has places of the values between the ends until the item goes, made by a commit or the work', async () => {
    const places = [
      [-7, '3', 1],
      [-7, '4', 1],
      [7, '1', -1],
      [7, '9', 1],
    ];
    await write(['1', '4', '3', '9'].map((json) => value(7, json)));
    expect((await kept()).places).toEqual(places);
    await run('DELETE FROM search_order');
    await store.commit({ changes: [fillSlice({ field: 7, from: 0, below: 9 })], events: [] }, nobody);
    expect((await kept()).places).toEqual(places);
    await run(`DELETE FROM item WHERE id = 'VX-1'`);
    expect((await kept()).places).toEqual([]);
  });

  it('goes through no table for it', async () => {
    const plans: string[] = [];
    for (const { sql, args } of [docOf(later), docOf(later, [7, 8, 9])].flatMap((doc) => embeddedIndex.apply([doc]))) {
      plans.push(...(await store.read(`EXPLAIN QUERY PLAN ${sql}`, args)).map((row) => String(row.at(-1))));
    }
    expect(plans.filter((step) => /SCAN search_(?!ordered|feed)/.test(step))).toEqual([]);
    const keysOf = (table: string) => plans.filter((step) => step.startsWith(`SEARCH ${table} USING`));
    expect(new Set(keysOf('search_order'))).toEqual(
      new Set(['SEARCH search_order USING PRIMARY KEY (field=? AND key=? AND tie=?)']),
    );
    expect(new Set(keysOf('search_value'))).toEqual(
      new Set(['SEARCH search_value USING PRIMARY KEY (field=? AND entity=?)']),
    );
  });
});
