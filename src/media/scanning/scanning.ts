import type { WorkKind } from '../../work/kind.ts';
import type { MediaParts } from '../parts.ts';
import { hashKind } from './hashing/kind.ts';
import { scanKind } from './turns/kind.ts';
import { createVerify } from './verifying/verify.ts';

/** Scans of storages and the hashes of their files. */
export function openScanning(parts: MediaParts) {
  const workers: readonly WorkKind[] = [scanKind(parts), hashKind(parts)];
  return { workers, verify: createVerify(parts) };
}
