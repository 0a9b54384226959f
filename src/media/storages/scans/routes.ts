import type { Call } from '../../../http/call.ts';
import { done } from '../../../http/reply.ts';
import type { Route } from '../../../http/route.ts';
import type { MediaParts } from '../../parts.ts';
import { storageNamed, write } from '../kinds.ts';
import { noSuchStorage } from '../rules.ts';
import { nextSerials, scanAllNow, scanNow, storageThere } from '../store.ts';

/** Storages whose scans one commit asks for. */
const batch = 1000;

/** Files of this type of storage are never looked for. */
const unscanned = 'EXPORT';

export function rescanRoutes(parts: MediaParts): readonly Route[] {
  const { store, clock } = parts;

  async function scanAll(call: Call): Promise<void> {
    for (let after = -1; ; ) {
      const serials = await nextSerials(store, { after, limit: batch });
      const last = serials.at(-1)?.serial;
      if (last === undefined) return;
      await parts.commit({ changes: [scanAllNow({ after, last, now: clock.now() })], events: [] }, call);
      after = last;
    }
  }

  return [
    {
      method: 'POST',
      path: '/storage/rescan',
      says: 'Begins a scan of each storage.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call) {
        await scanAll(call);
        return done;
      },
    },
    {
      method: 'POST',
      path: '/storage/:storage/rescan',
      says: 'Begins a scan of a storage, also where scans are off. One that runs goes on.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id, type } = await storageNamed(store, params['storage']!);
        if (type === unscanned) return done;
        const changes = [storageThere({ id }, noSuchStorage(id)), scanNow({ id, now: clock.now() })];
        await parts.commit({ changes, events: [] }, call);
        return done;
      },
    },
  ];
}
