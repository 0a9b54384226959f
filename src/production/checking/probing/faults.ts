import type { MediaErrorKind } from '../../../spi/index.ts';

/** Media error of the service. Probers of plugins may throw any Error with such a `kind`. */
export class MediaFault extends Error {
  override readonly name = 'MediaError';
  readonly kind: MediaErrorKind;

  constructor(kind: MediaErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const kinds: ReadonlySet<unknown> = new Set<MediaErrorKind>(['unsupported', 'broken', 'exhausted', 'aborted']);

/** Undefined: the media is not to blame. */
export function mediaKindOf(error: unknown): MediaErrorKind | undefined {
  const { kind } = (error ?? {}) as { readonly kind?: unknown };
  return kinds.has(kind) && (error as Error).name !== 'StorageError' ? (kind as MediaErrorKind) : undefined;
}
