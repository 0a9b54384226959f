/** Values of a field: texts compare as bytes of UTF-8. Dates are milliseconds, time codes are seconds. */
export type EngineType = 'text' | 'integer' | 'decimal';

/** Values that are compared. Whole numbers beyond 53 bits are bigints. */
export type EngineValue = string | number | bigint;

/** Metadata field in documents and queries. */
export interface EngineField {
  /** Lower-case letters and digits that stay the same while the name and the type do. */
  readonly key: string;
  readonly name: string;
  readonly type: EngineType;
}

/** Tokens of one part of a document, as texts separated by blanks. They are compared as they are. */
export interface EngineTexts {
  /** Words of all fields for full text. The token `_gap` separates values, so no phrase spans two of them. */
  readonly words: string;
  /** Words by field, each behind the key of its field. */
  readonly fieldWords: string;
  /** Keys of exact values, and of fields with a value. */
  readonly keys: string;
}

export interface EngineDocumentValue {
  readonly field: EngineField;
  readonly value: EngineValue;
  /** Whether the value is outside of timespans, inside, or both. */
  readonly spans: 'untimed' | 'timed' | 'both';
  /** Text by which the value sorts, instead of itself. */
  readonly folded?: string;
}

/** Document of an item or a collection. */
export interface EngineDocument {
  /** Number of the entity. The highest is the newest. */
  readonly id: number;
  readonly entityId: string;
  readonly kind: 'item' | 'collection';
  /** Position of the change: a document with a lower one is older. */
  readonly position: number;
  /** Time of creation in milliseconds. */
  readonly created: number;
  /** Whether some of the metadata is timed. */
  readonly timed: boolean;
  /** Access context, by which queries name what a caller may read. */
  readonly context: number | null;
  /** Ids of the collections that have the entity as a member. */
  readonly collections: readonly string[];
  /** Ids of the libraries that have the item. */
  readonly libraries: readonly string[];
  readonly untimed: EngineTexts;
  readonly inTime: EngineTexts;
  readonly values: readonly EngineDocumentValue[];
}

/** Changes since the last batch, in the order of commits. */
export interface EngineBatch {
  /** Position of the last change in the batch. */
  readonly position: number;
  /** At most one for each entity. */
  readonly upserts: readonly EngineDocument[];
  /** Deleted entities, possibly unknown to the engine. */
  readonly deletes: readonly { readonly id: number; readonly position: number }[];
}

export interface EngineState {
  /** Position of the last batch that searches see. 0: there is no index for searches. */
  readonly position: number;
  /** Whether a second index is being built, which replaces the first. */
  readonly isBuilding: boolean;
  /** Number of documents that searches see. */
  readonly documents: number;
  /** Whether the index refuses changes, as on a full disk. Searches may go on. */
  readonly isReadOnly?: boolean;
  /** Version and state of the engine in one line, without addresses and secrets. */
  readonly says: string;
}

/** Values that a condition looks at: outside of timespans, inside, or all. */
export type EngineSpans = 'untimed' | 'timed' | 'all';

/** Token of a phrase. */
export interface EngineToken {
  readonly text: string;
  /** `start`: tokens that begin with the text. `pattern`: with `*` and `?`. `near`: within an edit distance. */
  readonly kind: 'word' | 'start' | 'pattern' | 'near';
  /** Number of edits of a near token: inserted, deleted or replaced characters. */
  readonly distance?: number;
  /** Characters at the beginning that must be equal in a near token. */
  readonly fixed?: number;
}

export type EngineTest =
  | { readonly is: 'some' }
  /** Any of several values. */
  | { readonly is: 'among'; readonly values: readonly EngineValue[] }
  /** Whole value, with `*` and `?`. */
  | { readonly is: 'like'; readonly pattern: string }
  | { readonly is: 'between'; readonly from?: EngineEnd; readonly to?: EngineEnd };

export interface EngineEnd {
  readonly value: EngineValue;
  /** True: exclusive end. */
  readonly open: boolean;
}

/** Criteria of a search. */
export type EngineCondition =
  | { readonly is: 'all' }
  | { readonly is: 'none' }
  | { readonly is: 'and' | 'or'; readonly of: readonly EngineCondition[] }
  | { readonly is: 'not'; readonly of: EngineCondition }
  /** Tokens one after the other. `slop`: tokens in any order, with at most so many others between. */
  | {
      readonly is: 'phrase';
      readonly in: 'words' | 'fieldWords';
      readonly spans: EngineSpans;
      readonly tokens: readonly EngineToken[];
      readonly slop?: number;
    }
  | { readonly is: 'key'; readonly key: string; readonly spans: EngineSpans }
  | { readonly is: 'value'; readonly field: EngineField; readonly spans: EngineSpans; readonly test: EngineTest }
  /** Number of the entity, or of its access context: one of `among`. */
  | { readonly is: 'number'; readonly of: 'id' | 'context'; readonly among: readonly number[] }
  /** Id of the entity, or of a collection or library of it: one of `among`. */
  | { readonly is: 'name'; readonly of: 'entityId' | 'collections' | 'libraries'; readonly among: readonly string[] }
  | { readonly is: 'kind'; readonly kind: 'item' | 'collection' }
  | { readonly is: 'timed' };

/** Sort key. Entities without a value come last in both directions. */
export interface EngineSort {
  /** `relevance`: the score of the phrases and the boosts. A field: its lowest value, or the highest if descending. */
  readonly by: 'relevance' | 'created' | 'id' | EngineField;
  readonly descending: boolean;
}

export type EngineKey = EngineValue | null;

export type EngineFacet = {
  /** Criteria instead of those of the search. */
  readonly where?: EngineCondition;
} & (
  | {
      /** The most frequent values. Among equal counts the lowest come first. */
      readonly is: 'values';
      readonly field: EngineField;
      readonly least: number;
      readonly max: number;
    }
  | {
      readonly is: 'ranges';
      readonly field: EngineField;
      readonly ranges: readonly { readonly from?: EngineEnd; readonly to?: EngineEnd }[];
    }
  /** Entities that meet each of further criteria. */
  | { readonly is: 'conditions'; readonly of: readonly EngineCondition[] }
);

/** Words of full text with a beginning, of entities that meet criteria. */
export interface EngineWords {
  readonly where: EngineCondition;
  readonly start: string;
  readonly max: number;
}

export interface EngineQuery {
  readonly where: EngineCondition;
  /** Scores of entities that meet a condition grow by the number. */
  readonly boosts: readonly { readonly where: EngineCondition; readonly by: number }[];
  /** Ends with `id`, which no two entities share. */
  readonly sort: readonly EngineSort[];
  /** Keys of the last entity of the page before, one for each sort key. */
  readonly after?: readonly EngineKey[];
  readonly offset: number;
  readonly limit: number;
  /** Whether the exact number of hits is needed. */
  readonly counts: boolean;
  readonly facets: readonly EngineFacet[];
}

export interface EngineHit {
  readonly id: number;
  readonly entityId: string;
  readonly keys: readonly EngineKey[];
}

export interface EngineAnswer {
  /** Position of the index that answered. An older one than expected is not believed. */
  readonly position: number;
  /** Undefined: not counted. */
  readonly hits: number | undefined;
  readonly page: readonly EngineHit[];
  /** Lists in the order of the facets: values with their counts, or a count for each range or condition. */
  readonly facets: readonly (readonly { readonly value?: EngineValue; readonly count: number }[])[];
}

/**
 * External search engine for the metadata of items and collections. `checkSearchEngine` of `portico/testing` checks the
 * contract.
 */
export interface SearchEngine {
  /** Part of the key of its progress in the database. */
  readonly name: string;
  /** `isBrief`: position and `isBuilding` alone are wanted, which the feed asks for before each batch. */
  state(isBrief?: boolean): Promise<EngineState>;
  /** Begins a second, empty index. A second index from before is dropped. */
  begin(): Promise<void>;
  /** Replaces the index for searches by the second one at once. Its position is that of the last batch. */
  finish(): Promise<void>;
  /**
   * Applies a batch to the index for searches and to the second one, if there is any. Searches see it afterwards. A
   * batch that failed, wholly or in part, is sent again: what is not newer than the engine has changes nothing.
   */
  apply(batch: EngineBatch): Promise<void>;
  /** True, or why the engine does not answer the query. */
  can(query: EngineQuery): true | string;
  /** Answers from the index for searches. An exception makes the service answer in another way. */
  search(query: EngineQuery, signal?: AbortSignal): Promise<EngineAnswer>;
  /** Words of the index for searches, those of most entities first. Among equal counts the lowest come first. */
  words(query: EngineWords, signal?: AbortSignal): Promise<readonly string[]>;
  close?(): Promise<void> | void;
}
