/** Reason of a failed call. */
export type OutboundErrorKind =
  /** Invalid request: its address, a header, its body. */
  | 'bad-url'
  /** All addresses of the host are blocked. */
  | 'blocked'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too-large'
  /** Aborted by the caller's signal. */
  | 'aborted'
  /** Something came that is no answer, or not all of it. */
  | 'answer';

/** Error whose sentence names only the host of the address: user names, passwords and queries may be secret. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
