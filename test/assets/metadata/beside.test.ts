import { expect, it, onTestFinished } from 'vitest';
import { noRows, rowReadersOf } from '../../../src/assets/metadata/load.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import { memoryStore, nobody } from '../../support/store.ts';

/** Which reader is asked for what shows in metadata and is kept elsewhere. */

async function open() {
  const store = await memoryStore();
  onTestFinished(() => store.close());
  const near: Reader = { read: store.read };
  const far: Reader = { read: () => Promise.reject(new Error('Expected no read')), lookups: near };
  const add = (sql: string, ...args: (string | number)[]) =>
    store.commit({ changes: [{ sql, args }], events: [] }, nobody);
  const joins = (collections: number, id: string, type = 'item') =>
    add(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
        SELECT 'C-' || i, ?2, ?3, 0, '' FROM n`,
      collections,
      type,
      id,
    );
  const inherits = () =>
    add(`INSERT INTO metadata_field (name, type, system, rest) VALUES ('x_a', 'string', 0, '{"inheritance":"true"}')`);
  return { near, far, add, joins, inherits, readers: (...ids: string[]) => rowReadersOf(far, 'item', ids) };
}

it('nobody reads where an item has nothing beside its metadata', async () => {
  const { readers, joins } = await open();
  await joins(1, 'VX-1', 'collection');
  expect(await readers('VX-1')).toEqual({ computed: noRows, inherited: noRows });
});

it('the thread of the requests reads a few rows, and a reader thread more', async () => {
  const { near, far, readers, joins, add } = await open();
  await joins(3, 'VX-1');
  expect(await readers('VX-1')).toEqual({ computed: near, inherited: noRows });
  await add(`INSERT INTO file_use (file_id, item_id, shape_id, component_id) VALUES ('VX-1', 'VX-2', 'VX-1', 'VX-1')`);
  expect((await readers('VX-2')).computed).toBe(near);
  await joins(60, 'VX-3');
  expect((await readers('VX-3')).computed).toBe(far);
});

it('collections far above count, too', async () => {
  const { far, readers, joins } = await open();
  await joins(1, 'VX-1');
  await joins(60, 'C-1', 'collection');
  expect((await readers('VX-1')).computed).toBe(far);
});

it('a reader thread reads what an item may inherit', async () => {
  const { far, readers, joins, inherits } = await open();
  await inherits();
  expect((await readers('VX-1')).inherited).toBe(noRows);
  await joins(1, 'VX-1');
  expect((await readers('VX-1')).inherited).toBe(far);
});

it('of several items a reader thread reads all, without a look', async () => {
  const { far, readers } = await open();
  expect(await readers('VX-1', 'VX-2')).toEqual({ computed: far, inherited: far });
});
