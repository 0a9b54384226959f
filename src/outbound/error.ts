/** Why a call came to nothing. */
export type OutboundErrorKind =
  /** It cannot be sent as it is: its address, a header, its body. */
  | 'bad-url'
  /** No address of that host may be reached. */
  | 'blocked'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too-large'
  /** By the signal of the caller. */
  | 'aborted'
  /** Something came that is no answer, or not all of it. */
  | 'answer';

/** Its sentence names the host and never more of the address: names, passwords and queries may be secret. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
