import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { StoredFile } from '../../../spi/index.ts';
import { DriverError } from '../../../storage/public.ts';
import { lendPiece, pieceBytes } from '../../piece-pool.ts';
import { driverFault, fileChanged } from './disk.ts';
import { versionOf } from './stored-files.ts';

interface BodyParts {
  readonly file: StoredFile;
  readonly from: number;
  readonly end: number;
  readonly signal?: AbortSignal | undefined;
  /** Opens the file, which may be another one by now. */
  open(): Promise<FileHandle>;
}

/**
 * The bytes of a file, a piece for each pull, and one that is read ahead. The file is opened with the first pull: opened
 * before, it stays open when the reader leaves while it is being opened. What is read is the version that was told, or
 * the body fails.
 */
export function readBody({ file, from, end, signal, open }: BodyParts): ReadableStream<Uint8Array> {
  let handle: FileHandle | undefined;
  let pulling: Promise<void> | undefined;
  /** The piece behind the one that the reader has: read while that one is sent. */
  let ahead: Promise<Uint8Array> | undefined;
  let dead = false;
  let at = from;
  let give: ReadableStreamDefaultController<Uint8Array>;

  const stop = () => {
    dead = true;
    give.error(new DriverError('aborted', 'The reader went away'));
    void release();
  };

  async function close(): Promise<void> {
    dead = true;
    signal?.removeEventListener('abort', stop);
    const opened = handle;
    handle = undefined;
    // The system may give the descriptor to another file, and reads into what it was told.
    await ahead?.catch(() => undefined);
    await opened?.close();
  }

  /** The current pull closes the file once it sees that the reader has left. */
  const release = () => pulling ?? close();

  /** Reads the piece at an offset. */
  async function read(opened: FileHandle, start: number): Promise<Uint8Array> {
    // Uninitialised memory is safe: only the bytes that were read are sent.
    const piece = end - start < pieceBytes ? Buffer.allocUnsafeSlow(end - start) : lendPiece();
    const { bytesRead } = await opened.read(piece, 0, piece.byteLength, start);
    if (bytesRead === 0) throw fileChanged(file.path);
    // Checked before the last bytes: a reader with all bytes has them of one version.
    if (start + bytesRead === end && !dead) await expectVersion(opened, file, 'or longer');
    return bytesRead === piece.byteLength ? piece : piece.subarray(0, bytesRead);
  }

  /** First piece, or undefined if the reader has left meanwhile. */
  async function begin(): Promise<Uint8Array | undefined> {
    handle = await open();
    if (!dead) await expectVersion(handle, file);
    return dead ? undefined : read(handle, from);
  }

  async function pull(): Promise<void> {
    try {
      const piece = await (ahead ?? begin());
      ahead = undefined;
      if (dead || !piece) return await close();
      at += piece.byteLength;
      if (at === end) await close();
      else {
        ahead = read(handle!, at);
        // The next pull reports the error.
        ahead.catch(() => undefined);
      }
      // From here on no pull is under way: the reader may leave as soon as it gets the piece.
      pulling = undefined;
      give.enqueue(piece);
      if (at === end) give.close();
    } catch (error) {
      const gone = dead;
      await close().catch(() => undefined);
      if (!gone) give.error(driverFault(error, `read "${file.path}"`));
    }
  }

  return new ReadableStream(
    {
      start(controller) {
        give = controller;
      },
      pull() {
        if (signal?.aborted) return stop();
        if (from === end) return give.close();
        if (at === from) signal?.addEventListener('abort', stop, { once: true });
        pulling = pull();
        return pulling;
      },
      async cancel() {
        dead = true;
        await release();
      },
    },
    { highWaterMark: 0 },
  );
}

interface Piece {
  readonly path: string;
  readonly from: number;
  readonly end: number;
  readonly version: string;
  /** Whether the file was open before: it may have lost its name meanwhile. */
  readonly wasKept: boolean;
}

/** A short range at once. The version is looked at behind the read: then all of its bytes are of that one. */
export async function readPiece(
  handle: FileHandle,
  { path, from, end, version, wasKept }: Piece,
): Promise<Uint8Array<ArrayBuffer>> {
  // Uninitialised memory is safe: only the bytes that were read are given.
  const piece = end - from > pieceBytes ? Buffer.allocUnsafeSlow(end - from) : lendPiece(end - from);
  let filled = 0;
  while (filled < piece.byteLength) {
    const { bytesRead } = await handle.read(piece, filled, piece.byteLength - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const seen = await handle.stat();
  const isGone = wasKept && seen.nlink === 0;
  if (isGone || versionOf(seen) !== version || filled < piece.byteLength) throw fileChanged(path);
  return piece;
}

/** A file that grows is read up to where it ended when it was looked at. */
async function expectVersion(handle: FileHandle, file: StoredFile, orLonger?: 'or longer'): Promise<void> {
  const seen = await handle.stat();
  if (versionOf(seen) === file.version || (orLonger && seen.size > file.size)) return;
  throw fileChanged(file.path);
}
