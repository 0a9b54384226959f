import { ServiceError } from '../lib/errors.ts';

/** A longer value counts as several. */
export const bytesOfOne = 200;

/** Values that are loaded at once. The next ones are loaded when these are sent. */
export const heaviestLot = 1500;

export const tooHeavy = (entries: number, most: number): ServiceError =>
  new ServiceError('bad-parameter', {
    context: 'parameter',
    id: 'number',
    explanation: `Expected a smaller page: its ${entries} entries have more than ${most} values (PORTICO_MAX_PAGE_VALUES), a long one counted once for ${bytesOfOne} bytes`,
  });

/**
 * The entries of a page in lots that are light to load. A page that weighs more than `most` values is refused, unless it
 * is of one entry: nobody can ask for a smaller one.
 */
export function lotsOf<T>(
  entries: readonly T[],
  weightOf: (entry: T) => number,
  most: number,
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
  if (ofPage > most && entries.length > 1) throw tooHeavy(entries.length, most);
  return lots;
}
