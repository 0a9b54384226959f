import { pbkdf2Async } from '@noble/hashes/pbkdf2.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

/** Off the event loop where the runtime lets us; some edges stop at 100,000 iterations, and there it is counted by hand. */
export async function derive(
  bits: '256' | '512',
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  length: number,
): Promise<Uint8Array> {
  try {
    const raw = Uint8Array.from(password);
    const key = await crypto.subtle.importKey('raw', raw, 'PBKDF2', false, ['deriveBits']);
    const parameters = { name: 'PBKDF2', hash: `SHA-${bits}`, salt: Uint8Array.from(salt), iterations };
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, length * 8));
  } catch {
    return pbkdf2Async(bits === '256' ? sha256 : sha512, password, salt, { c: iterations, dkLen: length });
  }
}
