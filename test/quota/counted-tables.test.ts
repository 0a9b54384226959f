import { expect, test } from 'vitest';
import { countedTables } from '../../src/quota/counting/counted-tables.ts';
import { writtenTable } from '../../src/store/written-table.ts';
import { memoryStore } from '../support/store.ts';

/** Statements inside the body of a trigger. */
const written = (sql: string): readonly string[] =>
  sql
    .slice(sql.search(/\bBEGIN\b/i) + 'BEGIN'.length)
    .split(';')
    .flatMap((statement) => writtenTable(statement) ?? []);

test('a commit that writes what the triggers of quota rules follow concerns the rules, and no other does', async () => {
  const store = await memoryStore();
  const triggers = await store.read("SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'");
  const cascades = await store.read(
    `SELECT "table", child.name FROM sqlite_master AS child, pragma_foreign_key_list(child.name)
       WHERE child.type = 'table' AND on_delete = 'CASCADE'`,
  );
  await store.close();
  const edges = [
    ...triggers.flatMap(([table, sql]) => written(String(sql)).map((to) => [String(table), to] as const)),
    ...cascades.map(([parent, child]) => [String(parent), String(child)] as const),
  ];
  const counted = new Set(['quota_rule']);
  for (let before = 0; before < counted.size; ) {
    before = counted.size;
    for (const [from, to] of edges) if (counted.has(to)) counted.add(from);
  }
  expect([...counted].sort()).toEqual([...countedTables].sort());
});

test.each([
  ['insert into "item" ("id") values (?)', 'item'],
  ['INSERT OR IGNORE INTO collection_member SELECT 1', 'collection_member'],
  ['update "file" set "size" = ?', 'file'],
  ['UPDATE OR REPLACE item SET x = 1', 'item'],
  ['  delete from "group_user" where 1', 'group_user'],
  ['REPLACE INTO serial VALUES (1)', 'serial'],
  ['delete from "file"', 'file'],
  ['INSERT INTO item(id) VALUES (1)', 'item'],
  ['UPDATE main.file SET size = 1', undefined],
  ['UPDATE "my-table" SET size = 1', undefined],
  ['WITH a AS (SELECT 1) INSERT INTO item SELECT * FROM a', undefined],
])('the table that a statement writes: %s', (sql, table) => {
  expect(writtenTable(sql)).toBe(table);
});
