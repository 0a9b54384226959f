import type { Credentials } from './credentials.ts';
import type { Account } from './realm.ts';

/** Wanted state of a service user after a login. */
export interface UserInfo {
  readonly userName: string;
  readonly realName?: string;
  /** Names of groups and roles. Unknown names are ignored and logged. */
  readonly groups?: readonly string[];
  /** Claim or attribute that gives a group, by the name of the group. Kept for those who ask why a user is in it. */
  readonly groupSources?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Maps an account of a realm to a service user. Undefined: no user is created, and the login stays valid. */
export interface ServiceUserInfoProvider {
  userInfo(account: Account, signal: AbortSignal): Promise<UserInfo | undefined> | UserInfo | undefined;
}

export interface LoginEvent {
  readonly credentials: Credentials;
  /** The realms that accepted, in order, or the login of the provider. */
  readonly realms: readonly string[];
}

/** Changes to users by a listener. Creation and update are one commit with their events. */
export interface UserWriter {
  /**
   * Creates the user, or updates metadata, the real name and the groups that an earlier login gave. Changes a disabled user
   * only with `enable`. `taken`: another user has the name in another case, so nothing changed. Rejects where the name is
   * not that of the account.
   */
  createOrUpdate(info: UserInfo, options: { readonly enable: boolean }): Promise<'ready' | 'disabled' | 'taken'>;
}

export interface ListenerHost {
  readonly users: UserWriter;
  readonly signal: AbortSignal;
}

/**
 * Listener of logins, called once per login, not once per realm. An exception on success makes the login fail; on
 * failure it is logged.
 */
export interface AuthenticationListener {
  onSuccess?(account: Account, login: LoginEvent, host: ListenerHost): Promise<void> | void;
  onFailure?(credentials: Credentials, reason: string): Promise<void> | void;
}
