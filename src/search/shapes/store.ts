import { query, type Reader, sql } from '../../store/statement.ts';

const items = query(
  sql`SELECT id, item_id FROM shape WHERE id IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`,
  {
    id: sql<string>``,
    item: sql<string>``,
  },
);

export async function itemsOfShapes(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await items(reader, { ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, item }) => [id, item]));
}
