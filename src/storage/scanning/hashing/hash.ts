import type { NewHasher } from '../../../core/lib/hasher.ts';
import { nextTurn } from '../../../core/lib/turn.ts';
import type { StorageDriver, StoredFile } from '../../../spi/index.ts';
import { DriverError } from '../../places/refusals.ts';

/** Bytes that are hashed in one turn of the loop: half a millisecond for each mebibyte. */
const sliceBytes = 8 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

export interface Hashed {
  readonly file: StoredFile;
  readonly hash: string;
}

/**
 * The SHA-1 of the bytes of a file, read from its beginning. Throws `changed` unless all of them are of one version, the
 * one that the file has in the end.
 */
export async function hashFile(
  driver: StorageDriver,
  path: string,
  hasher: NewHasher,
  signal: AbortSignal,
): Promise<Hashed> {
  const { file, body } = await driver.read(path, { signal });
  const running = hasher('SHA-1');
  const reader = body.getReader();
  let [size, turn] = [0, 0];
  try {
    for (;;) {
      if (signal.aborted) throw new DriverError('aborted', 'The work ends');
      const { done, value } = await reader.read();
      if (done) break;
      for (let at = 0; at < value.byteLength; at += pieceBytes) running.update(value.subarray(at, at + pieceBytes));
      size += value.byteLength;
      turn += value.byteLength;
      if (turn < sliceBytes) continue;
      turn = 0;
      await nextTurn();
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const after = await driver.stat(path, signal);
  if (size === file.size && after?.version === file.version) return { file, hash: running.hex() };
  throw new DriverError('changed', 'Expected the file as it was: it has changed');
}
