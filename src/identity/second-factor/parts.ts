import { ServiceError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Random } from '../../core/lib/random.ts';
import type { Secret } from '../../core/lib/secret.ts';
import { createSigner, createVault, type Vault } from '../../core/lib/vault.ts';
import { type Addressed, baseOf } from '../../http/address.ts';
import type { IdentityParts } from '../parts.ts';
import { type Challenges, createChallenges } from './challenges.ts';

/** Parts of the routes of second factors. */
export interface FactorParts extends IdentityParts {
  readonly random: Random;
  readonly log: Log;
  readonly secretKey: Secret | undefined;
  fingerprint(text: string): string;
}

/** What the secret key of the service protects. */
export interface FactorKeys {
  readonly vault: Vault;
  readonly challenges: Challenges;
}

export function factorKeysOf({ secretKey, random, clock }: FactorParts): () => FactorKeys {
  let keys: FactorKeys | undefined;
  return () => {
    if (!secretKey) {
      const explanation =
        'Expected a key to seal second factors under: set PORTICO_SECRET_KEY to 32 random bytes in base64, the same on every instance';
      throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
    }
    const signer = createSigner(secretKey, 'challenges for passkeys');
    keys ??= { vault: createVault(secretKey, random), challenges: createChallenges({ signer, random, clock }) };
    return keys;
  };
}

/** The page of a request: its origin, and the host name that passkeys are for. */
export function pageOf(call: Addressed): { readonly origin: string; readonly host: string } {
  const { origin, hostname } = new URL(baseOf(call));
  return { origin, host: hostname };
}
