/** Account at the time of a stored request, without credentials. */
export interface KeptAccount {
  readonly id: string;
  /** A new password invalidates earlier stored requests. */
  readonly passwordVersion: number;
}

/** Caller of a stored request, with the grounds of its rights. */
export interface KeptCaller {
  /** Account whose credentials the request had. */
  readonly account: KeptAccount;
  readonly proof?: { readonly kind: 'password' | 'key' | 'token'; readonly key?: string | undefined } | undefined;
  /** User that the account acted for. */
  readonly runAs?: KeptAccount | undefined;
}
