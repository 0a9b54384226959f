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
export const maxIterations = 2_000_000;

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

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Takes the same time wherever the first difference is. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ (b[i] ?? 0);
  return difference === 0;
}

/** Through digests of one length, so that the time tells nothing about the length of the stored text either. */
export const sameText = (a: string, b: string): boolean => sameBytes(sha256(utf8(a)), sha256(utf8(b)));

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Undefined for what is not hexadecimal, in either case of letters. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** With or without padding; undefined for anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bare = text.replace(/=+$/, '');
  if (bare.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(bare), (byte) => byte.charCodeAt(0));
}
