import { existing } from '../../core/lib/checks.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { type Random, textOfBytes } from '../../core/lib/random.ts';
import { type CommitPlan, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { StoredAccount, UserState } from '../../security/subject.ts';
import { noSuchUser } from '../users/rules.ts';
import { findLogin } from '../users/store.ts';
import type { LoginOrigin } from './origin.ts';
import { expiryOf, giveToken, type TokenKind } from './rules.ts';

interface TokenIssue {
  readonly kind: TokenKind;
  /** Milliseconds until the token expires. */
  readonly lifetime: number;
  readonly autoRefresh: boolean;
  readonly keyId: string | null;
  /** When it ends however much it is used. */
  readonly endsAt?: number | null | undefined;
  readonly from: LoginOrigin;
  /** When the person logged in, for sessions and the tokens that they ask for. */
  readonly loginAt?: number | null | undefined;
  /** Whether the login had a second factor. */
  readonly second?: boolean | undefined;
  /** User who acts by the token, if not the user itself. */
  readonly actor?: UserState | undefined;
  /** User whose logins it ends with, besides its own, and the token or session that asks for it. */
  readonly maker?: StoredAccount | undefined;
  readonly login?: string | undefined;
}

type TokenHolder = Pick<UserState, 'id' | 'name' | 'passwordVersion'>;

/** Creates a token, with the changes to be committed before it is sent. */
export type IssueToken = (
  user: TokenHolder,
  issue: TokenIssue,
) => { readonly id: string; readonly token: string; readonly expires: number; readonly work: CommitPlan };

interface Parts {
  readonly random: Random;
  readonly clock: Clock;
  fingerprint(text: string): string;
}

/** 256 bits cannot be guessed, so a plain digest is as good as a slow one. */
const tokenBytes = 32;
const idBytes = 12;

export function createTokenIssuer({ random, clock, fingerprint }: Parts): IssueToken {
  return (user, { actor, maker, login = null, endsAt = null, loginAt = null, second = false, from, ...issue }) => {
    const token = textOfBytes(random.bytes(tokenBytes));
    const row = {
      id: textOfBytes(random.bytes(idBytes)),
      digest: fingerprint(token),
      userId: user.id,
      passwordVersion: user.passwordVersion,
      actorId: actor?.id ?? null,
      actorVersion: actor?.passwordVersion ?? null,
      makerId: maker?.id ?? null,
      login,
      endsAt,
      way: from.way,
      realm: from.realm ?? null,
      device: from.device ?? null,
      address: from.address ?? null,
      loginAt,
      second,
      ...issue,
    };
    const now = clock.now();
    return { id: row.id, token, expires: expiryOf(row, now), work: giveToken(row, user.name, now, maker) };
  };
}

/** Milliseconds in which the login link of a first start works. */
const lifetimeOfFirst = 30 * 60 * 1000;

/** Issue of a text that logs a user in once, without the password. `lifetime`: milliseconds. */
export const linkIssue = (lifetime: number) =>
  ({ kind: 'link', lifetime, autoRefresh: false, keyId: null, from: { way: 'link' } }) as const;

interface LinkParts {
  readonly store: Store;
  readonly issueToken: IssueToken;
}

/** Text of the login link of a first start. */
export async function makeLink({ store, issueToken }: LinkParts, name: string): Promise<string> {
  const login = existing(await findLogin(store, { name }), noSuchUser, name);
  const { token, work } = issueToken(login, linkIssue(lifetimeOfFirst));
  await store.commit(work, systemActor);
  return token;
}
