import { createHash, hash, scrypt as nodeScrypt, randomBytes } from 'node:crypto';
import type { HashName, NewHasher } from '../core/lib/bytes.ts';
import type { Scrypt } from '../identity/public.ts';

/** `node:crypto` exists on every runtime here: it has the one strong password hash that all of them can run. */

const mebibyte = 1024 * 1024;

/** Computed in the thread pool: serving goes on meanwhile. */
export const scrypt: Scrypt = (password, salt, { cost, block, parallel }, length) =>
  new Promise((resolve, reject) => {
    const options = { N: 2 ** cost, r: block, p: parallel, maxmem: 256 * mebibyte };
    nodeScrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

/**
 * Synchronous keyed digest, because WebCrypto's takes a tick of the event loop for every request. A key prefix suffices
 * for digests that stay secret; an HMAC costs five times as much.
 */
export function keyedDigest(): (text: string) => string {
  const key = randomBytes(32).toString('base64');
  return (text) => hash('sha256', key + text, 'hex');
}

/** Digest under which long random texts are stored. No salt, no slow hash: random texts cannot be guessed. */
export const fingerprint = (text: string): string => hash('sha256', text, 'base64url');

const algorithms: Readonly<Record<HashName, string>> = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-512': 'sha512',
  MD5: 'md5',
};

export const hasher: NewHasher = (name) => {
  const running = createHash(algorithms[name]);
  return {
    update: (bytes) => void running.update(bytes),
    hex: () => running.digest('hex'),
  };
};
