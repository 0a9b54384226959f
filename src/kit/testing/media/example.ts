import type { MediaSource, ProbeResult } from '../../../spi/index.ts';

/** A small media file. */
export interface MediaExample {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Expected result of a prober, as a partial document: `{ format: 'au' }`. */
  readonly found?: Partial<ProbeResult>;
}

/** Media source that counts the bytes read. */
interface CountedMedia extends MediaSource {
  readonly bytesRead: number;
}

/** Media source with the behaviour of the service: exact ranges, and errors for invalid ones. */
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
