import type { Hasher } from '../../../core/lib/bytes.ts';
import { existing } from '../../../core/lib/checks.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { ByteBody } from '../../../http/body.ts';
import type { PartSink, StorageDriver } from '../../../spi/index.ts';
import { DriverError, kindOfFailure, storageRefusal } from '../../drivers.ts';
import { noSuchFile } from '../../files/rules.ts';
import { type FileRow, findFile } from '../../files/store.ts';
import type { Publisher, Publishing } from '../publishing/publish.ts';
import type { UploadMode } from '../publishing/rules.ts';
import { ByteSource, piecesOfStream, sourceStream } from '../receiving/byte-source.ts';
import type { Writable } from '../receiving/destination.ts';
import type { Space } from '../receiving/upload-limits.ts';
import { type EndParts, endTransfer, writableOf } from './end.ts';
import { type BytePiece, type Interval, piecesOf, readIntervals } from './intervals.ts';
import type { LiveHash } from './live.ts';
import {
  advanceTransfer,
  isCompleteTransfer,
  noSuchTransfer,
  partConflict,
  partInterval,
  requireOpen,
  transferRest,
} from './rules.ts';
import { failTransfer, findTransfer, type TransferRow, updateTransfer } from './store.ts';

/** Most bytes of a part between two looks at the row: what a crash of the server costs. */
export const stride = 64 * 1024 * 1024;

interface PartWriting {
  readonly transferId: string;
  readonly sink: PartSink;
  readonly source: ByteSource;
  /** Pieces of the part, cut at the bounds of present bytes. */
  readonly pieces: readonly BytePiece[];
  /** The hash that the bytes from there on belong to. */
  hashAt(from: number): LiveHash | undefined;
  /** Called for bytes that are durable. */
  kept(interval: Interval): Promise<void>;
}

/** Writes missing bytes, and compares the rest with the present ones. Ends early with the source. */
async function writePart(writing: PartWriting): Promise<void> {
  for (const piece of writing.pieces) {
    const whole = piece.there ? await compare(writing, piece) : await write(writing, piece);
    if (!whole) return;
  }
  if (await writing.source.ended()) return;
  throw new ServiceError('bad-value', { context: 'body', explanation: 'Expected a part within the size of the file' });
}

async function write(
  { sink, source, hashAt, kept: onDurable }: PartWriting,
  { from, end }: BytePiece,
): Promise<boolean> {
  let at = from;
  while (at < end && !(await source.ended())) {
    const hash = hashAt(at);
    // During the write the hash does not match any offset.
    if (hash) hash.end = Number.NaN;
    const before = source.taken;
    const written = await sink.write(
      at,
      sourceStream(source, Math.min(stride, end - at), (piece) => hash?.hasher.update(piece)),
    );
    const taken = source.taken - before;
    if (written > 0) {
      await sink.sync();
      await onDurable([at, at + written]);
    }
    if (source.failure === undefined && written < taken) {
      throw new DriverError('failed', `Expected ${taken} bytes to be written: ${written}`);
    }
    at += written;
    if (hash && written === taken) hash.end = at;
  }
  return at === end;
}

/** Bytes that are sent again have to be the same. A storage that cannot tell keeps those that came first. */
async function compare({ sink, source, transferId }: PartWriting, { from, end }: BytePiece): Promise<boolean> {
  const stream = sink.read?.({ from, end });
  const pieces = stream && piecesOfStream(stream);
  const staged = pieces && new ByteSource(pieces);
  try {
    for (let at = from; at < end; ) {
      const sent = await source.take(end - at);
      if (sent === undefined) return false;
      for (let done = 0; staged && done < sent.byteLength; ) {
        const stagedBytes = await staged.take(sent.byteLength - done);
        if (stagedBytes === undefined) throw new DriverError('failed', 'Expected the bytes that were staged before');
        const other = stagedBytes.findIndex((byte, place) => byte !== sent[done + place]);
        if (other >= 0) throw differs(transferId, at + done + other);
        done += stagedBytes.byteLength;
      }
      at += sent.byteLength;
    }
    return true;
  } finally {
    await pieces?.close();
  }
}

const differs = (id: string, at: number): ServiceError =>
  partConflict(id, `Expected the same bytes as those that came before, from byte ${at} on`);

export interface ReceiveParts extends EndParts {
  readonly space: Space;
  readonly publishing: Publishing;
}

/** A checksum that the client sends with a part. */
export interface Checksum {
  readonly hasher: Hasher;
  /** In lower-case hexadecimal. */
  readonly expected: string;
}

interface Part {
  /** The place of its first byte in the file. */
  readonly index: number;
  readonly body: ByteBody;
  /** Without it, bytes of an unchecked body count as they come. With it, all of them or none. */
  readonly checksum?: Checksum | undefined;
}

/** Result of a part: the file as callers see it, and whether it is complete. */
interface Received {
  readonly file: FileRow;
  readonly whole: boolean;
}

/** Refusals of a part with wrong bytes: the whole part is ignored. */
const wrong: ReadonlySet<unknown> = new Set(['bad-value', 'part-conflict']);

/** Takes one part, and publishes the file when it was the last one. */
export async function receivePart(parts: ReceiveParts, row: TransferRow, part: Part, by: Publisher): Promise<Received> {
  requireOpen(row);
  const file = await fileOf(parts, row, by);
  const interval = partInterval(part.index, part.body.length, row.size);
  const to = await writableOf(parts, row);
  const live = parts.live.begin(row.id, interval, () => void part.body.cancel());
  let failure: unknown;
  try {
    await takeBytes(parts, { id: row.id, interval, part, to, by });
  } catch (error) {
    failure = error;
  } finally {
    live.end();
  }
  // Also after a failed part: the last bytes may have come with another part meanwhile.
  const published = await complete(parts, row.id, to.driver, by);
  if (failure !== undefined) throw failure;
  return { file: published ?? file, whole: published !== undefined };
}

/** The file that an upload is for. Its deletion ends the upload. */
async function fileOf(parts: ReceiveParts, row: TransferRow, by: Publisher): Promise<FileRow> {
  const file = row.fileId === null ? undefined : await findFile(parts.store, { id: row.fileId });
  if (file && file.state !== 'TO_BE_DELETED') return file;
  await endTransfer(parts, row.id, by);
  throw noSuchFile(row.fileId ?? '');
}

interface Taking {
  readonly id: string;
  readonly interval: Interval;
  readonly part: Part;
  readonly to: Writable;
  readonly by: Publisher;
}

async function takeBytes(parts: ReceiveParts, { id, interval, part, to, by }: Taking): Promise<void> {
  const { store, clock, live } = parts;
  const { body, checksum } = part;
  const isAtOnce = checksum !== undefined || body.isChecked === true;
  // Read once no other part can write to these bytes any more.
  const row = await rowOf(parts, id);
  requireOpen(row);
  await parts.space.mustHold(to.method, to.driver, body.length ?? 0);
  const source = new ByteSource(checksum ? hashing(body, checksum.hasher) : body);
  const receivedRanges: Interval[] = [];
  try {
    await withSink(to.driver, row, (sink) =>
      writePart({
        transferId: id,
        sink,
        source,
        pieces: piecesOf(readIntervals(row.ranges), interval),
        hashAt: (from) => live.hashAt(id, from, clock.now()),
        async kept(piece) {
          receivedRanges.push(piece);
          if (!isAtOnce) await change(parts, id, { add: piece }, by);
        },
      }),
    );
    if (checksum && checksum.hasher.hex() !== checksum.expected) throw otherBytes();
    for (const piece of isAtOnce ? receivedRanges : []) await change(parts, id, { add: piece }, by);
  } catch (error) {
    const refusal = source.failure ?? storageRefusal(error, { storage: row.storageId });
    const code = refusal instanceof ServiceError ? refusal.code : undefined;
    if (isAtOnce || wrong.has(code)) live.forgetHash(id);
    if (!isAtOnce && wrong.has(code) && receivedRanges.length > 0) {
      await change(parts, id, { remove: receivedRanges }, by).catch(() => undefined);
    }
    if (kindOfFailure(error) !== 'not-found' || error instanceof ServiceError) throw refusal;
    // The staged bytes have been removed meanwhile, so the upload cannot continue.
    await store.commit(changing(failTransfer({ id, now: clock.now() })), by.actor);
    throw noSuchTransfer(id);
  }
}

async function withSink(
  driver: StorageDriver,
  { size, token }: TransferRow,
  use: (sink: PartSink) => Promise<void>,
): Promise<void> {
  const sink = await driver.openParts!({ size, token });
  try {
    await use(sink);
  } finally {
    await sink.close();
  }
}

const hashing = (body: ByteBody, hasher: Hasher) => ({
  async read() {
    const piece = await body.read();
    if (piece) hasher.update(piece);
    return piece;
  },
});

async function rowOf({ store }: ReceiveParts, id: string): Promise<TransferRow> {
  return existing(await findTransfer(store, { id }), noSuchTransfer, id);
}

/** Parts of one transfer write its row in turn: each would find it changed otherwise. */
const change = (
  parts: ReceiveParts,
  id: string,
  to: Parameters<typeof advanceTransfer>[1],
  by: Publisher,
): Promise<unknown> =>
  parts.live.inTurn(id, () =>
    retryWhenChanged(async () => {
      const work = advanceTransfer(await rowOf(parts, id), to, parts.clock.now());
      await parts.store.commit(work, by.actor);
    }),
  );

/** Publishes a file whose bytes are all there. While another part arrives, that one will. */
async function complete(
  parts: ReceiveParts,
  id: string,
  driver: StorageDriver,
  by: Publisher,
): Promise<FileRow | undefined> {
  const { store, clock, live, publishing } = parts;
  return live.inTurn(id, async () => {
    const row = await findTransfer(store, { id });
    if (!row || !isCompleteTransfer(row) || live.isActive(id)) return undefined;
    const now = clock.now();
    const { token, methodId, storageId, path, size } = row;
    const bytes = { token, methodId, storageId, path, size, ...live.hashesOf(id, size, now) };
    const file = { fileId: row.fileId!, mode: row.mode as UploadMode, state: transferRest(row).state };
    const ahead = updateTransfer(row, { state: 'WAITING' }, now, changedMeanwhile('Transfer', id));
    return publishing.publish({ ...bytes, ...file, transferId: id }, driver, by, ahead);
  });
}

const otherBytes = (): ServiceError =>
  new ServiceError('checksum-mismatch', {
    context: 'header Upload-Checksum',
    explanation: 'Expected bytes with this checksum: none of them is kept',
  });
