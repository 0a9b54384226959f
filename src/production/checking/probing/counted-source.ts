import { joined } from '../../../core/lib/bytes.ts';
import type { ByteRange, MediaSource } from '../../../spi/index.ts';
import { MediaFault } from './faults.ts';

/** A source that ends when its budget does. It keeps the first bytes, which every prober looks at. */
interface CountedSource extends MediaSource {
  readonly bytesRead: number;
  /** Whether the byte budget is exhausted. */
  readonly isSpent: boolean;
  /** Error of the source, in contrast to a fault of the media. */
  readonly fault: { readonly error: unknown } | undefined;
}

/** Bytes that are read of every file. */
export const headBytes = 65_536;

export function countedSource(source: MediaSource, maxBytes: number, signal: AbortSignal): CountedSource {
  let [bytesRead, isSpent] = [0, false];
  let head: Promise<Uint8Array> | undefined;
  let fault: { readonly error: unknown } | undefined;

  async function fetchRange(range: ByteRange): Promise<Uint8Array> {
    if (signal.aborted) throw new MediaFault('aborted', 'Expected to be asked on: the job ends');
    const length = range.end - range.from;
    if (bytesRead + length > maxBytes) {
      isSpent = true;
      throw new MediaFault('exhausted', `Expected to know the file after ${maxBytes} bytes of it`);
    }
    bytesRead += length;
    try {
      const bytes = await source.read(range);
      if (bytes.byteLength === length) return bytes;
      throw new Error(`Expected ${length} bytes of the file: found ${bytes.byteLength}`);
    } catch (error) {
      fault ??= { error };
      throw error;
    }
  }

  return {
    size: source.size,
    ...(source.name !== undefined && { name: source.name }),
    get bytesRead() {
      return bytesRead;
    },
    get isSpent() {
      return isSpent;
    },
    get fault() {
      return fault;
    },
    async read({ from, end }) {
      if (from < 0 || end > source.size || from > end) {
        throw new MediaFault('broken', `Expected a file of more than its ${source.size} bytes`);
      }
      const top = Math.min(headBytes, source.size);
      if (from >= top && end > top) return fetchRange({ from, end });
      head ??= fetchRange({ from: 0, end: top });
      const cut = (await head).slice(from, end);
      return end > top ? joined([cut, await fetchRange({ from: top, end })]) : cut;
    },
  };
}
