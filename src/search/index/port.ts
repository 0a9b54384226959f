import type { Statement } from '../../store/contract.ts';

/** The words and keys of one part of an entity, as texts with blanks between. */
export interface Texts {
  readonly words: string;
  /** Each with the key of its field in front. */
  readonly fieldWords: string;
  readonly keys: string;
}

export interface IndexedValue {
  readonly field: number;
  /** The value as JSON: a number with all its digits, or a text. */
  readonly json: string;
  /** 1: not timed. 2: timed. 3: both. */
  readonly spans: number;
  readonly folded?: string;
}

/** One entity as an index keeps it: plain data, so that another engine can be fed with the same. */
export interface IndexDoc {
  readonly id: number;
  readonly entityId: string;
  readonly timed: boolean;
  readonly generic: Texts;
  readonly inTime: Texts;
  readonly values: readonly IndexedValue[];
  /** Every word, for wildcards. */
  readonly words: ReadonlySet<string>;
}

/** What is fed by commits. The embedded index gives statements, which run in the transaction of the change. */
export interface SearchIndex {
  apply(batch: readonly IndexDoc[]): readonly Statement[];
}
