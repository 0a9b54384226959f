import type { Credentials } from './credentials.ts';
import type { Account } from './realm.ts';

/** What a service user should look like after a login. */
export interface UserInfo {
  readonly userName: string;
  readonly realName?: string;
  /** Groups and roles by name. Those that do not exist are left out and logged. */
  readonly groups?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Maps what a realm knows about an account to a service user. Undefined: no user is made, and the login stands as it is. */
export interface ServiceUserInfoProvider {
  userInfo(account: Account, signal: AbortSignal): Promise<UserInfo | undefined> | UserInfo | undefined;
}

export interface LoginEvent {
  readonly credentials: Credentials;
  /** The realms that accepted, in order. */
  readonly realms: readonly string[];
}

/** What a listener may do about users. Creation and update are one commit with their events. */
export interface UserWriter {
  /** Creates the user, or brings real name, groups and metadata up to date. Refuses to touch a disabled one unless told. */
  createOrUpdate(info: UserInfo, options: { readonly enable: boolean }): Promise<'ready' | 'disabled'>;
}

export interface ListenerHost {
  readonly users: UserWriter;
  readonly signal: AbortSignal;
}

/** Told once per login, not once per realm. One that throws on success makes the login fail; on failure it is logged. */
export interface AuthenticationListener {
  onSuccess?(account: Account, login: LoginEvent, host: ListenerHost): Promise<void> | void;
  onFailure?(credentials: Credentials, reason: string): Promise<void> | void;
}
