import type { Desk } from '../../room/command.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { IdentitySettings } from '../settings.ts';
import type { IssueToken } from '../tokens/issue.ts';

/** What this room offers to its commands, and to tests. */
export interface IdentityOffers {
  readonly passwords: Passwords;
  readonly issueToken: IssueToken;
}

export type IdentityDesk = Desk<IdentityOffers, IdentitySettings>;
