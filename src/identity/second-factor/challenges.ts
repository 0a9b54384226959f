import type { Clock } from '../../core/lib/clock.ts';
import { type Random, textOfBytes } from '../../core/lib/random.ts';
import type { createSigner } from '../../core/lib/vault.ts';

/** How long a person may take to answer, in milliseconds. */
export const answerTime = 5 * 60_000;

/** `login`: without a password, of nobody that the service knows yet. */
export type ChallengeUse = 'enrol' | 'second' | 'login';

/** Challenges for passkeys. A signature carries what they are for, so that no instance remembers them. */
export interface Challenges {
  make(use: ChallengeUse, userId: string): Promise<string>;
  /** Whether this service has made the challenge for that use, and it has not expired. */
  verify(challenge: string, use: ChallengeUse, userId: string): Promise<boolean>;
}

const form = /^([\w-]{22})\.([\da-z]{1,11})\.([\w-]{43})$/;

interface Parts {
  readonly signer: ReturnType<typeof createSigner>;
  readonly random: Random;
  readonly clock: Clock;
}

export function createChallenges({ signer, random, clock }: Parts): Challenges {
  const signed = (use: string, userId: string, nonce: string, expires: string) =>
    `${use} ${userId} ${nonce} ${expires}`;
  return {
    async make(use, userId) {
      const nonce = textOfBytes(random.bytes(16));
      const expires = (clock.now() + answerTime).toString(36);
      return `${nonce}.${expires}.${await signer.sign(signed(use, userId, nonce, expires))}`;
    },
    async verify(challenge, use, userId) {
      const [, nonce, expires, signature] = form.exec(challenge) ?? [];
      if (!nonce || !expires || !signature || Number.parseInt(expires, 36) <= clock.now()) return false;
      return signer.verify(signed(use, userId, nonce, expires), signature);
    },
  };
}
