/**
 * Result of the bench: a ratio measured in this run, with its bound where there is one, or a figure to compare over
 * time.
 */
export interface Row {
  readonly name: string;
  readonly ratio?: number;
  readonly floor?: number;
  /** For costs: the most that the ratio may be. */
  readonly ceiling?: number;
  readonly perSecond?: number;
  readonly value?: number;
}

export const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
