import { fault } from '../faults.ts';

/** Lets several pieces of work run at once, as far as their bytes fit together. The caller that adds or ends is told the first failure. */
export class InFlight {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for room. One that is larger than all the room runs alone. */
  async add(bytes: number, work: () => Promise<void>): Promise<void> {
    while (this.#running.size > 0 && this.#bytes + bytes > this.#most) await Promise.race(this.#running);
    this.#throw();
    this.#bytes += bytes;
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#bytes -= bytes;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Waits until all tasks have ended, whatever their result. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  async ended(): Promise<void> {
    await this.settled();
    this.#throw();
  }

  #throw(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

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
