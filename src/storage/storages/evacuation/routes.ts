import type { Maybe } from '../../../core/lib/maybe.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Call } from '../../../http/call.ts';
import { type Route, route } from '../../../http/route.ts';
import type { MediaParts } from '../../parts.ts';
import { hasOther } from '../../rules/choose.ts';
import { storageNamed, write } from '../kinds.ts';
import type { StorageRow } from '../store.ts';
import { beginEvacuation, cancelEvacuation } from './rules.ts';

export function evacuationRoutes(parts: MediaParts): readonly Route[] {
  const { store } = parts;
  const path = '/storage/:storage/evacuate';

  const change = (call: Call, name: string, decide: (row: StorageRow) => Maybe<CommitPlan>): Promise<void> =>
    retryWhenChanged(async () => {
      const work = await decide(await storageNamed(store, name));
      if (work.changes.length > 0) await call.commit(work);
    });

  return [
    route({
      method: 'PUT',
      path,
      says: 'Evacuates a storage: moves all its files to other storages. It takes no new files.',
      access: write,
      acting: 'allowed',
      handle: (call, { storage }) =>
        change(call, storage, async (row) => beginEvacuation(row, await hasOther(call.reader, row.id))),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Cancels the evacuation of a storage, which takes new files again. Moved files stay moved.',
      access: write,
      acting: 'allowed',
      handle: (call, { storage }) => change(call, storage, cancelEvacuation),
    }),
  ];
}
