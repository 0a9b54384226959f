import { type SQL, sql } from 'drizzle-orm';
import { rangeOf } from '../../../core/lib/search-pattern.ts';

/**
 * A `FROM` with its `WHERE`: the rows of which `column` begins with one of the prefixes of a search pattern, by an index
 * on that column. No prefixes: all rows, because anything may come first. A prefix that begins another one would give
 * rows twice.
 */
export function fromPrefixes(table: ReturnType<typeof sql.identifier>, column: SQL, prefixes: readonly string[]): SQL {
  if (prefixes.length === 0) return sql`FROM ${table} WHERE TRUE`;
  const ranges = JSON.stringify(prefixes.map(rangeOf));
  // A text is less than any blob: that ends a range that has no other end.
  return sql`FROM (SELECT value AS span FROM json_each(${ranges})) CROSS JOIN ${table}
    WHERE ${column} >= json_extract(span, '$[0]') AND ${column} < COALESCE(json_extract(span, '$[1]'), x'')`;
}
