/** The words and keys of one part of an entity, as texts with blanks between. */
export interface IndexTexts {
  readonly words: string;
  /** Each with the key of its field in front. */
  readonly fieldWords: string;
  /** Of exact values and of fields that have one. */
  readonly keys: string;
}

export interface IndexedValue {
  readonly field: number;
  /** The value as JSON: a number with all its digits, or a text. */
  readonly json: string;
  /** 1: not timed. 2: timed. 3: both. */
  readonly spans: number;
  /** What sorts instead of it. */
  readonly folded?: string;
}

/** One entity as an index keeps it: plain data, the same for each engine. */
export interface IndexDoc {
  /** Of items the number in their id, of collections one behind those of all items. The highest is the newest. */
  readonly id: number;
  readonly entityId: string;
  readonly timed: boolean;
  readonly generic: IndexTexts;
  readonly inTime: IndexTexts;
  readonly values: readonly IndexedValue[];
  /** Every word, for wildcards. */
  readonly words: ReadonlySet<string>;
}

/** What changed behind the last batch, in the order of commits. */
export interface IndexBatch {
  /** Of the last change in it. */
  readonly position: number;
  readonly upserts: readonly IndexDoc[];
  /** Entities that are gone. One may never have come. */
  readonly deletes: readonly number[];
}

/** Another engine that is fed with the metadata of items and collections. `test/search/feed` checks what it promises. */
export interface SearchIndex {
  /** Under it the service remembers how far the index is. */
  readonly name: string;
  /** Of the last batch, kept together with what was in it. 0: the index is empty. */
  position(): Promise<number>;
  /**
   * Takes a whole batch and its position, or throws and takes nothing: then the same batch comes again. A batch that is
   * not behind the position changes nothing.
   */
  apply(batch: IndexBatch): Promise<void>;
  /** Forgets everything. The position is 0 from then on. */
  clear(): Promise<void>;
}
