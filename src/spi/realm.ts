import type { Credentials, SecretText } from './credentials.ts';

export interface Account {
  /** The name of the service user that this account stands for. */
  readonly name: string;
  /** What the realm knows besides, for user-info providers. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** Roles and permissions that the realm itself grants: for the filters `roles`, `perms` and `rest`. */
  readonly roles?: readonly string[];
  readonly permissions?: readonly string[];
}

export type RealmAnswer =
  | { readonly answer: 'account'; readonly account: Account }
  /** These credentials are of a kind, or for a name, that another realm answers for. */
  | { readonly answer: 'not-mine' }
  | { readonly answer: 'refused'; readonly reason: string };

export type PasswordRefusal =
  | 'unknown-user'
  | 'wrong-password'
  | 'user-disabled'
  | 'unknown-key'
  | 'wrong-secret'
  | 'key-disabled';

export type PasswordAnswer =
  | { readonly verified: true; readonly name: string }
  | { readonly verified: false; readonly reason: PasswordRefusal };

export type TokenAnswer =
  | { readonly verified: true; readonly name: string }
  | { readonly verified: false; readonly reason: 'unknown-token' | 'expired-token' | 'user-disabled' };

/** The users in the service's own database, lent to realms. */
export interface ServiceUsers {
  /**
   * Takes the same time whether or not the user exists. An alias counts as its user, and so does an access key:
   * its id as the name, its secret as the password.
   */
  verifyPassword(user: string, password: SecretText): Promise<PasswordAnswer> | PasswordAnswer;
  /** A token that this service has given out. */
  verifyToken(token: SecretText): Promise<TokenAnswer> | TokenAnswer;
}

/** What a realm is lent for one login. */
export interface LoginHost {
  readonly users: ServiceUsers;
  /** Aborted when the realm's time is up: its answer no longer counts. */
  readonly signal: AbortSignal;
}

/** What a realm is lent to tell of a user. */
export interface DescribeHost {
  readonly users: {
    /** A user of the service, by name or alias. */
    find(name: string): Promise<{ readonly name: string; readonly enabled: boolean } | undefined>;
  };
}

/** An error with `kind: 'busy'` says that the realm cannot check the credentials now: the caller is told 503, not 401. */
export interface Realm {
  supports(credentials: Credentials): boolean;
  authenticate(credentials: Credentials, host: LoginHost): Promise<RealmAnswer> | RealmAnswer;
  /** Milliseconds for which a login that it accepted is not asked for again. Unset or 0: it is asked every time. */
  readonly rememberFor?: number;
  /** True: its users change only with the configuration. So its refusal is remembered when a later realm accepts the login. */
  readonly hasFixedUsers?: boolean;
  /**
   * The account that a login of this user would bring, without one: `portico explain --user` tells operators by it. It
   * lets nobody in. Undefined: the realm knows no such user. Without it, explain says that only a login would tell.
   */
  describe?(user: string, host: DescribeHost): Promise<Account | undefined> | Account | undefined;
  /** Called when another configuration has taken over, or the service stops. */
  close?(): Promise<void> | void;
}

/** Compares a given password with a stored one. Stored text that it cannot read matches nothing. */
export interface CredentialsMatcher {
  /** What is wrong with a stored text that could never match, as a sentence: told at start. */
  defect?(stored: SecretText): string | undefined;
  matches(given: SecretText, stored: SecretText, account: { readonly name: string }): Promise<boolean> | boolean;
}
