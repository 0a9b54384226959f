import type { Maybe } from '../core/lib/maybe.ts';
import type { Part } from './ranges.ts';

interface Ranged {
  readonly parts: readonly Part[];
  readonly size: number;
  readonly type: string;
  readonly boundary: string;
  open(part: Part): Maybe<ReadableStream<Uint8Array>>;
}

const utf8 = new TextEncoder();

/** Several ranges in one body (RFC 9110, 14.6): each behind a head of its own, opened when its turn comes. */
export function multipartRanges({ parts, size, type, boundary, open }: Ranged) {
  const heads = parts.map(({ from, end }, index) => {
    const range = `Content-Range: bytes ${from}-${end - 1}/${size}`;
    return utf8.encode(`${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${type}\r\n${range}\r\n\r\n`);
  });
  const tail = utf8.encode(`\r\n--${boundary}--\r\n`);
  const sent = parts.reduce((sum, { from, end }) => sum + end - from, 0);
  const framing = heads.reduce((sum, head) => sum + head.byteLength, tail.byteLength);

  /** `first` is open already, so that what cannot be read is refused before the answer begins. */
  function body(first: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    let index = 0;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined = first.getReader();
    let headDue = true;
    let gone = false;

    async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      if (headDue) {
        headDue = false;
        return controller.enqueue(heads[index]!);
      }
      reader ??= (await open(parts[index]!)).getReader();
      // The caller went away while it was opened.
      if (gone) return void (await reader.cancel());
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      reader = undefined;
      headDue = true;
      if (++index < parts.length) return pull(controller);
      controller.enqueue(tail);
      controller.close();
    }

    return new ReadableStream<Uint8Array>(
      {
        pull,
        async cancel(reason) {
          gone = true;
          await reader?.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  return { type: `multipart/byteranges; boundary=${boundary}`, length: sent + framing, body };
}
