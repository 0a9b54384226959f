import type { Credentials, SecretText } from './credentials.ts';
import type { Account } from './realm.ts';

export type LoginAnswer =
  | { readonly accepted: true; readonly account: Account }
  | { readonly accepted: false; readonly reason: string };

/** Who is known so far: an earlier filter of the chain accepted. */
export interface KnownCaller {
  readonly name: string;
  hasRole(role: string): Promise<boolean>;
  /** What the realms that accepted grant, as they wrote it. */
  readonly permissions: readonly string[];
}

/**
 * What a filter sees of a request. The path is the one that routes match on: one function made it. Only where a route
 * takes any text in a segment are `/`, `\`, `;` and `%` written `%2F`, `%5C`, `%3B` and `%25`. Never decode it.
 */
export interface FilterRequest {
  readonly method: string;
  readonly path: string;
  /** The target as it came over the wire, where the runtime tells; else as the runtime gives it. Without the query. */
  readonly rawPath: string;
  /** As it came, without the question mark. */
  readonly query: string | undefined;
  readonly headers: Headers;
  /** The header Authorization, looked up once: most filters ask for it. */
  readonly authorization: string | null;
  /** Of the caller, as the socket knows it, or a proxy tells that the settings trust: nobody else's header counts. */
  readonly address: string | undefined;
  readonly secure: boolean;
  /** From the Host header, else the default of the scheme. */
  readonly port: number;
  /** What this filter made of its brackets in this chain; undefined without brackets. */
  readonly options: unknown;
  readonly caller: KnownCaller | undefined;
  /** Wraps a text from the request so that it cannot reach a log. */
  secret(text: string): SecretText;
  /** Asks the realms. */
  login(credentials: Credentials): Promise<LoginAnswer> | LoginAnswer;
  /** The service user of that name or alias, as the database has it now. */
  findUser(name: string): Promise<ServiceUser | undefined> | ServiceUser | undefined;
  /** What `/configuration/auth` says now, on whichever instance it was written. */
  oauth2(): Promise<OAuth2Setup> | OAuth2Setup;
}

export interface ServiceUser {
  readonly name: string;
  readonly enabled: boolean;
}

/** How bearer tokens are validated, as the API was told. Exactly one of the three ways has its elements. */
export interface OAuth2Configuration {
  readonly x509Certificate?: readonly string[] | undefined;
  readonly publicKey?: readonly string[] | undefined;
  readonly expectedAudience?: string | undefined;
  readonly tokenUser?: string | undefined;
  readonly federationMetadataURI?: string | undefined;
  /** Seconds. */
  readonly federationMetadataInterval?: number | undefined;
  readonly validationEndpoint?: string | undefined;
}

export interface OAuth2Setup {
  /** Changes whenever the configuration does: what was made from another one no longer counts. */
  readonly revision: number;
  /** Undefined where the API was told nothing. */
  readonly configuration: OAuth2Configuration | undefined;
}

export type Verdict =
  /** Not mine: the next filter decides. At the end of a chain that authenticates, that is a refusal. */
  /** Headers are added to whatever is answered in the end. */
  | { readonly verdict: 'pass'; readonly headers?: Readonly<Record<string, string>> }
  /** Known now; the filters after this one go on looking. */
  | { readonly verdict: 'accept'; readonly account: Account }
  | { readonly verdict: 'refuse'; readonly reason: string; readonly response: Refusal };

/** An answer without a body: refusals before authentication say no more than they must. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Filter {
  /** Finds out who is asking: skipped once somebody is known, and its chain lets nobody through unknown unless permissive. */
  readonly authenticates?: boolean;
  /** The word `permissive` lets a request without this filter's credentials go on. Told so that `check` can say who may pass. */
  isPermissive?(options: unknown): boolean;
  /** Never does anything but pass, as it is configured: left out when a request meets the chain. */
  readonly inert?: boolean;
  /**
   * Reads the words in the brackets, once, at start. Throws a sentence for what it cannot use.
   * A filter without this method takes no brackets.
   */
  options?(words: readonly string[]): unknown;
  check(request: FilterRequest): Promise<Verdict> | Verdict;
  /** Everything that this filter could not use of what `/configuration/auth` is about to be told. */
  oauth2Problems?(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  /** Called when another configuration has taken over, or the service stops. */
  close?(): Promise<void> | void;
}

export interface OAuth2Problem {
  /** Of the OAuth2ConfigurationDocument. */
  readonly element: string;
  /** A sentence. Never quotes a secret. */
  readonly explanation: string;
}
