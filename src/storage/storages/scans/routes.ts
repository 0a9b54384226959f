import { changing } from '../../../core/store/commit-plan.ts';
import type { Call } from '../../../http/call.ts';
import { flag } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { MediaParts } from '../../parts.ts';
import { acceptScan, scanAgain, scanAllAgain } from '../../scanning/turns/store.ts';
import { storageAt, write } from '../kinds.ts';
import { nextSerials, scanAllNow, scanNow } from '../store.ts';

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
      const changes = [scanAllNow({ after, last, now: clock.now() }), scanAllAgain({ after, last })];
      await call.commit({ changes, events: [] });
      after = last;
    }
  }

  return [
    route({
      method: 'POST',
      path: '/storage/rescan',
      says: 'Starts a scan of each storage.',
      access: write,
      acting: 'allowed',
      handle: scanAll,
    }),
    route({
      method: 'POST',
      path: '/storage/:storage/rescan',
      says: 'Starts a scan of a storage, also if scans are off. A running scan continues. A scan that waits for approval starts again.',
      entities: { storage: storageAt(store) },
      query: {
        confirm: flag('Approves the scan: missing files are lost, and another file system is correct', false),
      },
      access: write,
      acting: 'allowed',
      async handle(call, { storage: { id, type } }) {
        if (type === unscanned) return;
        const now = clock.now();
        const anew = call.query.confirm ? acceptScan({ id, now }) : scanAgain({ id });
        await call.commit(changing(scanNow({ id, now }), anew));
      },
    }),
  ];
}
