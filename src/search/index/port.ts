import type { IndexDoc } from '../../spi/index.ts';
import type { Statement } from '../../store/contract.ts';

export type { IndexDoc, IndexedValue, IndexTexts as Texts } from '../../spi/index.ts';

/** The index in the database of the service: its statements run in the transaction of the change. */
export interface EmbeddedIndex {
  apply(batch: readonly IndexDoc[]): readonly Statement[];
}
