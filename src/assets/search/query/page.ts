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
}

/** Rows of a page, and the total if counted. */
export interface PageAndHits {
  rows(): readonly HitRow[];
  readonly hits: number | undefined;
  /** Ids of the rows if these have only ids and numbers, since most answers need no rows. */
  readonly ids?: readonly string[];
  /** Cursor of the next page, of a list. */
  readonly next?: string | undefined;
  /** Row after which the next page begins. */
  readonly last: Pick<HitRow, 'number' | 'keys'> | undefined;
}

export const noKeys: readonly null[] = [];

/** Page of entities of one kind without sort keys. Rows are created on demand. */
export function plainPage(kind: IndexedKind, ids: readonly string[], hits: number | undefined): PageAndHits {
  const last = ids.at(-1);
  return {
    hits,
    ids,
    last: last === undefined ? undefined : { number: numberOf(kind, last), keys: noKeys },
    rows: () => ids.map((id) => ({ number: numberOf(kind, id), id, keys: noKeys, start: undefined, end: undefined })),
  };
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
  /** Number to continue after, if there are no terms. */
  readonly at?: number;
  readonly ascending: boolean;
}
