import type { Hasher } from '../../core/lib/bytes.ts';
import { type HashState, type ResumableHasher, resumableHasher } from '../../core/lib/resumable-hash.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import type { PieceContext } from '../../core/work/work-kind.ts';
import type { RoomContext } from '../../room/context.ts';
import type { StoredFile } from '../../spi/index.ts';
import {
  DriverError,
  isStillThere,
  kindOfFailure,
  lookError,
  type ReachableMethod,
  sha256Of,
} from '../../storage/public.ts';
import type { FixitySettings } from './settings.ts';
import type { DueFile } from './store.ts';
import type { FixityState } from './tables.ts';

/** The file that is being read, by one version of its bytes. */
export interface Reading {
  readonly fileId: string;
  readonly version: string;
  /** SHA-1 and SHA-256 of the bytes so far. Undefined: the platform hashes them, and keeps nothing over a stop. */
  readonly hashes?: readonly HashState[];
}

/** Result of a check. `later`: nothing could be compared. `isResting`: nor can it soon. */
export type Finding =
  | { readonly state: FixityState; readonly says?: string; readonly digest?: string }
  | { readonly later: string; readonly isResting?: true };

interface Checking extends Pick<RoomContext<FixitySettings>, 'hasher' | 'settings'> {
  readonly method: ReachableMethod;
  /** Reading that the last piece has not ended. */
  readonly begun: Reading | undefined;
  keep(reading: Reading): Promise<unknown>;
  pace(bytes: Uint8Array): Promise<void>;
}

/** States of files whose bytes rest, or should be there. */
const present: ReadonlySet<string> = new Set(['CLOSED', 'BEING_READ', 'MISSING', 'LOST']);

/** Bytes that are hashed in one turn of the loop, by the platform and by own code. */
const turnBytes = 8 * 1024 * 1024;
const ownTurnBytes = 1024 * 1024;

const algorithms = ['SHA-1', 'SHA-256'] as const;

/** Compares a file with its row. Undefined: the work stops. Throws `offline` if the storage is out of reach. */
export async function checkFile(
  checking: Checking,
  file: DueFile,
  context: PieceContext,
): Promise<Finding | undefined> {
  if (!present.has(file.state)) return { later: `Expected a closed file: ${file.state}`, isResting: true };
  const { driver } = checking.method;
  const { signal } = context;
  try {
    const stored = await driver.stat(file.path, signal);
    if (!stored) return await missing(checking, signal);
    if (file.hash === null) return { state: 'unhashed' };
    if (file.size !== null && file.size !== stored.size) {
      return { state: 'changed', says: `Expected ${file.size} bytes: found ${stored.size}` };
    }
    const hashes = await hashesOf(checking, file, stored, context);
    if (!hashes) return undefined;
    const after = await driver.stat(file.path, signal);
    return after?.version === stored.version
      ? compared(file, hashes)
      : { later: 'Expected bytes that rest: they change' };
  } catch (error) {
    signal.throwIfAborted();
    const kind = kindOfFailure(error);
    if (kind === 'offline') throw error;
    if (kind === 'not-found') return missing(checking, signal);
    return { later: lookError(error), ...(kind === 'archived' && { isResting: true }) };
  }
}

/** An empty mount point has no files either. */
async function missing({ method }: Checking, signal: AbortSignal): Promise<Finding> {
  if (await isStillThere(method, signal)) return { state: 'missing', says: 'Expected the file: the storage has none' };
  throw new DriverError('offline', 'Expected the file system that was there: it went while a file was read');
}

function compared(file: DueFile, [sha1, sha256]: readonly [string, string]): Finding {
  const sha256Before = sha256Of(file);
  if (sha1 !== file.hash) return { state: 'changed', says: `Expected the SHA-1 "${file.hash}": found "${sha1}"` };
  if (sha256Before === undefined) return { state: 'verified', digest: `${sha1}:${sha256}` };
  if (sha256 === sha256Before) return { state: 'verified' };
  return { state: 'changed', says: `Expected the SHA-256 "${sha256Before}": found "${sha256}"` };
}

/**
 * Hashes of a file, read in ranges. A file whose reading was cut off is hashed by own code, which goes on behind
 * the last range. That is slow, so the first attempt is left to the platform. Undefined: the work stops.
 */
async function hashesOf(
  { method: { driver }, hasher, settings, begun, keep, pace }: Checking,
  { id: fileId, path }: DueFile,
  { size, version }: StoredFile,
  context: PieceContext,
): Promise<readonly [string, string] | undefined> {
  const wasCutOff = begun?.fileId === fileId && begun.version === version;
  const own = wasCutOff ? algorithms.map((name, at) => resumableHasher(name, begun.hashes?.[at])) : undefined;
  const hashers: readonly Hasher[] = own ?? algorithms.map(hasher);
  const range = settings.fixityRange;
  if (!wasCutOff && size > range) await keep({ fileId, version });
  for (let from = wasCutOff ? (begun.hashes?.[0]?.bytes ?? 0) : 0; from < size; ) {
    if (!context.mayGoOn()) return undefined;
    const end = Math.min(from + range, size);
    const { body } = await driver.read(path, { range: { from, end }, version, signal: context.signal });
    await hashAll(body, hashers, own ? ownTurnBytes : turnBytes, pace);
    from = end;
    if (own && from < size) await keep({ fileId, version, hashes: own.map((each: ResumableHasher) => each.state()) });
  }
  return [hashers[0]!.hex(), hashers[1]!.hex()];
}

async function hashAll(
  body: ReadableStream<Uint8Array>,
  hashers: readonly Hasher[],
  turn: number,
  pace: Checking['pace'],
): Promise<void> {
  const reader = body.getReader();
  let left = turn;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { value } = next;
      for (let at = 0; at < value.byteLength; at += ownTurnBytes) {
        const piece = value.subarray(at, at + ownTurnBytes);
        for (const hasher of hashers) hasher.update(piece);
        left -= piece.byteLength;
        if (left > 0) continue;
        left = turn;
        await yieldTurn();
      }
      await pace(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
