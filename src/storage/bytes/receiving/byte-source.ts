/** A source of bytes in pieces. */
interface Pieces {
  /** Undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
}

/** The bytes of a body in pieces of the sizes that their reader asks for. Nothing is copied. */
export class ByteSource {
  readonly #pieces: Pieces;
  #rest: Uint8Array | undefined;
  #ended = false;
  /** Reason why the source ended early. Undefined: none. */
  failure: unknown;
  /** Number of bytes taken so far. */
  taken = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** Up to so many bytes: undefined at the end. */
  async take(max: number): Promise<Uint8Array | undefined> {
    const piece = this.#rest ?? (await this.#next());
    if (piece === undefined) return undefined;
    this.#rest = piece.byteLength > max ? piece.subarray(max) : undefined;
    const part = this.#rest ? piece.subarray(0, max) : piece;
    this.taken += part.byteLength;
    return part;
  }

  /** Whether all bytes were taken. Waits for the next piece. */
  async ended(): Promise<boolean> {
    this.#rest ??= await this.#next();
    return this.#rest === undefined;
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.failure !== undefined) throw this.failure;
    while (!this.#ended) {
      try {
        const piece = await this.#pieces.read();
        if (piece === undefined) this.#ended = true;
        else if (piece.byteLength > 0) return piece;
      } catch (error) {
        this.failure = error;
        throw error;
      }
    }
    return undefined;
  }
}

/** Reads a stream of a storage in pieces, and lets go of it at the end. */
export function piecesOfStream(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  return {
    read: async () => (await reader.read()).value,
    close: () => reader.cancel().catch(() => undefined),
  };
}

/**
 * Stream of up to so many bytes of a source, read on demand. `seen` gets each piece before its reader. A failing source
 * ends the stream with an error without a kind: drivers keep earlier bytes.
 */
export function sourceStream(
  source: ByteSource,
  max: number,
  seen: (piece: Uint8Array) => Promise<void> | void,
): ReadableStream<Uint8Array> {
  let left = max;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = left > 0 ? await source.take(left) : undefined;
        if (piece === undefined) return controller.close();
        left -= piece.byteLength;
        await seen(piece);
        controller.enqueue(piece);
        if (left === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
