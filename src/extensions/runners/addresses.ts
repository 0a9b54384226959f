import { type Addressed, serviceOrigin } from '../../http/address.ts';
import { text, whole } from '../../http/parameters/index.ts';
import { createLinkSignatures } from '../../storage/public.ts';
import type { RunnerContext } from './parts.ts';

/** Paths of the bytes of tasks, which need no credentials. */
export const bytesPath = '/APInoauth/runner/task/:claim';

/** Seconds until an address ends. Bytes that are on their way then still arrive. */
export const lifetime = 15 * 60;

export const signedQuery = {
  expires: whole('Expiry of the address, in seconds since the epoch'),
  signature: text('Signature of the address'),
};

interface SignedQuery {
  readonly expires: number | undefined;
  readonly signature: string | undefined;
}

type Bytes = 'source' | 'target';

export type Addresses = ReturnType<typeof createAddresses>;

/** Addresses that let their holder read the source of one claim, or write its result, for a short time. */
export function createAddresses(parts: Pick<RunnerContext, 'secretKey' | 'clock'>) {
  const signatures = createLinkSignatures(parts, 'bytes of runners');
  const subjectOf = (claim: string, bytes: Bytes): string => `${bytes}\n${claim}`;
  return {
    async make(call: Addressed, claim: string, bytes: Bytes, expires: number): Promise<string> {
      const signature = await signatures.sign(subjectOf(claim, bytes), expires);
      const path = `${bytesPath.replace(':claim', claim)}/${bytes}`;
      return `${serviceOrigin(call)}${path}?expires=${expires}&signature=${signature}`;
    },
    /** Throws unless the address was made here and has not ended. */
    check: ({ expires = 0, signature = '' }: SignedQuery, claim: string, bytes: Bytes): Promise<void> =>
      signatures.check(subjectOf(claim, bytes), expires, signature, `to the ${bytes} of a task`),
  };
}
