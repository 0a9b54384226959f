import type { Condition } from '../viewer.ts';

/** One of the values that a search sorts by. */
export interface SortTerm {
  readonly value: Condition;
  readonly descending: boolean;
  readonly nullable: boolean;
  readonly numeric: boolean;
  /** An index has the order: a page of it costs nothing. */
  readonly cheap: boolean;
}

/** Where a page begins. */
export interface Keyset {
  readonly condition?: Condition;
  readonly ascending: boolean;
}
