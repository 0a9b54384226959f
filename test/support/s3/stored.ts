import { createHash } from 'node:crypto';

export interface Stored {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly at: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** As a network brings them. */
export function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.slice(at, at + 65_536));
        at += 65_536;
      },
    },
    { highWaterMark: 0 },
  );
}
