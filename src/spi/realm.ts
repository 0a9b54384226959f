import type { Credentials, SecretText } from './credentials.ts';

export interface Account {
  /** Name of the matching service user. */
  readonly name: string;
  /** Further attributes from the realm, for user-info providers. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** Claims that attributes were read from, where they have another name: `{ groups: 'realm_access.roles' }`. */
  readonly attributeSources?: Readonly<Record<string, string>>;
  /**
   * Roles and permissions for the filters `roles`, `perms` and `rest` of `[urls]`. Roles of the service (`_item_read`) come
   * from groups of the service user: see `UserInfo.groups`.
   */
  readonly roles?: readonly string[];
  readonly permissions?: readonly string[];
  /** End of the login, in milliseconds since the epoch. Tokens and sessions that it begins end with it. */
  readonly ends?: number;
}

export type RealmAnswer =
  | { readonly answer: 'account'; readonly account: Account }
  /** Credentials for another realm, by their kind or name. */
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
  /** A token that this service has given out, or a session of its web page. Default: a token. */
  verifyToken(token: SecretText, kind?: 'token' | 'session'): Promise<TokenAnswer> | TokenAnswer;
}

/** Services for a realm during one login. */
export interface LoginHost {
  readonly users: ServiceUsers;
  /** Aborted when the realm's time limit ends: its answer no longer counts. */
  readonly signal: AbortSignal;
}

/** Services for a realm that describes a user. */
interface DescribeHost {
  readonly users: {
    /** Service user with this name or alias. */
    find(name: string): Promise<{ readonly name: string; readonly enabled: boolean } | undefined>;
  };
}

/** Realm. An error with `kind: 'busy'` means that it cannot check credentials now: the caller gets 503, not 401. */
export interface Realm {
  supports(credentials: Credentials): boolean;
  authenticate(credentials: Credentials, host: LoginHost): Promise<RealmAnswer> | RealmAnswer;
  /** Milliseconds for caching an accepted login. Unset or 0: no cache. */
  readonly rememberFor?: number;
  /** Milliseconds for which tokens and sessions of an accepted login last at most. Unset: `rememberFor`, if that is set. */
  readonly loginFor?: number;
  /** True: its users change only with the configuration. So its refusal is remembered when a later realm accepts the login. */
  readonly hasFixedUsers?: boolean;
  /**
   * Account that a login of this user would have, for `portico explain --user`. Does not authenticate. Undefined
   * result: unknown user. Without the method, explain reports that only a login would tell.
   */
  describe?(user: string, host: DescribeHost): Promise<Account | undefined> | Account | undefined;
  /** Called when another configuration has taken over, or the service stops. */
  close?(): Promise<void> | void;
}

/** Compares a given password with a stored one. An unreadable stored text matches nothing. */
export interface CredentialsMatcher {
  /** Defect of a stored text that can never match, as a sentence. Checked at start. */
  defect?(stored: SecretText): string | undefined;
  matches(given: SecretText, stored: SecretText, account: { readonly name: string }): Promise<boolean> | boolean;
}
