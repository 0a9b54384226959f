import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../../../src/kit/index.ts';
import type { HashAlgorithm, Staged, StageOptions } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { InFlight } from '../in-flight.ts';
import { BodyFault, pour } from '../pour.ts';
import { Cutter, mostInFlight, pieceAt, pieceFor } from './pieces.ts';
import type { Staging } from './staging.ts';

/** Web Crypto hashes only what is there as a whole. */
const algorithms = { 'SHA-1': sha1, 'SHA-256': sha256, MD5: md5 } as const;

/** Stages a body as it comes, a few pieces at a time. Nothing of it stays when it throws. */
export async function stageBody(
  staging: Staging,
  body: ReadableStream<Uint8Array>,
  { size, hashes = [], signal, onBytes }: StageOptions = {},
): Promise<Staged> {
  const token = staging.newToken();
  const running = new InFlight(mostInFlight);
  const names: string[] = [];
  const digests = hashes.map((name) => [name, algorithms[name].create()] as const);
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
    const told = digests.map(([name, digest]): [HashAlgorithm, string] => [name, toHex(digest.digest())]);
    return { token, size: count, hashes: Object.fromEntries(told) };
  } catch (error) {
    await running.settled();
    // What cannot be removed now is found by its age.
    await staging.removeAll(token, names).catch(() => undefined);
    throw error instanceof BodyFault ? error.reason : error;
  }
}

const otherSize = (size: number, found: string) =>
  fault('failed', `Expected a body of ${size} bytes, as announced: ${found}`);
