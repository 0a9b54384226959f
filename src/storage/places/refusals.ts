import { type ErrorCode, ServiceError } from '../../core/lib/errors.ts';
import type { StorageErrorKind } from '../../spi/index.ts';

/** Storage error of a built-in driver. Drivers of plugins may throw any Error with such a `kind`. */
export class DriverError extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** The answer to a caller for each kind of failure. Clients retry 503, so only what may pass by itself is one. */
const codes: Readonly<Record<StorageErrorKind, ErrorCode>> = {
  'not-found': 'no-such-entity',
  exists: 'file-exists',
  offline: 'storage-offline',
  denied: 'storage-denied',
  'no-space': 'no-space',
  'bad-path': 'bad-value',
  range: 'range-outside',
  changed: 'changed-meanwhile',
  aborted: 'body-broken',
  unsupported: 'storage-unable',
  failed: 'storage-failed',
};

/** Kinds of failures that may be temporary. */
const again: ReadonlySet<StorageErrorKind> = new Set(['offline', 'failed']);

const isKind = (kind: unknown): kind is StorageErrorKind => typeof kind === 'string' && Object.hasOwn(codes, kind);

/** Kind of a driver's failure. Unknown errors count as `failed`. */
export function kindOfFailure(error: unknown): StorageErrorKind {
  const { kind } = (error ?? {}) as { readonly kind?: unknown };
  return isKind(kind) ? kind : 'failed';
}

/** Error document for a driver's failure. A ServiceError stays as it is. */
export function storageRefusal(
  error: unknown,
  about: { readonly storage: string; readonly path?: string },
): ServiceError {
  if (error instanceof ServiceError) return error;
  const kind = kindOfFailure(error);
  const message = error instanceof Error ? error.message : String(error);
  const detail =
    kind === 'not-found' ? { type: 'File', id: about.path ?? '' } : { context: 'storage', id: about.storage };
  const explanation = message.slice(0, 300);
  return new ServiceError(codes[kind], { ...detail, explanation }, again.has(kind) ? { 'retry-after': '30' } : {});
}
