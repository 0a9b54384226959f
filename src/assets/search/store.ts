import { sql } from 'drizzle-orm';
import { eachOf, query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { readableWhere, type Viewer } from '../access/public-reading.ts';
import type { OwnerKind } from '../metadata/public-reading.ts';
import { searchHistory, searchSaved } from './tables.ts';

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

/** Maximum searches per user. */
export const maxKept = 50;

export const writeSearch = statement<{
  user: string;
  kind: string;
  digest: string;
  query: string;
  now: number;
}>(
  sql`INSERT INTO ${writes('search_history')} (user, kind, digest, query, at)
    VALUES (${value('user')}, ${value('kind')}, ${value('digest')}, ${value('query')}, ${value('now')})
    ON CONFLICT (user, kind, digest) DO UPDATE SET at = excluded.at`,
);

/** Deletes all but the newest searches. */
export const trimSearches = statement<{ user: string; kind: string }>(
  sql`DELETE FROM ${writes('search_history')} WHERE user = ${value('user')} AND kind = ${value('kind')} AND digest IN (
      SELECT digest FROM search_history WHERE user = ${value('user')} AND kind = ${value('kind')}
        ORDER BY at DESC, digest LIMIT -1 OFFSET ${maxKept})`,
);

/** `newer`: times by digest that are newer than the stored ones, as JSON. */
export const searchesOf = query(
  sql`SELECT query, max(at, coalesce(newer.value, 0)) AS made
    FROM search_history LEFT JOIN ${eachOf('newer')} AS newer ON newer.key = digest
    WHERE user = ${value('user')} AND kind = ${value('kind')} AND made >= ${value('from')}
    ORDER BY made DESC, digest LIMIT ${value('limit')}`,
  { query: searchHistory.query, at: searchHistory.at },
);

/** Deletes the searches of deleted users, since names may be reused. */
export const forgetSearches = statement<{ names: readonly string[] }>(
  sql`DELETE FROM ${writes('search_history')} WHERE user IN ${valuesOf('names')}`,
);

export const groupNames = query(sql`SELECT name FROM metadata_field_group`, { name: sql<string>`` });

/** Entities with any of the groups, newest first, as far as the viewer may read them. */
export async function* ownersWithGroups(
  reader: Reader,
  viewer: Viewer,
  kind: OwnerKind,
  names: readonly string[],
  slice: number,
): AsyncGenerator<readonly string[], void> {
  const isGuarded = kind === 'item' || kind === 'collection';
  const { text, values } = isGuarded ? readableWhere(viewer, kind, 'used.owner_id') : { text: '1', values: [] };
  let last: readonly [serial: number, id: string] = [Number.MAX_SAFE_INTEGER, ''];
  for (;;) {
    const rows = await reader.read(
      `SELECT DISTINCT owner_serial, owner_id FROM metadata_group_use AS used WHERE owner_type = ?
          AND (owner_serial, owner_id) < (?, ?) AND name IN (SELECT value FROM json_each(?)) AND ${text}
        ORDER BY owner_serial DESC, owner_id DESC LIMIT ?`,
      [kind, ...last, JSON.stringify(names), ...values, slice],
    );
    if (rows.length > 0) yield rows.map(([, id]) => String(id));
    if (rows.length < slice) return;
    const [serial, id] = rows.at(-1)!;
    last = [Number(serial), String(id)];
  }
}
