import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/core/store/store.ts';
import { memoryStore } from '../../support/store.ts';
import { described, found, tableNames, tables } from './described.ts';

describe('the schema equals the migrated database', () => {
  let store: Store;
  beforeAll(async () => {
    store = await memoryStore();
  });
  afterAll(() => store.close());

  test('every table is made by a migration', async () => {
    const made = await tableNames(store);
    const missing = tables.filter(({ name }) => !made.has(name));
    expect(
      missing.map(
        ({ room, name }) => `"${name}" of ${room}: no migration makes it. Remedy: a migration in the list of the room`,
      ),
    ).toEqual([]);
  });

  test('every table that a migration makes is described', async () => {
    const names = tables.map(({ name }) => name);
    const more = [...(await tableNames(store))].filter((name) => !names.includes(name));
    expect(more.map((name) => `"${name}": no room describes it. Remedy: add it to the tables of a room`)).toEqual([]);
  });

  test.each(tables)('$name', async ({ name, table }) => {
    expect(await found(store, name)).toEqual(described(table));
  });
});
