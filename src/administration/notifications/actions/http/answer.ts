import type { OutboundAnswer } from '../../../../spi/index.ts';
import type { DeliveryResult, DeliveryVerdict } from '../delivery-result.ts';

/** The first row that a status lies in decides. */
const verdicts: readonly (readonly [from: number, to: number, verdict: DeliveryVerdict, error?: string])[] = [
  [200, 299, 'delivered'],
  // Never followed: it would lead past the address policy. The receiver may answer itself later, so the event is tried again.
  [300, 399, 'again', 'redirect'],
  [408, 408, 'again', 'http'],
  [410, 410, 'gone', 'gone'],
  [425, 425, 'again', 'http'],
  [429, 429, 'again', 'http'],
  // Receivers answer 400 on purpose when they want no second try.
  [400, 499, 'refused', 'http'],
  [0, 999, 'again', 'http'],
];

export function resultOfAnswer({ status, headers, text, address }: OutboundAnswer, now: number): DeliveryResult {
  const [, , verdict, error] = verdicts.find(([from, to]) => status >= from && status <= to)!;
  const said = { verdict, status, address, text };
  if (verdict === 'delivered') return said;
  const after = verdict === 'again' ? retryAfter(headers.get('retry-after'), now) : undefined;
  return { ...said, error, says: `Expected a status from 200 to 299: "${status}"`, after };
}

/** The least that is honoured, and the most, in milliseconds. */
const least = 1_000;
const most = 24 * 60 * 60_000;

/** Seconds or a date; what cannot be read was not said. */
export function retryAfter(text: string | null, now: number): number | undefined {
  const wanted = text === null ? Number.NaN : millisecondsOf(text.trim(), now);
  return Number.isNaN(wanted) ? undefined : Math.min(most, Math.max(least, wanted));
}

function millisecondsOf(text: string, now: number): number {
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  // The three forms of HTTP begin with a weekday; one of them does not say that it means UTC.
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - now : Number.NaN;
}
