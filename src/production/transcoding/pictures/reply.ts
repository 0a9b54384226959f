import { bytesReply } from '../../../http/bytes.ts';
import type { Reply } from '../../../http/reply.ts';

interface ShownPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly version: string;
  readonly modified?: number;
}

/** A picture as bytes. `hash`: version that the address names. */
export function pictureReply(
  { request }: { readonly request: Request },
  { bytes, ...picture }: ShownPicture,
  hash: string | undefined,
): Promise<Reply> {
  // Cacheable for a year: a changed picture has another version.
  const caching = hash === picture.version ? 'private, max-age=31536000, immutable' : 'private, max-age=60';
  return bytesReply(request, {
    ...picture,
    size: bytes.byteLength,
    headers: { 'x-content-type-options': 'nosniff', 'cache-control': caching },
    open: (from, end) => streamOf(bytes.slice(from, end)),
  });
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
