/** An account as it was when a request was kept. It holds no credential. */
export interface KeptAccount {
  readonly id: string;
  /** A new password ends what was kept before it. */
  readonly passwordVersion: number;
}

/** Whose request was kept for later, and what their right to it rested on. */
export interface KeptCaller {
  /** The account whose credentials the request carried. */
  readonly account: KeptAccount;
  readonly proof?: { readonly kind: 'password' | 'key' | 'token'; readonly key?: string | undefined } | undefined;
  /** The user that the account acted for. */
  readonly runAs?: KeptAccount | undefined;
}
