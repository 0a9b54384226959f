/**
 * The plugin contract: types only, importing nothing.
 *
 * Glossary
 *   credentials  what a request offers as proof: a password, later a token or a bearer token
 *   realm        asks one source of accounts whether credentials are good
 *   account      who a realm says it is: a name, and what the realm knows about it
 *   filter       one step of a chain; looks at a request and answers pass, accept or refuse
 *   chain        the filters that a request meets, chosen by its path
 *   reason       a stable word for a refusal, in the log and the metrics, never in the answer
 */

/** A text that prints itself as a mask; `reveal` is the only way to read it. */
export interface SecretText {
  reveal(): string;
}

/** User name and password as HTTP basic authentication delivers them: exactly as received. */
export interface PasswordCredentials {
  readonly kind: 'password';
  readonly user: string;
  readonly password: SecretText;
}

export type Credentials = PasswordCredentials;

export interface Account {
  /** The name of the service user that this account stands for. */
  readonly name: string;
  /** What the realm knows besides, for user-info providers. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
}

export type RealmAnswer =
  | { readonly answer: 'account'; readonly account: Account }
  /** These credentials are of a kind, or for a name, that another realm answers for. */
  | { readonly answer: 'not-mine' }
  | { readonly answer: 'refused'; readonly reason: string };

export type PasswordAnswer =
  | { readonly verified: true; readonly name: string }
  | { readonly verified: false; readonly reason: 'unknown-user' | 'wrong-password' | 'user-disabled' };

/** The users in the service's own database, lent to realms. */
export interface ServiceUsers {
  /** Takes the same time whether or not the user exists. An alias counts as its user. */
  verifyPassword(user: string, password: SecretText): Promise<PasswordAnswer>;
}

export interface Realm {
  readonly name: string;
  supports(credentials: Credentials): boolean;
  authenticate(credentials: Credentials, host: { readonly users: ServiceUsers }): Promise<RealmAnswer>;
}

export type LoginAnswer =
  | { readonly accepted: true; readonly account: Account }
  | { readonly accepted: false; readonly reason: string };

/** What a filter sees of a request. The path is the one that routes match on: one function made it. */
export interface FilterRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** True where the chain says `[permissive]`: without this filter's credentials, go on. */
  readonly permissive: boolean;
  /** Wraps a text from the request so that it cannot reach a log. */
  secret(text: string): SecretText;
  /** Asks the realms. */
  login(credentials: Credentials): Promise<LoginAnswer>;
}

export type Verdict =
  /** Not mine: the next filter decides. At the end of a chain that authenticates, that is a refusal. */
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'accept'; readonly account: Account }
  | { readonly verdict: 'refuse'; readonly reason: string; readonly response: Refusal };

/** An answer without a body: refusals before authentication say no more than they must. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Filter {
  readonly name: string;
  check(request: FilterRequest): Verdict | Promise<Verdict>;
}
