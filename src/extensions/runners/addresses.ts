import { ServiceError } from '../../core/lib/errors.ts';
import type { Secret } from '../../core/lib/secret.ts';
import { createSigner } from '../../core/lib/vault.ts';
import { type Addressed, baseOf } from '../../http/address.ts';
import { text, whole } from '../../http/parameters/index.ts';

/** Paths of the bytes of tasks, which need no credentials. */
export const bytesPath = '/APInoauth/runner/task/:claim';

/** Seconds until an address ends. Bytes that are on their way then still arrive. */
export const lifetime = 15 * 60;

export const signedQuery = {
  expires: whole('Expiry of the address, in seconds since the epoch'),
  signature: text('Signature of the address'),
};

type Bytes = 'source' | 'target';

export type Addresses = ReturnType<typeof createAddresses>;

/** Addresses that let their holder read the source of one claim, or write its result, for a short time. */
export function createAddresses(secretKey: Secret | undefined) {
  const signer = secretKey && createSigner(secretKey, 'bytes of runners');
  const textOf = (claim: string, bytes: Bytes, expires: number) => `1\n${bytes}\n${claim}\n${expires}`;

  function needed() {
    if (signer) return signer;
    const explanation =
      'Expected a key to sign addresses with: set PORTICO_SECRET_KEY to 32 random bytes in base64, the same on every instance';
    throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
  }

  return {
    async make(call: Addressed, claim: string, bytes: Bytes, expires: number): Promise<string> {
      const signature = await needed().sign(textOf(claim, bytes, expires));
      const path = `${bytesPath.replace(':claim', claim)}/${bytes}`;
      const base = baseOf(call);
      const origin = call.root === '' ? base : base.slice(0, -call.root.length);
      return `${origin}${path}?expires=${expires}&signature=${signature}`;
    },
    /** Throws unless the address was made here and has not ended. */
    async check({ expires = 0, signature = '' }: SignedQuery, claim: string, bytes: Bytes, now: number): Promise<void> {
      if (!(await needed().verify(textOf(claim, bytes, expires), signature))) {
        throw refused('Expected an address of this service, as it was made');
      }
      if (now >= expires * 1000) throw refused('Expected an address that has not ended');
    },
  };
}

interface SignedQuery {
  readonly expires: number | undefined;
  readonly signature: string | undefined;
}

const refused = (explanation: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'parameter', id: 'signature', explanation });
