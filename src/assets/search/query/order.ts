import type { ClosedIn, Condition } from '../viewer.ts';

export interface SortTerm {
  readonly value: Condition;
  /** Value without a text index, if different. */
  readonly unscored?: Condition;
  readonly descending: boolean;
  readonly nullable: boolean;
  readonly numeric: boolean;
  /** True: an index has the order, so pages are cheap. */
  readonly cheap: boolean;
  /** Metadata field of the values. */
  readonly field?: string;
  /** Entities where the caller may not read the field, and which therefore have no value. */
  readonly closed?: ClosedIn;
}

/** Relevance of a hit: the lowest is the best. */
export interface Relevance {
  readonly scored: Condition;
  readonly unscored: Condition;
}

/** Start of a page. */
export interface Keyset {
  readonly condition?: Condition;
  /** Number to continue after, if there are no terms. */
  readonly at?: number;
  readonly ascending: boolean;
}
