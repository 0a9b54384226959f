import { expect, it, onTestFinished } from 'vitest';
import { readTransient } from '../../../src/assets/metadata/computed.ts';
import { collectionRows, itemRows } from '../../../src/assets/metadata/computed-sql.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import { memoryStore, nobody } from '../../support/store.ts';

/** Choice of the thread that reads what shows in metadata and is kept elsewhere. */

async function open() {
  const store = await memoryStore();
  onTestFinished(() => store.close());
  const reads = { near: 0, far: 0 };
  const near: Reader = {
    read: (...query) => {
      reads.near++;
      return store.read(...query);
    },
  };
  const far: Reader = {
    read: (...query) => {
      reads.far++;
      return store.read(...query);
    },
    lookups: near,
  };
  const joins = (collections: number, id: string, type = 'item') =>
    store.commit(
      {
        changes: [
          {
            sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
              INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
              SELECT 'C-' || i, ?2, ?3, 0, '' FROM n`,
            args: [collections, type, id],
          },
        ],
        events: [],
      },
      nobody,
    );
  const read = async (kind: 'item' | 'collection', ...ids: string[]) => {
    Object.assign(reads, { near: 0, far: 0 });
    const values = await readTransient(far, kind, ids, undefined, async () => undefined);
    return { reads: { ...reads }, values };
  };
  return { store, joins, read };
}

it('the thread of the requests reads a few rows at once, for one item or a page', async () => {
  const { joins, read } = await open();
  await joins(3, 'VX-1');
  for (const ids of [['VX-1'], ['VX-1', 'VX-2']]) {
    const { reads, values } = await read('item', ...ids);
    expect(reads).toEqual({ near: 1, far: 0 });
    expect(values.get('VX-1')).toContainEqual(['__collection_size', '3']);
  }
});

it('another thread reads many rows, and those far above count, too', async () => {
  const { joins, read } = await open();
  await joins(1, 'VX-1');
  await joins(1_100, 'C-1', 'collection');
  for (const [kind, id] of [
    ['item', 'VX-1'],
    ['collection', 'C-1'],
  ] as const) {
    const { reads, values } = await read(kind, id);
    expect(reads.far).toBe(1);
    expect(values.get(id)).toContainEqual(['__ancestor_collection_size', '1100']);
  }
});

it('no read goes through a whole table', async () => {
  const { store } = await open();
  const sqls: [string, readonly unknown[]][] = [];
  const reader: Reader = {
    read: (sql, args = []) => {
      sqls.push([sql, args]);
      return [['[]', '[]', '[]', '[]', '[]', '[]']];
    },
  };
  for (const rows of [itemRows, collectionRows]) await rows.first(reader, { ids: '["VX-1"]', max: 9 });
  for (const [sql, args] of sqls) {
    const plan = await store.read(`EXPLAIN QUERY PLAN ${sql}`, args as string[]);
    expect(
      plan.map((row) => String(row[3])).filter((step) => /^SCAN (?!up|given|json_each|\(|CONSTANT)/.test(step)),
    ).toEqual([]);
  }
});
