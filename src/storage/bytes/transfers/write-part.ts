import { ServiceError } from '../../../core/lib/errors.ts';
import type { PartSink } from '../../../spi/index.ts';
import { DriverError } from '../../places/refusals.ts';
import { ByteSource, piecesOfStream, sourceStream } from '../receiving/byte-source.ts';
import { partConflict } from '../refusals.ts';
import type { BytePiece, Interval } from './intervals.ts';
import type { LiveHash } from './live.ts';

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
export async function writePart(writing: PartWriting): Promise<void> {
  for (const piece of writing.pieces) {
    const whole = piece.there ? await compare(writing, piece) : await write(writing, piece);
    if (!whole) return;
  }
  if (await writing.source.ended()) return;
  throw new ServiceError('bad-value', { context: 'body', explanation: 'Expected a part within the size of the file' });
}

async function write({ sink, source, hashAt, kept }: PartWriting, { from, end }: BytePiece): Promise<boolean> {
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
      await kept([at, at + written]);
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
