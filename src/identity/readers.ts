import { isShort } from '../entities/key-values/store.ts';
import { accountOf, type Call } from '../http/call.ts';
import type { Page } from '../http/parameters/page.ts';
import type { LimitedReader, Reader } from '../store/statement.ts';
import type { Store } from '../store/store.ts';

/** Who reads for one request. A short read on the serving thread costs half of what it costs to ask a thread. */
export interface Readers {
  /** The serving thread, for what is known to be small. */
  readonly here: Reader;
  /** Reader threads, in the share of the caller. */
  readonly threads: LimitedReader;
  /** For the rows of a page in the order of an index. */
  forRows(page: Page): Reader;
}

export function readersOf(store: Store, call: Call): Readers {
  const threads = store.reader(accountOf(call));
  return { here: store, threads, forRows: (page) => (isShort(page) ? store : threads) };
}
