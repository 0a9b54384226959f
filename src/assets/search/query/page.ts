import type { ClosedIn, Condition } from '../../access/public-reading.ts';
import { type IndexedKind, numberOf } from '../index/keys.ts';
import type { FieldForm } from '../index/values.ts';
import type { Fact } from './ast.ts';

/** Row of a hit, with sort keys as text. */
export interface HitRow {
  readonly number: number;
  readonly id: string;
  readonly keys: readonly (string | null)[];
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** Place among the timespans of the entity. Undefined: no timespan. */
  readonly place: number | undefined;
}

/** Whether hits are counted. A number: among so many matches of an index, before rights and other criteria. */
export type Counting = boolean | number;

/** Number of hits. */
export interface Total {
  readonly hits: number;
  /** True: a bound left matches out, so there may be more. */
  readonly mayBeMore?: boolean;
}

/** Rows of a page, and the total if counted. */
export interface PageAndHits extends Partial<Total> {
  rows(): readonly HitRow[];
  /** Ids of the rows if these have only ids and numbers, since most answers need no rows. */
  readonly ids?: readonly string[];
}

export const noKeys: readonly null[] = [];

/** Page of entities of one kind without sort keys. Rows are created on demand. */
export function plainPage(kind: IndexedKind, ids: readonly string[], total: Partial<Total>): PageAndHits {
  return {
    ...total,
    ids,
    rows: () =>
      ids.map((id) => ({
        ...{ number: numberOf(kind, id), id, keys: noKeys },
        ...{ start: undefined, end: undefined, place: undefined },
      })),
  };
}

/** Limits of the values of a facet: count of each, and their number. */
export interface ValueLimits {
  readonly minCount: number;
  readonly max: number;
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** Meaning of a sort key, for engines. */
type SortBy = 'id' | 'created' | 'relevance' | 'place' | 'fact' | FieldForm;

export interface SortTerm {
  readonly by: SortBy;
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
  /** Fact of the values, or the collection in which they are places. */
  readonly fact?: Fact;
  readonly membersOf?: string;
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
  /** Number to continue after, if there are no terms. Entities with timespans have the condition, too. */
  readonly at?: number;
  readonly ascending: boolean;
}
