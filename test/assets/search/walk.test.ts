import { expect, it } from 'vitest';
import { walked } from '../../../src/assets/search/query/walk-sql.ts';
import { memoryStore, nobody } from '../../support/store.ts';

const always = { text: '1', values: [] };
const upTo = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)';

it.each([false, true])('a page far behind the first reads its own entities, descending: %s', async (descending) => {
  const store = await memoryStore();
  const changes = [
    `${upTo} INSERT INTO search_entity (id, entity_id, created_at, timed) SELECT i, 'VX-' || i, 0, 0 FROM n`,
    `${upTo} INSERT INTO search_order (field, key, tie) SELECT 7, i / 2, -i FROM n`,
    `${upTo} INSERT INTO search_order (field, key, tie) SELECT 7, i / 2, i FROM n`,
  ].map((sql) => ({ sql, args: [] }));
  await store.commit({ changes, events: [] }, nobody);
  const reads: string[] = [];
  const reader = {
    read(sql: string, args: Parameters<typeof store.read>[1] = []) {
      reads.push(sql);
      return store.read(sql, args);
    },
  };
  const term = { by: 'fact' as const, value: always, descending, nullable: true, numeric: true, cheap: false };
  const plan = { kind: 'item', match: undefined, where: () => always } as const;
  const walk = { plan, field: 7, terms: [term], isBroad: false };
  const all = (await walked(reader, walk, undefined, { limit: 1200, offset: 0 })).map(({ id }) => id);
  const page = await walked(reader, walk, undefined, { limit: 5, offset: 1100, withKeys: true });
  expect(all).toHaveLength(1200);
  expect(page.map(({ id }) => id)).toEqual(all.slice(1100, 1105));
  expect(page[0]!.keys).toEqual([String(descending ? 50 : 550)]);
  expect(reads[1]).not.toBe(reads[0]);
});
