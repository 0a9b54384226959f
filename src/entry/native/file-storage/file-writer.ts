import type { FileHandle } from 'node:fs/promises';
import { freePieces } from '../../piece-pool.ts';
import { ownHolding } from './held-folder.ts';

/** Writes into an open file. */
interface WriteAt {
  /** Writes pieces one behind the other. Gives how many bytes the system has taken: at least one, and perhaps not all. */
  write(pieces: readonly Uint8Array[], at: number): Promise<number>;
  close(): void;
}

/** The little of Deno that is used here. */
interface DenoFile {
  seek(offset: number, whence: 0): Promise<number>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

interface DenoNamespace {
  open(path: string, options: { readonly write: true }): Promise<DenoFile>;
}

const { Deno } = globalThis as { readonly Deno?: DenoNamespace };

const byHandle = (handle: FileHandle): WriteAt => ({
  async write(pieces, at) {
    const [first] = pieces;
    const { bytesWritten } =
      pieces.length === 1 ? await handle.write(first!, 0, first!.byteLength, at) : await handle.writev(pieces, at);
    return bytesWritten;
  },
  close: () => undefined,
});

/** Up to here a write takes less than to open the file once more. */
const short = 64 * 1024;

/**
 * A write by a handle of Deno holds the thread that serves, for as long as the disk takes. Another thread writes by a
 * file of Deno's own. So the first bytes go by the handle, and all that follow by such a file.
 */
function byThread(handle: FileHandle, deno: DenoNamespace): WriteAt {
  const direct = byHandle(handle);
  let isFirst = true;
  let file: DenoFile | undefined;
  let end: number | undefined;
  return {
    async write(pieces, at) {
      const [piece] = pieces;
      if (isFirst && piece!.byteLength <= short) {
        isFirst = false;
        return direct.write([piece!], at);
      }
      isFirst = false;
      file ??= await deno.open(`/proc/self/fd/${handle.fd}`, { write: true });
      // Own file position, which no other writer of the same file moves.
      if (at !== end) await file.seek(at, 0);
      const written = await file.write(piece!);
      end = at + written;
      return written;
    },
    close: () => file?.close(),
  };
}

const writeAt = (handle: FileHandle): WriteAt =>
  Deno && ownHolding === 'by descriptor' ? byThread(handle, Deno) : byHandle(handle);

/**
 * Fewer calls of the system are worth a copy of nothing: pieces wait until they are this many bytes. A call with more
 * takes a core for so long that short answers wait for it.
 */
const gathered = 256 * 1024;
/** Maximal number of pieces in one write. */
const maxPieces = 1000;

interface WriterOptions {
  /** Offset of the first piece. */
  readonly at?: number;
  readonly gather?: number;
  /** Writes while the next pieces arrive. A failure is thrown with the next piece, or by `flush`. */
  readonly overlaps?: boolean;
}

/**
 * Writes pieces in order, and lets go of their memory. Measured: gathering and overlapping is faster on Node. Both are slower on Deno; there a
 * writer that waits for each piece lets other requests run between two pieces.
 */
export class FileWriter {
  readonly #file: WriteAt;
  readonly #gather: number;
  readonly #overlaps: boolean;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  /** Bytes of the write that goes on. */
  #under = 0;
  #write: Promise<void> = Promise.resolve();
  #at: number;

  constructor(handle: FileHandle, { at = 0, gather, overlaps = false }: WriterOptions = {}) {
    const isDeno = 'Deno' in globalThis;
    this.#file = writeAt(handle);
    this.#at = at;
    this.#gather = gather ?? (isDeno ? 0 : gathered);
    this.#overlaps = overlaps && !isDeno;
  }

  /** Offset of the next piece. */
  get end(): number {
    return this.#at + this.#under + this.#bytes;
  }

  /** Up to where the bytes are written. */
  get written(): number {
    return this.#at;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#waiting.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes < this.#gather && this.#waiting.length < maxPieces) return;
    if (!this.#overlaps) return this.#writeWaiting();
    await this.#write;
    this.#write = this.#writeWaiting();
    this.#write.catch(() => undefined);
  }

  async flush(): Promise<void> {
    await this.#write;
    await this.#writeWaiting();
  }

  /** Waits for the current write. The handle stays open. */
  async close(): Promise<void> {
    await this.#write.catch(() => undefined);
    this.#file.close();
  }

  async #writeWaiting(): Promise<void> {
    const all: readonly Uint8Array[] = this.#waiting;
    let pieces = all;
    this.#waiting = [];
    this.#under = this.#bytes;
    this.#bytes = 0;
    while (this.#under > 0) {
      // The system may take less than all.
      const written = await this.#file.write(pieces, this.#at);
      this.#at += written;
      this.#under -= written;
      pieces = behind(pieces, written);
    }
    freePieces(all);
  }
}

/** Lends a writer of an open file. The work flushes it. */
export async function writing<T>(
  handle: FileHandle,
  options: WriterOptions,
  work: (writer: FileWriter) => Promise<T>,
): Promise<T> {
  const writer = new FileWriter(handle, options);
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

/** Remaining pieces after the first bytes are written. */
function behind(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]!;
    if (skip < piece.byteLength) return [piece.subarray(skip), ...pieces.slice(index + 1)];
    skip -= piece.byteLength;
  }
  return [];
}
