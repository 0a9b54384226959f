import { ServiceError } from '../../core/lib/errors.ts';
import type { PreparedQuery, Reader, Values } from '../../core/store/statement.ts';

/** A longer value counts as several. */
export const bytesOfOne = 200;

/** Values that are loaded at once. The next ones are loaded when these are sent. */
export const heaviestLot = 1500;

export const tooHeavy = (entries: number, max: number, parameter = 'number'): ServiceError =>
  new ServiceError('bad-parameter', {
    context: 'parameter',
    id: parameter,
    explanation: `Expected a smaller page: its ${entries} entries have more than ${max} values (PORTICO_MAX_PAGE_VALUES), a long one counted once for ${bytesOfOne} bytes`,
  });

/**
 * Entries of a page in batches that are light to load. A page with more than `max` values is refused, unless it has a
 * single entry: it cannot be smaller.
 */
export function lotsOf<T>(
  entries: readonly T[],
  weightOf: (entry: T) => number,
  max: number,
): readonly (readonly T[])[] {
  const lots: T[][] = [];
  let ofLot = 0;
  let ofPage = 0;
  for (const entry of entries) {
    const weight = weightOf(entry);
    ofPage += weight;
    ofLot += weight;
    const lot = lots.at(-1);
    if (lot !== undefined && ofLot <= heaviestLot) lot.push(entry);
    else {
      lots.push([entry]);
      ofLot = weight;
    }
  }
  if (ofPage > max && entries.length > 1) throw tooHeavy(entries.length, max);
  return lots;
}

/** An entry above this share of the values of a page is left out before the page is refused. */
const heavyShare = 1 / 100;

/**
 * Batches of a page that goes on without the content of its heaviest entries where it has too many values: an entry of
 * somebody else refuses no list. So a page of at most a hundred entries is never refused.
 */
export function lotsThatFit<T>(entries: readonly T[], weightOf: (entry: T) => number, max: number) {
  const weights = new Map(entries.map((entry) => [entry, weightOf(entry)]));
  let ofPage = entries.reduce((sum, entry) => sum + weights.get(entry)!, 0);
  const leftOut = new Set<T>();
  const heavy =
    entries.length > 1 && ofPage > max ? [...weights].filter(([, weight]) => weight > max * heavyShare) : [];
  for (const [entry, weight] of heavy.toSorted(([, one], [, other]) => other - one)) {
    if (ofPage <= max) break;
    leftOut.add(entry);
    ofPage -= weight;
  }
  return { leftOut, lots: lotsOf(entries, (entry) => (leftOut.has(entry) ? 0 : weights.get(entry)!), max) };
}

/**
 * Rows of a page. Its bytes are counted first, so that no row of a refused page is loaded. `parameter`: the one by which
 * callers ask for fewer entries.
 */
export async function pageWithin<R, V extends Values>(
  query: PreparedQuery<R, V>,
  reader: Reader,
  values: V,
  max: number,
  parameter?: string,
): Promise<readonly R[]> {
  if (values['limit'] !== 1 && max < Number.POSITIVE_INFINITY) {
    const { rows, bytes } = await query.size(reader, values);
    if (rows > 1 && bytes / bytesOfOne > max) throw tooHeavy(rows, max, parameter);
  }
  return query(reader, values);
}
