import { toBase64 } from '../../../core/lib/bytes.ts';

/** Signing keys made of one secret of a notification. */
export interface SigningKey {
  readonly hmac: CryptoKey;
  readonly ed25519?: CryptoKey | undefined;
}

const encoder = new TextEncoder();

/**
 * The headers of Standard Webhooks. One signature for each valid secret and each algorithm: a receiver that knows one of
 * them can verify.
 */
export async function signatureHeaders(
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
  keys: readonly SigningKey[],
): Promise<Readonly<Record<string, string>>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  const signing = keys.flatMap(({ hmac, ed25519 }) => [
    sign('v1', 'HMAC', hmac, signed),
    ...(ed25519 === undefined ? [] : [sign('v1a', 'Ed25519', ed25519, signed)]),
  ]);
  const signatures = (await Promise.all(signing)).join(' ');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  return signatures === '' ? headers : { ...headers, 'webhook-signature': signatures };
}

const sign = async (version: string, algorithm: string, key: CryptoKey, data: Uint8Array<ArrayBuffer>) =>
  `${version},${toBase64(new Uint8Array(await crypto.subtle.sign(algorithm, key, data)))}`;
