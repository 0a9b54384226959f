/** What goes over the wire: an address without name and password, and headers that have been looked at. */
export interface WireRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** It is never sent a second time, whatever became of the first. */
  readonly once?: boolean;
  /** Milliseconds until the wire gives a connection up, with an error of kind `connect`. */
  readonly connectLimit?: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Whoever stops reading lets go of the connection. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The address that was connected to, where the runtime tells. */
  readonly address?: string | undefined;
}

/** The network, as a platform lends it to the guard, and to nobody else. */
export interface Wire {
  /** All addresses of a name. Undefined where the runtime cannot tell: only numeric addresses can be judged there. */
  readonly resolve: ((host: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /**
   * Sends to that very address, without looking the name up again; the certificate is verified for the name all the same.
   * Without an address, to where the name leads. Follows no redirect. Rejects with an `OutboundError` where it can tell why.
   */
  send(address: string | undefined, request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
}
