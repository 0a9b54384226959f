import { isChanged } from '../../../core/lib/retry-when-changed.ts';
import { type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';

/** Commits one step of work. Conflicts with other instances are left to the next step. False: nothing is left. */
export async function commitStep(store: Store, changes: readonly Statement[] | undefined): Promise<boolean> {
  if (!changes) return false;
  try {
    await store.commit({ changes, events: [] }, systemActor);
  } catch (error) {
    if (!isChanged(error)) throw error;
  }
  return true;
}
