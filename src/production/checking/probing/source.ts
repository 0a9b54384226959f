import type { ByteRange, MediaSource, StorageDriver, StoredFile } from '../../../spi/index.ts';
import { DriverError, kindOfFailure, methodsOf, storageDriversOf } from '../../../storage/public.ts';
import type { FileRow } from '../../../storage/public-reading.ts';
import type { CheckParts } from '../parts.ts';
import { headBytes } from './counted-source.ts';

/** A file of a storage as media, with the version that its bytes have. */
interface StoredMedia {
  readonly source: MediaSource;
  readonly version: string;
}

export type ProbeParts = Pick<CheckParts, 'store' | 'security' | 'sharesWork' | 'secretKey' | 'random' | 'services'>;

/** Throws what the drivers of the storage throw: the first of its methods that can read the file is used. */
export async function mediaSourceOf(parts: ProbeParts, row: FileRow, signal: AbortSignal): Promise<StoredMedia> {
  const places = storageDriversOf(parts);
  let refusal: unknown;
  for (const method of await methodsOf(parts.store, { id: row.storageId })) {
    if (method.read === 0) continue;
    try {
      const driver = await places.of(method);
      const file = await driver.stat(row.path, signal);
      if (!file) throw new DriverError('not-found', 'Expected the bytes of the file');
      // A growing file is read up to its current size.
      const version = row.state === 'OPEN' ? undefined : file.version;
      return { source: sourceOf(driver, { ...file, version }, row.name, signal), version: file.version };
    } catch (error) {
      if (kindOfFailure(error) === 'aborted') throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new DriverError('unsupported', 'Expected a storage with a method that reads');
}

interface ProbedFile extends Pick<StoredFile, 'path' | 'size'> {
  /** Bytes of another version are `changed`. */
  readonly version: string | undefined;
}

/** A piece of the pool that folders of this machine read into. */
const localPieceBytes = 256 * 1024;

function sourceOf(driver: StorageDriver, { path, size, version }: ProbedFile, name: string, signal: AbortSignal) {
  return {
    size,
    name,
    ...(driver.localPath && { pieceBytes: localPieceBytes }),
    async read(range: ByteRange) {
      if (range.from === range.end) return new Uint8Array();
      // Measured: a program that reads a film takes a third of the CPU, as no stream is made for each piece, and no copy.
      if (driver.readPiece && version !== undefined && range.end - range.from > headBytes) {
        if (signal.aborted) throw new DriverError('aborted', 'The reader went away');
        return driver.readPiece(path, { range, version });
      }
      const { body } = await driver.read(path, { range, signal, ...(version !== undefined && { version }) });
      return collect(body, range.end - range.from);
    },
  };
}

async function collect(body: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array> {
  const all = new Uint8Array(length);
  const reader = body.getReader();
  let at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.byteLength > length) throw new DriverError('failed', `Expected ${length} bytes: found more`);
      all.set(value, at);
      at += value.byteLength;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (at === length) return all;
  throw new DriverError('changed', `Expected ${length} bytes of the file: found ${at}`);
}
