/** True in `npm run test:long`: suites that import this module then run in their long form. */
export const isLong = process.env['PORTICO_LONG'] !== undefined;

/** All rows in the long form, otherwise every row whose number leaves `rest` after a division by `share`. */
export const shareOfRows = <T>(share: number, rows: readonly T[], rest = 0): readonly T[] =>
  isLong ? rows : rows.filter((_, index) => index % share === rest % share);

/** Tries of a search with random inputs: all in the long form, otherwise one of so many. */
export const shareOfTries = (share: number, tries: number): number => (isLong ? tries : Math.ceil(tries / share));

/** Seconds of each search for a failing input. Without any, a suite makes a fixed number of tries. */
export const fuzzSeconds = Number(process.env['PORTICO_FUZZ_SECONDS'] ?? (isLong ? 2 : 0));
