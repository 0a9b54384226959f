import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import { rowExists } from '../../../src/core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy, rowsAmong, updateBy } from '../../../src/core/store/rows.ts';
import { keyValue } from '../../../src/core/store/schema.ts';
import { group } from '../../../src/identity/tables.ts';
import { memoryStore, nobody } from '../../support/store.ts';

const insert = insertInto(keyValue, 'entityType', 'entityId', 'key', 'position', 'value');
const pair = { entityType: 'user', entityId: 'a', key: 'k', position: 0, value: 'x' };
const found = rowBy(keyValue, ['entityType', 'entityId'], 'key', 'value');

describe('statements that differ only in their table', () => {
  test('name the table that they write, and bind the values of their columns', () => {
    expect(insert(pair)).toEqual({
      sql: 'INSERT INTO "key_value" ("entity_type", "entity_id", "key", "position", "value") VALUES (?, ?, ?, ?, ?)',
      args: ['user', 'a', 'k', 0, 'x'],
      writes: 'key_value',
    });
    expect(updateBy(group, 'id', 'name', 'description')({ id: '1', name: 'n', description: null })).toEqual({
      sql: 'UPDATE "group" SET "name" = ?, "description" = ? WHERE "id" = ?',
      args: ['n', null, '1'],
      writes: 'group',
    });
    expect(deleteBy(keyValue, 'entityType', 'entityId')({ entityType: 'user', entityId: 'a' })).toEqual({
      sql: 'DELETE FROM "key_value" WHERE "entity_type" = ? AND "entity_id" = ?',
      args: ['user', 'a'],
      writes: 'key_value',
    });
  });

  test('replace all values but the key, where the row is there', () => {
    const put = putInto(keyValue, ['entityType', 'entityId', 'key', 'position']);
    expect(put(pair).sql).toMatch(
      / ON CONFLICT \("entity_type", "entity_id", "key", "position"\) DO UPDATE SET "value" = excluded\."value"$/,
    );
  });

  test('without columns take whole rows, whose types are those of the table', async () => {
    const store = await memoryStore();
    const row = { id: '1', name: 'editors', description: null, role: 0, version: 1, modifiedAt: 0, createdAt: 7 };
    await store.commit({ changes: [insertInto(group)(row)], events: [] }, nobody);
    const read: typeof group.$inferSelect | undefined = await rowBy(group, 'name')(store, { name: 'editors' });
    expect(read).toEqual(row);
    expect(await rowBy(group, 'name')(store, { name: 'others' })).toBeUndefined();
    expect(await rowsAmong(group, 'id', 'ids', 'name')(store, { ids: ['1', '2'] })).toEqual([{ name: 'editors' }]);
  });

  test('find a row by several values, and a guard holds while it is there', async () => {
    const store = await memoryStore();
    const missing = new ServiceError('already-exists');
    const there = rowExists(keyValue, 'entityId', 'value')({ entityId: 'a', value: 'x' }, missing);
    await expect(store.commit({ changes: [there], events: [] }, nobody)).rejects.toBe(missing);
    await store.commit({ changes: [insert(pair), there], events: [] }, nobody);
    expect(await found(store, { entityType: 'user', entityId: 'a' })).toEqual({ key: 'k', value: 'x' });
  });
});
