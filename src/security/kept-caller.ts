/** Account at the time of a stored request, without credentials. */
export interface StoredAccount {
  readonly id: string;
  /** A revocation of the user's logins invalidates earlier stored requests. */
  readonly revocations: number;
}

/** Caller of a stored request, with the grounds of its rights. */
export interface StoredCaller {
  /** Account whose credentials the request had. */
  readonly account: StoredAccount;
  readonly proof?:
    | {
        readonly kind: 'password' | 'key' | 'token' | 'session';
        readonly key?: string | undefined;
        /** Id of a token or session whose end is the caller's. */
        readonly login?: string | undefined;
      }
    | undefined;
  /** User that the account acted for. */
  readonly runAs?: StoredAccount | undefined;
}
