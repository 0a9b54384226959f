import { OutboundError, type OutboundErrorKind } from '../../../core/outbound/error.ts';
import type { DeliveryResult, DeliveryVerdict } from './delivery-result.ts';

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
