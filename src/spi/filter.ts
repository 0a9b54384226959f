import type { Credentials, SecretText } from './credentials.ts';
import type { Account } from './realm.ts';

export type LoginAnswer =
  | { readonly accepted: true; readonly account: Account }
  | { readonly accepted: false; readonly reason: string };

/** Caller accepted by an earlier filter of the chain. */
export interface KnownCaller {
  readonly name: string;
  hasRole(role: string): Promise<boolean>;
  /** Permissions granted by the accepting realms, as written there. */
  readonly permissions: readonly string[];
}

/**
 * Request for filters. The path is the same as for routes. Only routes that accept any text in a segment keep `/`, `\`,
 * `;` and `%` as `%2F`, `%5C`, `%3B` and `%25`. Never decode it.
 */
export interface FilterRequest {
  readonly method: string;
  readonly path: string;
  /** Request target without the query, as sent, if the runtime knows it. Else as the runtime normalises it. */
  readonly rawPath: string;
  /** Query as sent, without the question mark. */
  readonly query: string | undefined;
  readonly headers: Headers;
  /** Header Authorization, cached since most filters need it. */
  readonly authorization: string | null;
  /** Address of the caller, from the socket or from a trusted proxy. Headers of other senders are ignored. */
  readonly address: string | undefined;
  readonly secure: boolean;
  /** Port of the Host header, or the default of the scheme. */
  readonly port: number;
  /** Parsed brackets of this filter in the chain. Undefined without brackets. */
  readonly options: unknown;
  readonly caller: KnownCaller | undefined;
  /** Wraps a text of the request, so that it cannot get into a log. */
  secret(text: string): SecretText;
  /** Authenticates with the realms. */
  login(credentials: Credentials): Promise<LoginAnswer> | LoginAnswer;
  /** Current service user with this name or alias. */
  findUser(name: string): Promise<ServiceUser | undefined> | ServiceUser | undefined;
  /** Current content of `/configuration/auth`, whichever instance wrote it. */
  oauth2(): Promise<OAuth2Setup> | OAuth2Setup;
}

export interface ServiceUser {
  readonly name: string;
  readonly enabled: boolean;
}

/** Validation of bearer tokens, as configured through the API. Exactly one of the three methods is set. */
export interface OAuth2Configuration {
  readonly x509Certificate?: readonly string[] | undefined;
  readonly publicKey?: readonly string[] | undefined;
  readonly expectedAudience?: string | undefined;
  readonly tokenUser?: string | undefined;
  readonly federationMetadataURI?: string | undefined;
  /** Seconds between downloads. */
  readonly federationMetadataInterval?: number | undefined;
  readonly validationEndpoint?: string | undefined;
}

export interface OAuth2Setup {
  /** Changes with the configuration. Data cached for another revision is invalid. */
  readonly revision: number;
  /** Undefined if the API has no configuration. */
  readonly configuration: OAuth2Configuration | undefined;
}

export type Verdict =
  /** Not mine: the next filter decides. At the end of a chain that authenticates, that is a refusal. */
  /** Headers are added to whatever is answered in the end. */
  /** Challenge: what a refusal by a later filter with 401 has as `WWW-Authenticate`, instead of its own. Functions run only then. */
  | {
      readonly verdict: 'pass';
      readonly headers?: Readonly<Record<string, string>>;
      readonly challenge?: string | (() => string | undefined);
    }
  /** Known now; the filters after this one go on looking. Headers as with `pass`. */
  | { readonly verdict: 'accept'; readonly account: Account; readonly headers?: Readonly<Record<string, string>> }
  /** Undecided: what knows the credentials does not answer. The response is 503 with an error document. */
  | {
      readonly verdict: 'refuse';
      readonly reason: string;
      readonly response: Refusal;
      readonly isUndecided?: boolean;
    };

/** Answer without a body: refusals before authentication disclose nothing. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Filter {
  /**
   * Whether the filter authenticates. It is skipped for known callers, and its chain refuses anonymous ones unless
   * permissive.
   */
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
  /** Problems of this filter with a document for `/configuration/auth`. */
  oauth2Problems?(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  /** Called when another configuration has taken over, or the service stops. */
  close?(): Promise<void> | void;
}

export interface OAuth2Problem {
  /** Element of the OAuth2ConfigurationDocument. */
  readonly element: string;
  /** Explanation in one sentence, without secrets. */
  readonly explanation: string;
}
