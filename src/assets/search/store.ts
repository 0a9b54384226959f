import { sql } from 'drizzle-orm';
import { query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { searchSaved } from './tables.ts';

export const writeSaved = statement<{ hash: string; query: string; expiresAt: number }>(
  sql`INSERT INTO ${writes('search_saved')} (hash, query, expires_at) VALUES (${value('hash')}, ${value('query')}, ${value('expiresAt')})
    ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`,
);

export const findSaved = query(
  sql`SELECT query FROM search_saved WHERE hash = ${value('hash')} AND expires_at > ${value('now')}`,
  { query: searchSaved.query },
);

export const sweepSaved = statement<{ now: number }>(
  sql`DELETE FROM ${writes('search_saved')} WHERE hash IN (
    SELECT hash FROM search_saved WHERE expires_at <= ${value('now')} ORDER BY expires_at LIMIT 100)`,
);

const items = query(sql`SELECT id, item_id FROM shape WHERE id IN ${valuesOf('ids')}`, {
  id: sql<string>``,
  item: sql<string>``,
});

export async function itemsOfShapes(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await items(reader, { ids });
  return new Map(rows.map(({ id, item }) => [id, item]));
}
