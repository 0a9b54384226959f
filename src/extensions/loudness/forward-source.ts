import type { ByteRange, MediaSource, Transcoded } from '../../spi/index.ts';

/** A finished file that is read from its beginning to its end, as media. To go back in it begins anew. */
export function forwardSource({ size, body }: Pick<Transcoded, 'size' | 'body'>): MediaSource & {
  close(): Promise<void>;
} {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Bytes that were read and not given, and where they stand. */
  let rest = new Uint8Array();
  let at = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function close(): Promise<void> {
    await reader?.cancel().catch(() => undefined);
    reader = undefined;
    rest = new Uint8Array();
    at = 0;
  }

  async function take({ from, end }: ByteRange): Promise<Uint8Array> {
    if (from < at) await close();
    reader ??= body().getReader();
    const bytes = new Uint8Array(end - from);
    while (at < end) {
      if (rest.byteLength === 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`Expected ${size} bytes from the transcoder: found ${at}`);
        rest = value as Uint8Array<ArrayBuffer>;
      }
      const used = Math.min(rest.byteLength, (at < from ? from : end) - at);
      if (at >= from) bytes.set(rest.subarray(0, used), at - from);
      rest = rest.subarray(used);
      at += used;
    }
    return bytes;
  }

  return {
    size,
    name: 'sound.mkv',
    /** Reads in sequence, since the file has a single position. */
    read(range) {
      const turn = last.then(() => take(range));
      last = turn.catch(() => undefined);
      return turn;
    },
    close,
  };
}
