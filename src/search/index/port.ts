import type { IndexDoc } from '../../spi/index.ts';
import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';

export type { IndexDoc, IndexedValue, IndexTexts as Texts } from '../../spi/index.ts';

/** One entity as the embedded index keeps it. */
export interface EmbeddedDoc extends IndexDoc {
  /** Words that `values` do not tell: those of values that are too long for it. */
  readonly words: ReadonlySet<string>;
  /** It is long: `words` are all of its words. */
  readonly hasAllWords: boolean;
}

/** What the index has of the values of an entity. Each time that they are written, the version counts one up. */
export interface Had {
  readonly rows: string;
  readonly version: number;
}

/** The index in the database of the service: its statements run in the transaction of the change. */
export interface EmbeddedIndex {
  /** What it has of the values of these entities. */
  rowsOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Had>>;
  /**
   * `had`: what `rowsOf` gave for entities of the batch. It may be old by now, or empty for entities that are new.
   * `lacking`: which of the words that come the dictionary may lack. Without it, all words of the batch are written.
   */
  apply(
    batch: readonly EmbeddedDoc[],
    had: ReadonlyMap<number, Had>,
    lacking?: (words: ReadonlySet<string>) => readonly string[],
  ): readonly Statement[];
}
