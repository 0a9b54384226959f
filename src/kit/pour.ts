/** Error of a body, kept apart from faults of what takes its pieces. */
export class BrokenBody {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Passes each piece of a body to `take`, in order. Always releases the body. `gone`: reason when the sender goes away. */
export async function pour(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  gone: () => unknown,
  take: (piece: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const reader = body.getReader();
  // A read that waits for a silent sender ends with it.
  const stop = () => void reader.cancel().catch(() => undefined);
  const next = async () => {
    try {
      if (!signal?.aborted) return await reader.read();
    } catch (error) {
      if (!signal?.aborted) throw new BrokenBody(error);
    }
    throw new BrokenBody(gone());
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await next();
      if (signal?.aborted) throw new BrokenBody(gone());
      if (done) return;
      await take(value);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
