import type { ByteRange, OutboundStream } from '../../src/spi/index.ts';
import { fault, faultKind, faultOfCall, StorageFault } from './faults.ts';

interface BodyParts {
  readonly range: ByteRange;
  readonly signal?: AbortSignal | undefined;
  /** Asks for the bytes of a range. What it gives has been looked at: it is that range of that version. */
  ask(range: ByteRange): Promise<Pick<OutboundStream, 'body'>>;
}

/** Times in a row that a connection may break without one byte. */
const attempts = 3;

/**
 * The bytes of a range of a file in another machine. The first request is sent when the first byte is wanted. Where the
 * connection breaks, another one goes on behind the last byte: a body that only ends too early is never a whole one.
 */
export function lazyBody({ range, signal, ask }: BodyParts): ReadableStream<Uint8Array> {
  let at = range.from;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let left = false;
  let failures = 0;

  /** The next piece, or undefined where the body has ended. */
  async function next(): Promise<Uint8Array | undefined> {
    if (!reader) {
      const { body } = await ask({ from: at, end: range.end });
      if (left) {
        await body.cancel();
        return undefined;
      }
      reader = body.getReader();
    }
    return (await reader.read()).value;
  }

  /** Reads the end of the answer, so that its connection can be reused. */
  async function end(): Promise<void> {
    const { done = true } = (await reader?.read().catch(() => undefined)) ?? {};
    if (!done) await leave();
    reader = undefined;
  }

  async function leave(): Promise<void> {
    const open = reader;
    reader = undefined;
    await open?.cancel().catch(() => undefined);
  }

  /** Throws unless a retry is worthwhile. */
  async function again(error: unknown): Promise<void> {
    await leave();
    if (signal?.aborted) throw fault('aborted', 'The reader went away');
    failures++;
    // A connection is also given up when its reader rests for long.
    const isCut = !(error instanceof StorageFault) && ['answer', 'timeout'].includes(String(faultKind(error)));
    if (failures === attempts || !isCut) throw faultOfCall(error);
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!left) {
          if (at === range.end) {
            await end();
            return controller.close();
          }
          try {
            const piece = await next();
            if (left) return;
            if (piece === undefined) throw cut();
            failures = 0;
            // Cuts bytes beyond the requested range.
            const wanted = piece.subarray(0, range.end - at);
            if (wanted.byteLength === 0) continue;
            at += wanted.byteLength;
            return controller.enqueue(wanted);
          } catch (error) {
            if (left) return;
            await again(error);
          }
        }
      },
      async cancel() {
        left = true;
        await leave();
      },
    },
    { highWaterMark: 0 },
  );
}

const cut = (): Error => Object.assign(new Error('Expected all bytes of the file'), { kind: 'answer' });
