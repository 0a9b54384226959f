import { OutboundError, type OutboundErrorKind } from '../../../core/outbound/wire.ts';
import type { BodyField } from '../body.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import type { SigningKey } from './signature.ts';

/** Call to a receiver: content, receiver and time limit. */
export interface ActionOrder {
  readonly notificationId: string;
  /** The notification with its secrets. */
  readonly sent: PlaceholderNotification;
  readonly keys: readonly SigningKey[];
  /** Id of the delivery, the same for all attempts to deliver this event to this notification. */
  readonly id: string;
  readonly event: string;
  readonly fields: readonly BodyField[];
  readonly contentType: string;
  readonly body: string;
  /** Headers that belong to the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** Length of the chain of deliveries that caused the event. */
  readonly depth: number;
  /** Cause of the event, the same for all events of a request. */
  readonly cause: string;
  /** Set for a sample event of a trial. */
  readonly trial?: boolean | undefined;
  /** Remaining milliseconds, if a caller waits. */
  readonly within?: number | undefined;
}

/** Outcome of one call to a receiver, before the delivery rules decide about retries. */
export interface DeliveryResult {
  /**
   * `delivered`; `again`: worth a retry; `refused`: the receiver rejects this event for good; `gone`: the receiver
   * wants no further events; `blocked`: the address must not be called.
   */
  readonly verdict: DeliveryVerdict;
  /** Status of an HTTP answer. */
  readonly status?: number | undefined;
  /** Error code for logs and metrics: `dns`, `connect`, `tls`, `timeout`, `http`, `redirect`, … */
  readonly error?: string | undefined;
  /** Error text for people. */
  readonly says?: string | undefined;
  /** Address that was connected to. */
  readonly address?: string | undefined;
  /** Body of the receiver's answer, possibly cut. */
  readonly text?: string | undefined;
  /** Milliseconds to wait, as demanded by the receiver. */
  readonly after?: number | undefined;
  /** Further events of the notification that the same message told. */
  readonly also?: readonly number[] | undefined;
  /** Set if the fault is on this side: it does not count against the receiver's health. */
  readonly localFault?: boolean | undefined;
}

export type DeliveryVerdict = 'delivered' | 'again' | 'refused' | 'gone' | 'blocked';

/** Verdicts of errors that a retry cannot fix. Other errors are retried. */
const verdicts: Readonly<Partial<Record<OutboundErrorKind, DeliveryVerdict>>> = {
  'bad-url': 'refused',
  blocked: 'blocked',
};

/** Result of a failed call. Rethrows an abort and unexpected errors. */
export function resultOfError(error: unknown, signal: AbortSignal): DeliveryResult {
  // Aborted: the receiver may or may not have got the call.
  if (signal.aborted) throw signal.reason;
  if (!(error instanceof OutboundError)) throw error;
  const { kind, message } = error;
  const verdict = verdicts[kind] ?? 'again';
  return { verdict, error: kind, says: message, localFault: verdict === 'blocked' };
}
