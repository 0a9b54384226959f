import type { FileHandle } from 'node:fs/promises';
import { BrokenBody, pour } from '../../../kit/index.ts';
import type { PartSink } from '../../../spi/index.ts';
import { DriverError } from '../../../storage/public.ts';
import { senderGone, withDriverFaults } from './disk.ts';
import { type FileWriter, writing } from './file-writer.ts';

interface PartSinkParts {
  readonly handle: FileHandle;
  readonly token: string;
  readonly size: number;
  /** Throws when the disk is nearly full. */
  keepFree(): Promise<void>;
}

const pieceBytes = 256 * 1024;
const lookAfter = 64 * 1024 * 1024;

/** A file that takes its parts at their places. It grows as they come: what is missing takes no room. */
export function partSink({ handle, token, size, keepFree }: PartSinkParts): PartSink {
  let dirty = false;
  let [count, looked] = [0, 0];

  async function sync(): Promise<void> {
    if (!dirty) return;
    dirty = false;
    await withDriverFaults('keep the bytes of a part', () => handle.datasync()).catch((error: unknown) => {
      dirty = true;
      throw error;
    });
  }

  async function take(writer: FileWriter, piece: Uint8Array): Promise<void> {
    if (writer.end + piece.byteLength > size) throw beyond(size);
    dirty = true;
    await writer.add(piece);
    count += piece.byteLength;
    if (count - looked < lookAfter) return;
    looked = count;
    await keepFree();
  }

  return {
    token,
    sync,
    async write(offset, body, signal) {
      if (!Number.isSafeInteger(offset) || offset < 0 || offset > size) {
        void body.cancel().catch(() => undefined);
        throw beyond(size);
      }
      const written = await withDriverFaults('write a part', () =>
        writing(handle, { at: offset }, async (writer) => {
          try {
            await pour(body, signal, senderGone, (piece) => take(writer, piece));
          } catch (error) {
            // Bytes received before a broken connection count: the sender continues after them.
            if (!(error instanceof BrokenBody)) throw error;
          }
          await writer.flush();
          return writer.written;
        }),
      );
      // A concurrent part may have synced before the last bytes were written.
      if (written > offset) dirty = true;
      return written - offset;
    },
    read({ from, end }) {
      let at = from;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const length = Math.min(pieceBytes, end - at);
            const { bytesRead, buffer } = await withDriverFaults('read staged bytes', () =>
              handle.read(new Uint8Array(length), 0, length, at),
            );
            at += bytesRead;
            if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
            if (bytesRead === 0 || at === end) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    },
    async close() {
      await sync().finally(() => handle.close());
    },
  };
}

const beyond = (size: number) => new DriverError('range', `Expected bytes within the ${size} of the file`);
