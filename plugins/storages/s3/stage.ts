import type { HashAlgorithm, Host, Staged, StageOptions } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { InFlight } from '../in-flight.ts';
import { BrokenBody, pour } from '../pour.ts';
import { Cutter, mostInFlight, pieceAt, pieceFor } from './pieces.ts';
import type { S3Staging } from './staging.ts';

/** Stages a body as it comes, a few pieces at a time. Nothing of it stays when it throws. */
export async function stageBody(
  staging: S3Staging,
  { hasher }: Pick<Host, 'hasher'>,
  body: ReadableStream<Uint8Array>,
  { size, hashes = [], signal, onBytes }: StageOptions = {},
): Promise<Staged> {
  const token = staging.newToken();
  const running = new InFlight(mostInFlight);
  const names: string[] = [];
  const digests = hashes.map((name) => [name, hasher(name)] as const);
  let count = 0;

  const put = async (piece: Uint8Array<ArrayBuffer>, from: number) => {
    names.push(await staging.putFragment(token, from, piece, signal));
  };
  const sizeAt = size === undefined ? pieceAt : () => pieceFor(size);
  const cutter = new Cutter(0, sizeAt, (piece, from) => running.add(piece.byteLength, () => put(piece, from)));

  try {
    await pour(body, signal, async (chunk) => {
      count += chunk.byteLength;
      if (size !== undefined && count > size) throw otherSize(size, 'more');
      for (const [, digest] of digests) digest.update(chunk);
      await cutter.add(chunk);
      onBytes?.(count);
    });
    if (size !== undefined && count !== size) throw otherSize(size, String(count));
    await cutter.end();
    if (count === 0) await put(new Uint8Array(), 0);
    await running.ended();
    if (cutter.count > 1) names.push(await staging.putSize(token, count, signal));
    const hexByAlgorithm = digests.map(([name, digest]): [HashAlgorithm, string] => [name, digest.hex()]);
    return { token, size: count, hashes: Object.fromEntries(hexByAlgorithm) };
  } catch (error) {
    await running.settled();
    // Fragments that cannot be removed now are discarded later, by their age.
    await staging.removeAll(token, names).catch(() => undefined);
    throw error instanceof BrokenBody ? error.reason : error;
  }
}

const otherSize = (size: number, found: string) =>
  fault('failed', `Expected a body of ${size} bytes, as announced: ${found}`);
