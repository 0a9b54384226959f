import { expect, test } from 'vitest';
import { countedTables } from '../../../src/administration/quota/quota-work.ts';
import { memoryStore } from '../../support/store.ts';

/** Tables that the body of a trigger writes. */
const written = (sql: string): readonly string[] =>
  Array.from(
    sql.slice(sql.search(/\bBEGIN\b/i)).matchAll(/\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?([a-z_]+)/g),
    ([, table]) => table!,
  );

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
