import { fromBase64, readBase64 } from './base64.ts';
import { textOfBytes } from './random.ts';
import type { Secret } from './secret.ts';

/** Signs texts that leave the service and come back. What one purpose has signed no other one takes. */
interface Signer {
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
}

const utf8 = new TextEncoder();

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
