import type { Statement } from '../../../core/store/contract.ts';
import type { IndexDoc } from '../../../spi/index.ts';

export type { IndexedValue, IndexTexts as Texts } from '../../../spi/index.ts';

/** Document of an entity in the embedded index. */
export interface EmbeddedDoc extends IndexDoc {
  /** Words missing in `values`, from values that are too long. */
  readonly words: ReadonlySet<string>;
  /** True for long documents: `words` contains all words. */
  readonly hasAllWords: boolean;
  /** Numbers of the fields to be written. Undefined: all. */
  readonly changed: ReadonlySet<number> | undefined;
}

/** Index in the database of the service: statements run in the transaction of the change. */
export interface EmbeddedIndex {
  /** `lacking`: words of the batch that the dictionary may lack. Without it, all words are written. */
  apply(
    batch: readonly EmbeddedDoc[],
    lacking?: (words: ReadonlySet<string>) => readonly string[],
  ): readonly Statement[];
}
