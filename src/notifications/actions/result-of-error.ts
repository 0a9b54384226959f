import { OutboundError, type OutboundErrorKind } from '../../outbound/error.ts';
import type { DeliveryResult, Verdict } from './delivery-result.ts';

/** What is not here is worth another try. */
const verdicts: Readonly<Partial<Record<OutboundErrorKind, Verdict>>> = { 'bad-url': 'refused', blocked: 'blocked' };

/** What a call that came to nothing means. Throws what ended the work on this side, and what nobody expects. */
export function resultOfError(error: unknown, signal: AbortSignal): DeliveryResult {
  // Nobody knows what the receiver has seen of it.
  if (signal.aborted) throw signal.reason;
  if (!(error instanceof OutboundError)) throw error;
  const { kind, message } = error;
  const verdict = verdicts[kind] ?? 'again';
  return { verdict, error: kind, says: message, localFault: verdict === 'blocked' };
}
