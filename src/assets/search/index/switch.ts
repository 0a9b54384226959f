import { systemActor } from '../../../core/store/contract.ts';
import type { SearchContext } from '../parts.ts';
import { dropIndex, indexRows, queue } from './reindex-sql.ts';

type SwitchContext = Pick<SearchContext, 'store' | 'clock'>;

/** Deletes the embedded index, since commits do not write it any more. */
export async function clearIndex({ store }: SwitchContext): Promise<void> {
  const row = await indexRows(store, {});
  if (row?.hasRows !== 1 && row?.isCleared === 1) return;
  await store.commit({ changes: dropIndex.map((drop) => drop({})), events: [] }, systemActor);
}

/** Begins to build the embedded index again after it was deleted. Searches are refused until it is complete. */
export async function restoreIndex({ store, clock }: SwitchContext): Promise<void> {
  const row = await indexRows(store, {});
  if (row?.isCleared !== 1) return;
  const now = clock.now();
  const changes = ['item', 'collection'].map((name) => queue({ name, priority: 500, now }));
  await store.commit({ changes, events: [] }, systemActor);
}
