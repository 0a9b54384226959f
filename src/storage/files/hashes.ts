import type { Hasher, NewHasher } from '../../core/lib/bytes.ts';
import type { HashAlgorithm } from '../../spi/index.ts';

/** Algorithms that drivers compute while they stage the bytes of a file. */
export const keptAlgorithms: readonly HashAlgorithm[] = ['SHA-1', 'SHA-256'];

/** Hashes that a file keeps. `digest` is SHA-1 and SHA-256 of the same bytes, with a colon between. */
export interface FileHashes {
  readonly hash: string | null;
  readonly digest: string | null;
}

export const noHashes: FileHashes = { hash: null, digest: null };

export function fileHashes(hashes: Readonly<Partial<Record<HashAlgorithm, string>>>): FileHashes {
  const { 'SHA-1': hash = null, 'SHA-256': sha256 } = hashes;
  return { hash, digest: hash === null || sha256 === undefined ? null : `${hash}:${sha256}` };
}

/** The SHA-256 of a file. Undefined: not known, or the SHA-1 is another one since, which clients may set. */
export const sha256Of = ({ hash, digest }: FileHashes): string | undefined =>
  hash !== null && digest?.startsWith(`${hash}:`) ? digest.slice(hash.length + 1) : undefined;

/** Hashes bytes piece by piece by all algorithms that a file keeps. */
export function newFileHasher(newHasher: NewHasher): Pick<Hasher, 'update'> & { read(): FileHashes } {
  const running = keptAlgorithms.map((name) => [name, newHasher(name)] as const);
  return {
    update(piece) {
      for (const [, hasher] of running) hasher.update(piece);
    },
    read: () => fileHashes(Object.fromEntries(running.map(([name, hasher]) => [name, hasher.hex()]))),
  };
}
