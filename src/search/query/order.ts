import type { ClosedIn, Condition } from '../viewer.ts';

/** One of the values that a search sorts by. */
export interface SortTerm {
  readonly value: Condition;
  /** The same where no text index is read, if it differs. */
  readonly unscored?: Condition;
  readonly descending: boolean;
  readonly nullable: boolean;
  readonly numeric: boolean;
  /** An index has the order: a page of it costs nothing. */
  readonly cheap: boolean;
  /** The field of metadata whose values these are. */
  readonly field?: string;
  /** Where the caller may not read it: an entity has no value there. */
  readonly closed?: ClosedIn;
}

/** The worth of a hit: the lowest is the best. */
export interface Relevance {
  readonly scored: Condition;
  readonly unscored: Condition;
}

/** Where a page begins. */
export interface Keyset {
  readonly condition?: Condition;
  /** Where no term decides: behind this number. */
  readonly at?: number;
  readonly ascending: boolean;
}
