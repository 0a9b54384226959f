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

/** A token of this service, from `Authorization: token …`. */
export interface TokenCredentials {
  readonly kind: 'token';
  readonly token: SecretText;
}

/** A session of this service, from the cookie of its web page. */
export interface SessionCredentials {
  readonly kind: 'session';
  readonly token: SecretText;
}

/** Foreign token, from `Authorization: Bearer …`. */
export interface BearerCredentials {
  readonly kind: 'bearer';
  readonly token: SecretText;
}

/** Answer of a provider, as the browser brought it back. The login of the provider has judged it, and no realm is asked. */
export interface RedirectCredentials {
  readonly kind: 'redirect';
  readonly token: SecretText;
}

export type Credentials =
  | PasswordCredentials
  | TokenCredentials
  | SessionCredentials
  | BearerCredentials
  | RedirectCredentials;
