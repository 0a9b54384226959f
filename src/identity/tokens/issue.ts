import type { Clock } from '../../lib/clock.ts';
import { type Random, textOfBytes } from '../../lib/random.ts';
import type { Work } from '../../store/contract.ts';
import type { Login } from '../users/store.ts';
import { giveToken } from './rules.ts';

export interface TokenIssue {
  /** Milliseconds. */
  readonly lifetime: number;
  readonly autoRefresh: boolean;
  readonly keyId: string | null;
}

/** A token for that user, and what has to be committed before anybody is told of it. */
export type IssueToken = (user: Login, issue: TokenIssue) => { readonly token: string; readonly work: Work };

interface Parts {
  readonly random: Random;
  readonly clock: Clock;
  fingerprint(text: string): string;
}

/** 256 bits: nobody guesses one, and a plain digest of it is as good as a slow one. */
const tokenBytes = 32;
const idBytes = 12;

export function createTokenIssuer({ random, clock, fingerprint }: Parts): IssueToken {
  return (user, issue) => {
    const token = textOfBytes(random.bytes(tokenBytes));
    const made = {
      id: textOfBytes(random.bytes(idBytes)),
      digest: fingerprint(token),
      userId: user.id,
      passwordVersion: user.passwordVersion,
    };
    return { token, work: giveToken({ ...made, ...issue }, clock.now()) };
  };
}
