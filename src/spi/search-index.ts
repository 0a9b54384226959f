/** Words and keys of one part of an entity, as texts separated by blanks. */
export interface IndexTexts {
  readonly words: string;
  /** Words prefixed with the key of their field. */
  readonly fieldWords: string;
  /** Keys of exact values, and of fields with a value. */
  readonly keys: string;
}

export interface IndexedValue {
  readonly field: number;
  /** Value as JSON: a text, or a number with all its digits. */
  readonly json: string;
  /** 1: not timed. 2: timed. 3: both. */
  readonly spans: number;
  /** Sort key that replaces the value. */
  readonly folded?: string;
}

/** Index document of an entity: plain data, the same for all engines. */
export interface IndexDoc {
  /**
   * Numeric id: for items the number in their id, for collections a number behind all items. The highest is the newest.
   */
  readonly id: number;
  readonly entityId: string;
  readonly timed: boolean;
  readonly generic: IndexTexts;
  readonly inTime: IndexTexts;
  readonly values: readonly IndexedValue[];
  /** All words, for wildcards. */
  readonly words: ReadonlySet<string>;
}

/** Changes since the last batch, in the order of commits. */
export interface IndexBatch {
  /** Position of the last change in the batch. */
  readonly position: number;
  readonly upserts: readonly IndexDoc[];
  /** Deleted entities, possibly unknown to the index. */
  readonly deletes: readonly number[];
}

/** External search engine for the metadata of items and collections. `test/assets/search/feed` checks its contract. */
export interface SearchIndex {
  /** Key of the stored position. */
  readonly name: string;
  /** Position of the last batch, stored atomically with its changes. 0: the index is empty. */
  position(): Promise<number>;
  /**
   * Applies a batch with its position atomically. After an exception the same batch is sent again. A batch that is not
   * newer than the position changes nothing.
   */
  apply(batch: IndexBatch): Promise<void>;
  /** Deletes all documents. The position is 0 afterwards. */
  clear(): Promise<void>;
}
