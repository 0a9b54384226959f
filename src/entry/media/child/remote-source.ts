import type { ByteRange, MediaSource } from '../../../spi/index.ts';
import type { QuestionSource } from './messages.ts';

/** Bytes that the service sends to its media process, and lends to it. */
export function remoteSource({ size, name, head = '', url }: QuestionSource): MediaSource {
  const sent = new Uint8Array(Buffer.from(head, 'base64'));
  return {
    size,
    ...(name !== undefined && { name }),
    async read(range) {
      if (range.end <= sent.byteLength) return sent.slice(range.from, range.end);
      return fetched(url, range);
    },
  };
}

async function fetched(url: string | undefined, { from, end }: ByteRange): Promise<Uint8Array> {
  if (from === end) return new Uint8Array();
  if (url === undefined) throw new Error('Expected to read no more than what was sent');
  const answer = await fetch(url, { headers: { range: `bytes=${from}-${end - 1}` } });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status === 206 && bytes.byteLength === end - from) return bytes;
  throw new Error(`Expected ${end - from} bytes of the media: found the status ${answer.status}`);
}
