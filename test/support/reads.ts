import type { Row } from '../../src/core/store/contract.ts';
import type { Store } from '../../src/core/store/store.ts';

/** Calls `around` in place of each read of the readers of callers. */
export function aroundReads(store: Store, around: (sql: string, read: () => Promise<Row[]>) => Promise<Row[]>): void {
  const open = store.reader;
  Object.assign(store, {
    reader: (caller: string) => {
      const reader = open(caller);
      return {
        ...reader,
        read: (...given: Parameters<typeof reader.read>) => around(given[0], async () => reader.read(...given)),
      };
    },
  });
}
