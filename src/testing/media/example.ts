import type { MediaSource, ProbeResult } from '../../spi/index.ts';

/** A small media file. */
export interface MediaExample {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What a prober finds out about it, as far as it matters: `{ format: 'au' }`. */
  readonly found?: Partial<ProbeResult>;
}

/** What a source of a suite was asked for. */
export interface CountedMedia extends MediaSource {
  readonly bytesRead: number;
}

/** As the service lends a file: exact ranges, and an error for others. */
export function mediaOf({ name, bytes }: Pick<MediaExample, 'name' | 'bytes'>, failure?: Error): CountedMedia {
  let bytesRead = 0;
  return {
    size: bytes.byteLength,
    name,
    get bytesRead() {
      return bytesRead;
    },
    async read({ from, end }) {
      if (failure) throw failure;
      if (from < 0 || from > end || end > bytes.byteLength) {
        throw Object.assign(new Error(`Expected a range within ${bytes.byteLength} bytes`), { kind: 'broken' });
      }
      bytesRead += end - from;
      return bytes.slice(from, end);
    },
  };
}

const kinds: readonly unknown[] = ['unsupported', 'broken', 'exhausted', 'aborted'];

export const hasMediaKind = (error: unknown): boolean => kinds.includes((Object(error) as { kind?: unknown }).kind);
