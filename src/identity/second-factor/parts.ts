import type { Log } from '../../core/lib/log.ts';
import type { Random } from '../../core/lib/random.ts';
import type { Secret } from '../../core/lib/secret.ts';
import { createSigner, createVault, requireKey, type Vault } from '../../core/lib/vault.ts';
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

/** Parts that the secret key of the service protects. */
export interface FactorKeys {
  readonly vault: Vault;
  readonly challenges: Challenges;
}

export function factorKeysOf({ secretKey, random, clock }: FactorParts): () => FactorKeys {
  let keys: FactorKeys | undefined;
  return () => {
    const key = requireKey(secretKey, 'seal second factors under');
    const signer = createSigner(key, 'challenges for passkeys');
    keys ??= { vault: createVault(key, random), challenges: createChallenges({ signer, random, clock }) };
    return keys;
  };
}

/** The page of a request: its origin, and the host name that passkeys are for. */
export function pageOf(call: Addressed): { readonly origin: string; readonly host: string } {
  const { origin, hostname } = new URL(baseOf(call));
  return { origin, host: hostname };
}
