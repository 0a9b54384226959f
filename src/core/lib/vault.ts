import { fromBase64, readBase64 } from './bytes.ts';
import { ServiceError } from './errors.ts';
import { type Random, textOfBytes } from './random.ts';
import type { Secret } from './secret.ts';

const utf8 = new TextEncoder();

/** Thrown if a text cannot be decrypted: another key, another purpose, or damaged. */
export class VaultError extends Error {}

/** The key of the instance, or what is made of it. Throws where there is none. `purpose`: for the message. */
export function requireKey<T>(key: T | undefined, purpose: string): T {
  if (key !== undefined) return key;
  const remedy = 'set PORTICO_SECRET_KEY to 32 random bytes in base64, the same on every instance';
  const explanation = `Expected a key to ${purpose}: ${remedy}`;
  throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
}

/**
 * Encrypts secrets that must be read back. AES-256-GCM under a key outside of the database. The purpose is
 * authenticated, so that an encrypted text cannot be moved to another place.
 */
export interface Vault {
  seal(text: string, purpose: string): Promise<string>;
  open(sealed: string, purpose: string): Promise<string>;
}

const nonceBytes = 12;
const form = /^v1\.([\w-]{8})\.([\w-]+)$/;

/** Tells keys apart, and tells nothing about this one. */
async function nameBytes(key: Secret): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest('SHA-256', fromBase64(key.reveal()));
  return new Uint8Array(digest).subarray(0, 6);
}

/** The name of a key as a number, for a database to remember which key its secrets are stored under. */
export const numberOfKey = async (key: Secret): Promise<number> =>
  (await nameBytes(key)).reduce((number, byte) => number * 256 + byte, 0);

export function createVault(key: Secret, random: Random): Vault {
  let cached: { readonly name: string; readonly key: CryptoKey } | undefined;

  async function make() {
    const bytes = fromBase64(key.reveal());
    return {
      name: textOfBytes(await nameBytes(key)),
      key: await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
    };
  }

  // The result and no promise is kept: on an edge no request may wait for what another one began.
  const currentKey = async () => {
    cached ??= await make();
    return cached;
  };
  const parameters = (iv: Uint8Array<ArrayBuffer>, purpose: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: utf8.encode(purpose),
  });

  return {
    async seal(text, purpose) {
      const { name, key: current } = await currentKey();
      const iv = random.bytes(nonceBytes);
      const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, purpose), current, utf8.encode(text)));
      const whole = new Uint8Array(iv.length + sealed.length);
      whole.set(iv);
      whole.set(sealed, iv.length);
      return `v1.${name}.${textOfBytes(whole)}`;
    },
    async open(sealed, purpose) {
      const { name, key: current } = await currentKey();
      const [, sealedBy, text = ''] = form.exec(sealed) ?? [];
      if (sealedBy === undefined) throw new VaultError('Expected a sealed text');
      if (sealedBy !== name)
        throw new VaultError('Expected the key that a secret was stored under: it was another one');
      const whole = fromBase64(text);
      const [iv, data] = [whole.subarray(0, nonceBytes), whole.subarray(nonceBytes)];
      try {
        return new TextDecoder().decode(await crypto.subtle.decrypt(parameters(iv, purpose), current, data));
      } catch {
        throw new VaultError('Cannot open a stored secret: it is damaged, or belongs elsewhere');
      }
    },
  };
}

/** Signs texts that leave the service and come back. What one purpose has signed no other one takes. */
export interface Signer {
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
}

/** HMAC-SHA-256 under a key of its own, derived from the secret key by HKDF. */
export function createSigner(secretKey: Secret, purpose: string): Signer {
  let signingKey: CryptoKey | undefined;

  async function make(): Promise<CryptoKey> {
    const { subtle } = crypto;
    const base = await subtle.importKey('raw', fromBase64(secretKey.reveal()), 'HKDF', false, ['deriveKey']);
    const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8.encode(purpose) };
    return subtle.deriveKey(from, base, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign', 'verify']);
  }

  // The result and no promise is kept: on an edge no request may wait for what another one began.
  const key = async (): Promise<CryptoKey> => {
    signingKey ??= await make();
    return signingKey;
  };

  return {
    sign: async (text) => textOfBytes(new Uint8Array(await crypto.subtle.sign('HMAC', await key(), utf8.encode(text)))),
    async verify(text, signature) {
      const bytes = readBase64(signature);
      return bytes !== undefined && crypto.subtle.verify('HMAC', await key(), bytes, utf8.encode(text));
    },
  };
}
