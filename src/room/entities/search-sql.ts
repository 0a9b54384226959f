import { type SQL, sql } from 'drizzle-orm';
import { rangeOf } from '../../core/lib/search-pattern.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import type { Database } from '../../core/store/contract.ts';

/** Limits of a search by patterns, for all kinds of entities. */
export interface SearchBounds {
  /** Number of compared values. */
  readonly values: number;
  /** Bytes that it compares, each times the bytes of the longest part of a pattern that may stand anywhere. */
  readonly steps: number;
  /** Characters of a value that it compares. */
  readonly text: number;
  /** Characters of a pattern. */
  readonly pattern: number;
}

type SearchSettings = Pick<CoreSettings, 'maxSearchWork' | 'maxSearchSteps' | 'maxSearchText' | 'maxSearchPattern'>;

/** A database in memory searches on the serving thread, so one search must end within a few milliseconds. */
const inMemory = { values: 10_000, steps: 3_000_000 };

export function boundsFor(kind: Database['kind'], settings: SearchSettings): SearchBounds {
  const max = kind === 'memory' ? inMemory : { values: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
  return {
    values: Math.min(settings.maxSearchWork, max.values),
    steps: Math.min(settings.maxSearchSteps, max.steps),
    text: settings.maxSearchText,
    pattern: settings.maxSearchPattern,
  };
}

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
