import type { FileHandle } from 'node:fs/promises';
import { ownHolding } from './held-folder.ts';

/** Writes into an open file. */
export interface WriteAt {
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

export const writeAt = (handle: FileHandle): WriteAt =>
  Deno && ownHolding === 'by descriptor' ? byThread(handle, Deno) : byHandle(handle);
