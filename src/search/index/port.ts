import type { IndexDoc } from '../../spi/index.ts';
import type { Statement } from '../../store/contract.ts';

export type { IndexDoc, IndexedValue, IndexTexts as Texts } from '../../spi/index.ts';

/** One entity as the embedded index keeps it. */
export interface EmbeddedDoc extends IndexDoc {
  /** Words that `values` do not tell: those of values that are too long for it. */
  readonly words: ReadonlySet<string>;
  /** It is long: `words` are all of its words. */
  readonly hasAllWords: boolean;
  /** The numbers of the fields whose values the index has to write: it has those of others. Undefined: of all. */
  readonly changed: ReadonlySet<number> | undefined;
}

/** The index in the database of the service: its statements run in the transaction of the change. */
export interface EmbeddedIndex {
  /** `lacking`: which of the words that come the dictionary may lack. Without it, all words of the batch are written. */
  apply(
    batch: readonly EmbeddedDoc[],
    lacking?: (words: ReadonlySet<string>) => readonly string[],
  ): readonly Statement[];
}
