import type { WorkKind } from '../../work/kind.ts';
import type { MediaParts } from '../parts.ts';
import { hashKind } from './hashing/kind.ts';
import { scanKind } from './turns/kind.ts';
import { createVerify } from './verifying/verify.ts';
import { openWatching } from './watching/kind.ts';

/** Scans of storages and the hashes of their files. */
export function openScanning(parts: MediaParts) {
  const watching = openWatching(parts);
  const workers: readonly WorkKind[] = [scanKind(parts), hashKind(parts), watching.kind];
  return { workers, verify: createVerify(parts), close: watching.close };
}
