import { fault } from './faults.ts';

/** Error of a body, kept apart from faults of the storage and reported unchanged. */
export class BrokenBody {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Passes each piece of a body to `take`, in order. Always releases the body. */
export async function pour(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  take: (piece: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const reader = body.getReader();
  // A read that waits for a silent sender ends with it.
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await next(reader, signal);
      if (done) return;
      await take(value);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined) {
  const aborted = () => {
    if (signal?.aborted) throw fault('aborted', 'The sender went away');
  };
  aborted();
  try {
    return await reader.read();
  } catch (error) {
    throw new BrokenBody(error);
  } finally {
    aborted();
  }
}
