export type HashName = 'SHA-1' | 'SHA-256' | 'MD5';

/** A hash that takes its bytes piece by piece. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** In lower-case hexadecimal. Ends it. */
  hex(): string;
}

export type NewHasher = (name: HashName) => Hasher;
