/** What one call to a receiver came to, before anybody decides what follows from it. */
export interface DeliveryResult {
  /**
   * `delivered`; `again`: worth another try; `refused`: the receiver does not want it, now or later; `gone`: it wants
   * nothing any more; `blocked`: it may not be called.
   */
  readonly verdict: Verdict;
  /** Of an HTTP answer. */
  readonly status?: number | undefined;
  /** Why not, as a word for logs and metrics: `dns`, `connect`, `tls`, `timeout`, `http`, `redirect`, … */
  readonly error?: string | undefined;
  /** The same for people. */
  readonly says?: string | undefined;
  /** The address that was connected to. */
  readonly address?: string | undefined;
  /** What the receiver answered, as far as it was read. */
  readonly text?: string | undefined;
  /** Milliseconds that the receiver wants to be left alone. */
  readonly after?: number | undefined;
  /** True where the fault is on this side: the receiver's health does not suffer from it. */
  readonly localFault?: boolean | undefined;
}

export type Verdict = 'delivered' | 'again' | 'refused' | 'gone' | 'blocked';
