import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { asyncLoop } from '@noble/hashes/utils.js';

interface Digest {
  readonly length: number;
  /** Broken: still compared, so that old files load, but never without a word in the log. */
  readonly legacy?: true;
  of(bytes: Uint8Array): Uint8Array;
}

/** By the names of `hashAlgorithmName`, in lower case. Synchronous ones: half a million turns through a promise take minutes. */
const digests: ReadonlyMap<string, Digest> = new Map<string, Digest>([
  ['md5', { length: 16, legacy: true, of: md5 }],
  ['sha', { length: 20, legacy: true, of: sha1 }],
  ['sha-1', { length: 20, legacy: true, of: sha1 }],
  ['sha-256', { length: 32, of: sha256 }],
  ['sha-384', { length: 48, of: sha384 }],
  ['sha-512', { length: 64, of: sha512 }],
]);

export const digestNames = 'SHA-256, SHA-384, SHA-512 (and MD5, SHA-1 for old files)';

export const digestNamed = (name: string): Digest | undefined => digests.get(name.toLowerCase());

/** Two seconds of one core: more is a mistake, or an attack on the server that verifies it. */
export const mostIterations = 2_000_000;

/** Milliseconds of hashing between two yields to the event loop. */
const slice = 8;

/** The digest of salt and password, and of that again. Lets go of the event loop between slices. */
export async function iterated(digest: Digest, bytes: Uint8Array, iterations: number): Promise<Uint8Array> {
  let current = digest.of(bytes);
  await asyncLoop(iterations - 1, slice, () => {
    current = digest.of(current);
  });
  return current;
}
