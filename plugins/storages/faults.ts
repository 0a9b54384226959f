import type { StorageErrorKind } from '../../src/spi/index.ts';

/** An error as the service expects it of drivers. */
export class StorageFault extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const fault = (kind: StorageErrorKind, message: string): StorageFault => new StorageFault(kind, message);

export const kindOf = (error: unknown): unknown => (Object(error) as { readonly kind?: unknown }).kind;

/** What a failed call means for a storage. `connect` and its like may pass by themselves. */
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

/** Of an error that a call ended with. Its sentence names the host and nothing else of the address; of any other error nothing is told. */
export function faultOfCall(error: unknown): StorageFault {
  if (error instanceof StorageFault) return error;
  const kind = kinds.get(kindOf(error));
  if (kind === 'aborted') return fault('aborted', 'The caller went away');
  const message = kind && error instanceof Error ? error.message : 'Expected an answer of the storage';
  return fault(kind ?? 'offline', message);
}

/** Undefined instead of an error that says that there is no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (kindOf(error) === 'not-found') return undefined;
    throw error;
  }
}
