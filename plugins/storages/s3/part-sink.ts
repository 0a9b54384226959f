import { BrokenBody, pour } from '../../../src/kit/index.ts';
import type { ByteRange, PartSink } from '../../../src/spi/index.ts';
import { fault, senderGone } from '../faults.ts';
import { notStaged } from './answers.ts';
import { Cutter, maxInFlight, pieceFor, type Segment, segmentsBetween } from './pieces.ts';
import type { S3Staging, Waiting } from './staging.ts';
import { InFlight } from './upload-flow.ts';

/** Parts in any order. Each piece of one is an object of its own, durable with the answer of the store. */
export function multipartSink(staging: S3Staging, token: string, size: number): PartSink {
  const tooMuch = () => fault('range', `Expected at most ${size} bytes`);

  /** Writes a part. Returns the number of bytes written from its beginning. */
  async function write(offset: number, body: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<number> {
    const running = new InFlight(maxInFlight);
    const done = new Map<number, number>();
    const put = async (piece: Uint8Array<ArrayBuffer>, from: number) => {
      await staging.putFragment(token, from, piece);
      done.set(from, from + piece.byteLength);
    };
    const cutter = new Cutter(
      offset,
      () => pieceFor(size),
      (piece, from) => running.add(piece.byteLength, () => put(piece, from)),
    );
    let at = offset;
    try {
      await pour(body, signal, senderGone, async (chunk) => {
        at += chunk.byteLength;
        if (at > size) throw tooMuch();
        await cutter.add(chunk);
      });
    } catch (error) {
      if (!(error instanceof BrokenBody)) {
        await running.settled();
        throw error;
      }
    }
    await cutter.end();
    await running.ended();
    let end = offset;
    for (let next = done.get(end); next !== undefined; next = done.get(end)) end = next;
    return end - offset;
  }

  return {
    token,
    async write(offset, body, signal) {
      if (offset >= 0 && offset <= size) return write(offset, body, signal);
      await body.cancel().catch(() => undefined);
      throw tooMuch();
    },
    read: (range) => stagedBody(staging, token, range),
    // Stored bytes are durable as soon as the store has answered.
    sync: async () => undefined,
    close: async () => undefined,
  };
}

function stagedBody(staging: S3Staging, token: string, { from, end }: ByteRange): ReadableStream<Uint8Array> {
  let pieces: AsyncGenerator<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        pieces ??= piecesOf();
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces?.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );

  async function* piecesOf() {
    const waiting = await staging.find(token);
    if (!waiting) throw notStaged();
    const segments = segmentsBetween(waiting.fragments, from, end);
    if (!segments) throw fault('failed', 'Expected bytes that were written before');
    yield* segmentBytes(staging, waiting, segments);
  }
}

/** Bytes of the segments, with one request for each. */
export async function* segmentBytes(staging: S3Staging, waiting: Waiting, segments: readonly Segment[]) {
  for (const segment of segments) {
    const { body } = await staging.bytesOf(waiting, segment);
    let count = 0;
    for await (const piece of body) {
      count += piece.byteLength;
      yield piece;
    }
    if (count !== segment.end - segment.from) throw fault('offline', 'Expected all bytes of what is staged');
  }
}
