import { inByteOrder } from '../../lib/byte-order.ts';
import type { Reduced, Row, Tally } from '../contract.ts';
import { distinct } from './distinct.ts';

/** Distinct texts of a JSON array with their frequency, the most frequent first. */
export function tallied([row]: readonly Row[], { least, most, atMost }: Tally): Row[] {
  const texts = JSON.parse(String(row?.[0] ?? '[]')) as readonly (string | null)[];
  if (texts.length > atMost) return [];
  const counts = new Map<string, number>();
  for (const text of texts) {
    if (text === null) return [];
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count >= least);
  const sorted = frequent.sort(([one, many], [other, more]) => more - many || inByteOrder(one, other));
  return sorted.slice(0, most);
}

/** Reduces the JSON array on the reader thread. */
export const reduced = (rows: readonly Row[], how: Reduced): Row[] =>
  'least' in how ? tallied(rows, how) : distinct(rows, how);
