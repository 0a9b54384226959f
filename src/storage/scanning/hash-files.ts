import type { NewHasher } from '../../core/lib/bytes.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import type { StorageDriver, StoredFile } from '../../spi/index.ts';
import { DriverError } from '../drivers.ts';
import { type FileHashes, fileHashes, keptAlgorithms, newFileHasher } from '../files/hashes.ts';

/** Bytes that are hashed in one turn of the loop: half a millisecond for each mebibyte. */
const sliceBytes = 8 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

export interface Hashed extends FileHashes {
  readonly file: StoredFile;
}

/**
 * Hashes of files, in the order of their paths, computed by the driver where it can. An error of a file stays with it.
 */
export async function hashFiles(
  driver: StorageDriver,
  paths: readonly string[],
  hasher: NewHasher,
  signal: AbortSignal,
): Promise<readonly (Hashed | Error)[]> {
  if (driver.hash) {
    const answers = await driver.hash(paths, { algorithms: keptAlgorithms, signal }).catch(asError);
    if (answers instanceof Error) return paths.map(() => answers);
    return answers.map((answer) => ('file' in answer ? { file: answer.file, ...fileHashes(answer.hashes) } : answer));
  }
  const outcomes: (Hashed | Error)[] = [];
  for (const path of paths) outcomes.push(await hashFile(driver, path, hasher, signal).catch(asError));
  return outcomes;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Hashes of the bytes of a file, read from its beginning. Throws `changed` unless all of them are of one version, the
 * one that the file has in the end.
 */
export async function hashFile(
  driver: StorageDriver,
  path: string,
  hasher: NewHasher,
  signal: AbortSignal,
): Promise<Hashed> {
  const { file, body } = await driver.read(path, { signal });
  const running = newFileHasher(hasher);
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
      await yieldTurn();
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const after = await driver.stat(path, signal);
  if (size === file.size && after?.version === file.version) {
    return { file, ...running.read() };
  }
  throw new DriverError('changed', 'Expected the file as it was: it has changed');
}
