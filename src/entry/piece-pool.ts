import { Buffer } from 'node:buffer';
import { type IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of one read of a file. Longer pieces are faster, but delay short answers while they are sent. */
export const pieceBytes = 256 * 1024;
/** Number of free pieces kept for the next readers. More are returned to the system. */
const maxFree = 32;

const free: Buffer<ArrayBuffer>[] = [];
/** Memory by the view of it that its reader has. */
const lent = new WeakMap<object, Buffer<ArrayBuffer>>();

/**
 * Memory for a piece of a file, as it is: only what is read into it may go out. Its reader may keep it for good, or hand
 * it to a connection or the writer of a file, which gives it back. Measured: where each read takes new memory, the system clears all of it, and V8
 * may come to collect its whole heap again and again. A download takes twice the CPU, or five times.
 */
export function lendPiece(length = pieceBytes): Buffer<ArrayBuffer> {
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
  const piece = length < pieceBytes ? memory.subarray(0, length) : memory;
  lent.set(piece, memory);
  return piece;
}

/** For the last one who has it. Another view of it is no piece: another one may be on its way still. */
function giveBack(piece: object): void {
  const memory = lent.get(piece);
  if (lent.delete(piece) && free.length < maxFree) free.push(memory!);
}

/** Pieces of requests, each the only view of its memory. */
const owned = new WeakSet<Uint8Array>();

/** Nobody listens at its other end: memory that is sent there is freed at once. */
let nowhere: MessagePort | undefined;

function toNowhere(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  return port1;
}

/** A piece of a request, which nobody else keeps. */
export function ownPiece(piece: Uint8Array): Uint8Array {
  if (piece.byteLength === piece.buffer.byteLength) owned.add(piece);
  return piece;
}

/**
 * For the writer of a file, once the system has taken the pieces. Lent ones go to the next reader, and those of requests
 * are freed, and empty from then on. Measured: left to V8, they count as growth of its heap, and it collects all of it
 * for every few megabytes. A copy takes up to twice the CPU, and an upload three times.
 */
export function freePieces(pieces: readonly Uint8Array[]): void {
  for (const piece of pieces) giveBack(piece);
  const memory = pieces.filter((piece) => owned.delete(piece)).map(({ buffer }) => buffer as ArrayBuffer);
  if (memory.length === 0) return;
  nowhere ??= toNowhere();
  nowhere.postMessage(undefined, memory);
}

type Written = (error: Error | null | undefined) => void;

/** An answer that gives back the pieces of files that the system has taken from it. */
class GivingResponse extends ServerResponse<IncomingMessage> {
  override write(chunk: unknown, ...rest: [(BufferEncoding | Written)?, Written?]): boolean {
    if (rest.length > 0 || !lent.has(chunk as object))
      return super.write(chunk, ...(rest as [BufferEncoding, Written]));
    return super.write(chunk, (error) => {
      if (!error) giveBack(chunk as Buffer);
    });
  }

  override end(...given: unknown[]): this {
    const [chunk] = given;
    if (given.length !== 1 || !lent.has(chunk as object)) return super.end(...(given as []));
    this.write(chunk);
    return super.end();
  }
}

/** Bun does not say when it lets go of the bytes of a write. */
export const AnswerClass = 'Bun' in globalThis ? ServerResponse : GivingResponse;
