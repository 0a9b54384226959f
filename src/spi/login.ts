import type { Account } from './realm.ts';

/** Login by way of a provider: the browser goes to a page of the provider, and comes back with an answer. */
export interface RedirectLogin {
  /** Name of the provider on the login page. */
  readonly title: string;
  /** Name of an icon of the web page. */
  readonly icon?: string;
  /**
   * Whether a user of this service who exists already may be entered by the account of that name. False: only users
   * whom the same person of the provider was before. `provisioned`: also those whom a provider brought by SCIM, once.
   */
  readonly joinsUsers?: boolean | 'provisioned';
  /** Where the browser goes. */
  begin(order: LoginOrder): Promise<LoginStart> | LoginStart;
  /** Judges what the browser came back with. An exception is a refusal that is logged. */
  finish(back: LoginReturn): Promise<LoginOutcome> | LoginOutcome;
  /** Asks the provider again, when the end of the last outcome comes near. A refusal ends the session. */
  again?(kept: string): Promise<LoginOutcome> | LoginOutcome;
  /** Address at which the provider ends its own session and sends the browser back. Undefined: there is none. */
  end?(kept: string, back: string): Promise<string | undefined> | string | undefined;
  /** Reads a message of the provider that a login has ended there. Undefined: the message proves nothing. */
  ended?(message: string): Promise<EndedLogin | undefined> | EndedLogin | undefined;
  close?(): Promise<void> | void;
}

/** Wishes of the web page for a login. */
export interface LoginOrder {
  /** Address of this service to which the provider sends the browser back. */
  readonly back: string;
  /** Name that the person may have at the provider. */
  readonly hint?: string | undefined;
  /** Whether the provider asks the person, by the words of OpenID Connect. */
  readonly prompt?: 'none' | 'login' | 'consent' | 'select_account' | undefined;
}

export interface LoginStart {
  readonly address: string;
  /** Secrets of this login, which `finish` gets again. The service seals them into a cookie of the browser. */
  readonly state: string;
}

export interface LoginReturn {
  readonly back: string;
  readonly state: string;
  /** Query of the request. The sender of the request wrote it. */
  readonly query: URLSearchParams;
}

export type LoginOutcome =
  | {
      readonly answer: 'account';
      /** `ends`: until then the provider vouches for the account. */
      readonly account: Account;
      /** When the person showed the provider who they are. Undefined: it does not tell, so the login is an old one. */
      readonly loginAt?: number | undefined;
      /** The person at the provider, unique among all providers, and never given to another person. */
      readonly person: string;
      /** Session at the provider, unique among all providers. */
      readonly session?: string | undefined;
      /** Secrets for `again` and `end`. The service seals them. */
      readonly kept?: string | undefined;
      /** When `again` is to be called. Undefined: never. */
      readonly againAt?: number | undefined;
    }
  | {
      readonly answer: 'refused';
      readonly reason: string;
      /** Name of the account, and the claim that is at fault, for the log. */
      readonly user?: string | undefined;
      readonly claim?: string | undefined;
    };

/** The logins that ended: those of the session, where it is named, otherwise all of the person. */
export interface EndedLogin {
  readonly person?: string | undefined;
  readonly session?: string | undefined;
}
