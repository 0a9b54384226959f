import type { Desk } from '../../room/command.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { IdentitySettings } from '../settings.ts';
import type { IssueToken } from '../tokens/issue.ts';

/** Interface of this room for its commands and for tests. */
interface IdentityOffers {
  readonly passwords: Passwords;
  readonly issueToken: IssueToken;
}

export type IdentityDesk = Desk<IdentityOffers, IdentitySettings>;
