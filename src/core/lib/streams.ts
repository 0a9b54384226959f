import { joined } from './bytes.ts';
import type { Clock } from './clock.ts';

interface Passage {
  /** Gets each piece before the reader does. */
  each?(piece: Uint8Array): Promise<void> | void;
  /** Error for the reader, in place of that of the source or of `each`. */
  fails?(error: unknown): unknown;
  /** Called once nothing more comes: at the end, at a failure, or when the reader leaves. */
  ends?(): void;
}

/** Passes a stream on. A piece is read when it is wanted, so none waits here. */
export function passing(
  source: ReadableStream<Uint8Array>,
  { each, fails, ends }: Passage,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let hasLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) await each?.(value);
          if (hasLeft) return;
          if (!done) return controller.enqueue(value);
          ends?.();
          controller.close();
        } catch (error) {
          if (!hasLeft) ends?.();
          // A piece that `each` refuses is the last one. A source that failed by itself is closed already.
          reader.cancel(error).catch(() => undefined);
          throw fails ? fails(error) : error;
        }
      },
      cancel(reason) {
        hasLeft = true;
        ends?.();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Passes a stream on, and keeps its failure: what writes the bytes throws an error of its own. */
export function watched(source: ReadableStream<Uint8Array>, each?: Passage['each']) {
  let failure: unknown;
  const fails = (error: unknown) => {
    failure = error;
    return error;
  };
  return { body: passing(source, { fails, ...(each && { each }) }), failure: () => failure };
}

/** All bytes of a stream. Undefined: there are more than `max`, and the rest is left. */
export async function collected(
  source: ReadableStream<Uint8Array>,
  max: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = source.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength;
    if (length > max) {
      await reader.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(next.value);
  }
  return joined(pieces);
}

/** Milliseconds: shorter waits add up to one. */
const shortestWait = 50;

/** Waits so that no more than `rate` bytes pass in a second. */
export function pacing(rate: number, clock: Clock, signal: AbortSignal) {
  let next = clock.now();
  return async ({ byteLength }: Uint8Array): Promise<void> => {
    next = Math.max(next, clock.now()) + (byteLength * 1000) / rate;
    const wait = next - clock.now();
    if (wait >= shortestWait) await clock.sleep(wait, signal);
  };
}
