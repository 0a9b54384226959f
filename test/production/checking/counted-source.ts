import type { ByteRange, MediaSource } from '../../../src/spi/index.ts';

/** Bytes as a source of media, and what was read of them. */
export function sourceOf(bytes: Uint8Array, name = 'a') {
  const ranges: ByteRange[] = [];
  const source: MediaSource = {
    size: bytes.byteLength,
    name,
    async read(range) {
      ranges.push(range);
      return bytes.slice(range.from, range.end);
    },
  };
  return { source, ranges };
}
