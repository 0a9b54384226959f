import { joined } from '../core/lib/bytes.ts';

/** An answer of another machine that has more bytes than it may have. */
export class TooLarge extends Error {}

const tooLarge = (maxBytes: number): TooLarge => new TooLarge(`Expected an answer of at most ${maxBytes} bytes`);

/** Bytes of an answer of another machine, which may be without end. */
export async function answerBytes(answer: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  return joined(pieces);
}

export const answerText = async (answer: Response, maxBytes: number): Promise<string> =>
  new TextDecoder().decode(await answerBytes(answer, maxBytes));

/** A body that ends with an error behind so many bytes. `inTime`: gives up a read that takes too long. */
export function limitedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  inTime: <T>(read: Promise<T>) => Promise<T>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await inTime(reader.read());
          if (done) return controller.close();
          size += value.byteLength;
          if (size > maxBytes) throw tooLarge(maxBytes);
          controller.enqueue(value);
        } catch (error) {
          // Cancelling may never finish, so it is not awaited.
          void reader.cancel(error).catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
