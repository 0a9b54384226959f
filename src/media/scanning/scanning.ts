import type { Check } from '../../room/house.ts';
import type { WorkKind } from '../../work/kind.ts';
import type { MediaParts } from '../parts.ts';
import { hashKind } from './hashing/kind.ts';
import { scanKind } from './turns/kind.ts';
import { stoppedScans } from './turns/store.ts';
import { createVerify } from './verifying/verify.ts';

/** Storages that a self-test names. */
const mostNamed = 20;

/** Scans of storages and the hashes of their files. */
export function openScanning(parts: MediaParts) {
  const { store } = parts;
  const workers: readonly WorkKind[] = [scanKind(parts), hashKind(parts)];
  const checks: readonly Check[] = [
    {
      name: 'scans',
      description: 'No scan of a storage waits for a person',
      async run() {
        const stopped = await stoppedScans(store, { limit: mostNamed });
        if (stopped.length === 0) return { status: 'ok' };
        return { status: 'warning', message: stopped.map(({ storageId, problem }) => `${storageId}: ${problem}`) };
      },
    },
  ];
  return { workers, checks, verify: createVerify(parts) };
}
