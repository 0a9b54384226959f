import type { FileHandle } from 'node:fs/promises';
import { DriverError } from '../../../media/places/refusals.ts';

/** What a body threw: told as it is, and never taken for a fault of the disk. */
export class BodyFault {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Gives each piece of a body to `take`, one after the other. Whatever happens, the body is let go of. */
export async function pour(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  take: (piece: Uint8Array) => Promise<void>,
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
    if (signal?.aborted) throw new DriverError('aborted', 'The sender went away');
  };
  aborted();
  try {
    return await reader.read();
  } catch (error) {
    throw new BodyFault(error);
  } finally {
    aborted();
  }
}

/** Fewer calls of the system are worth a copy of nothing: pieces wait until they are this many bytes. */
const gathered = 1024 * 1024;
/** What one call takes. */
const mostPieces = 1000;

/** Writes pieces one behind the other. Measured: gathering is faster on Node, and slower on Deno. */
export class Writer {
  readonly #handle: FileHandle;
  readonly #gather: number;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #at: number;

  constructor(handle: FileHandle, at = 0, gather = 'Deno' in globalThis ? 0 : gathered) {
    this.#handle = handle;
    this.#at = at;
    this.#gather = gather;
  }

  /** Where the next piece goes. */
  get end(): number {
    return this.#at + this.#bytes;
  }

  /** Up to where the bytes are written. */
  get written(): number {
    return this.#at;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#waiting.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes >= this.#gather || this.#waiting.length >= mostPieces) await this.flush();
  }

  async flush(): Promise<void> {
    let pieces = this.#waiting;
    while (this.#bytes > 0) {
      const [first] = pieces;
      // The system may take less than all.
      const { bytesWritten } =
        pieces.length === 1
          ? await this.#handle.write(first!, 0, first!.byteLength, this.#at)
          : await this.#handle.writev(pieces, this.#at);
      this.#at += bytesWritten;
      this.#bytes -= bytesWritten;
      pieces = behind(pieces, bytesWritten);
      this.#waiting = pieces;
    }
    this.#waiting = [];
  }
}

/** What is left of the pieces when the first bytes are written. */
function behind(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]!;
    if (skip < piece.byteLength) return [piece.subarray(skip), ...pieces.slice(index + 1)];
    skip -= piece.byteLength;
  }
  return [];
}
