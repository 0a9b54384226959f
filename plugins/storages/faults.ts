import type { StorageErrorKind } from '../../src/spi/index.ts';

/** Storage error in the form for drivers. */
export class StorageFault extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const fault = (kind: StorageErrorKind, message: string): StorageFault => new StorageFault(kind, message);

export const senderGone = (): StorageFault => fault('aborted', 'The sender went away');

export const faultKind = (error: unknown): unknown => (Object(error) as { readonly kind?: unknown }).kind;

/** Storage errors by kind of a failed call. `connect` and the like may be temporary. */
const kinds: ReadonlyMap<unknown, StorageErrorKind> = new Map<string, StorageErrorKind>([
  ['bad-url', 'failed'],
  ['blocked', 'denied'],
  ['dns', 'offline'],
  ['connect', 'offline'],
  ['tls', 'offline'],
  ['timeout', 'offline'],
  ['too-large', 'failed'],
  ['aborted', 'aborted'],
  ['answer', 'offline'],
]);

/** Storage fault for a failed call. Its sentence names only the host of the address. Other errors are hidden. */
export function faultOfCall(error: unknown): StorageFault {
  if (error instanceof StorageFault) return error;
  const kind = kinds.get(faultKind(error));
  if (kind === 'aborted') return fault('aborted', 'The caller went away');
  const message = kind && error instanceof Error ? error.message : 'Expected an answer of the storage';
  return fault(kind ?? 'offline', message);
}

/** Returns undefined instead of an error for a missing file. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (faultKind(error) === 'not-found') return undefined;
    throw error;
  }
}
