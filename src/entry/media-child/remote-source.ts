import type { ByteRange, MediaSource } from '../../spi/index.ts';
import type { Asked } from './messages.ts';

/** Bytes that the service lends to its media process. */
export const remoteSource = ({ url, size, name }: Asked['source']): MediaSource => ({
  size,
  ...(name !== undefined && { name }),
  async read({ from, end }: ByteRange) {
    if (from === end) return new Uint8Array();
    const answer = await fetch(url, { headers: { range: `bytes=${from}-${end - 1}` } });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 206 && bytes.byteLength === end - from) return bytes;
    throw new Error(`Expected ${end - from} bytes of the media: found the status ${answer.status}`);
  },
});
