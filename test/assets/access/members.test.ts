import { expect, it, onTestFinished } from 'vitest';
import { Contexts } from '../../../src/assets/access/contexts.ts';
import { readableMembers } from '../../../src/assets/access/lists-sql.ts';
import { memoryStore, nobody } from '../../support/store.ts';

it('members in readable contexts are counted, also those that inherit no access', async () => {
  const store = await memoryStore();
  onTestFinished(() => store.close());
  const run = (sql: string) => store.commit({ changes: [{ sql, args: [] }], events: [] }, nobody);
  for (const serial of [1, 2, 3, 4, 5]) {
    await run(`INSERT INTO item (id, serial, created_at) VALUES ('VX-${serial}', ${serial}, 0)`);
  }
  for (const id of ['C-1', 'C-2', 'C-3']) {
    await run(`INSERT INTO collection (id, serial, created_at) VALUES ('${id}', ${id.slice(2)}, 0)`);
  }
  const joins = (collection: string, item: string, passes = 1) =>
    run(`INSERT INTO collection_member (collection_id, member_type, member_id, position, reference, passes)
      VALUES ('${collection}', 'item', '${item}', 0, '${collection}${item}', ${passes})`);
  for (const item of ['VX-1', 'VX-2', 'VX-3']) await joins('C-1', item);
  await joins('C-2', 'VX-3');
  await joins('C-2', 'VX-4', 0);
  await joins('C-2', 'VX-5', 0);
  await run(`INSERT INTO access_context (kind, key) VALUES ('item', '["item",null,[],[]]')`);
  await run(`UPDATE item SET context = (SELECT max(id) FROM access_context) WHERE id IN ('VX-4', 'VX-5')`);
  const contextOf = async (id: string) =>
    Number((await store.read(`SELECT context FROM item WHERE id = '${id}'`))[0]![0]);
  const rows = await store.read('SELECT id, items, collections FROM collection');
  const counted = rows.map(([id, items, inner]) => [String(id), Number(items), Number(inner)] as const);
  const countsFor = async (...items: string[]) => {
    const contexts = JSON.stringify(await Promise.all(items.map(contextOf)));
    const viewer = {
      administrator: false,
      userId: 'u',
      contexts: new Contexts(new Map([[1, contexts]]), new Map(), false),
    };
    const counts = await readableMembers(store, viewer, counted);
    return ['C-1', 'C-2', 'C-3'].map((id) => counts.get(id)?.items);
  };
  // VX-1 and VX-2 share a context, VX-3 is in both collections, and nobody passes access to VX-4 and VX-5.
  expect(await countsFor('VX-1')).toEqual([2, 0, 0]);
  expect(await countsFor('VX-3')).toEqual([1, 1, 0]);
  expect(await countsFor('VX-1', 'VX-3')).toEqual([3, 1, 0]);
  expect(await countsFor('VX-3', 'VX-4')).toEqual([1, 3, 0]);
});
