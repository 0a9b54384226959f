import { sql } from 'drizzle-orm';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { searchHistory } from '../tables.ts';

/** Maximum searches per user. */
export const mostKept = 50;

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
        ORDER BY at DESC, digest LIMIT -1 OFFSET ${mostKept})`,
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
