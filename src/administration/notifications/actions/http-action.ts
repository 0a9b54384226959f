import { textToBase64 } from '../../../core/lib/bytes.ts';
import { Recent } from '../../../core/lib/cache.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Random } from '../../../core/lib/random.ts';
import { programVersion } from '../../../core/lib/version.ts';
import type { Spans } from '../../../core/telemetry/spans.ts';
import { type Cause, causeIn, newSpanId, traceparentOf } from '../../../core/telemetry/trace.ts';
import type { OutboundAnswer, OutboundCall } from '../../../spi/index.ts';
import type { Depth } from '../depth.ts';
import type { NotificationAction } from '../documents/notification.ts';
import type { ActionOrder } from './order.ts';
import { type DeliveryResult, type DeliveryVerdict, resultOfError } from './order.ts';
import { signatureHeaders } from './signature.ts';

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

/** Bounds of a wait that is honoured, in milliseconds. */
const leastWait = 1_000;
const maxWait = 24 * 60 * 60_000;

/** Seconds or a date; what cannot be read was not said. */
export function retryAfter(text: string | null, now: number): number | undefined {
  const wanted = text === null ? Number.NaN : millisecondsOf(text.trim(), now);
  return Number.isNaN(wanted) ? undefined : Math.min(maxWait, Math.max(leastWait, wanted));
}

function millisecondsOf(text: string, now: number): number {
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  // The three forms of HTTP begin with a weekday; one of them does not say that it means UTC.
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - now : Number.NaN;
}

/** Names of that many hosts that cannot be resolved, one after the other: then it is the resolver. */
const enough = 3;
const max = 100;

/** Tells whether names cannot be resolved because of this side: a receiver is not to blame for that. */
function createNameSense() {
  const failed = new Set<string>();
  return {
    /** The resolver knew a name. */
    worked: (): void => failed.clear(),
    /** True: it is not about this name. */
    failed(host: string): boolean {
      if (failed.size < max) failed.add(host);
      return failed.size >= enough;
    },
  };
}

export interface HttpParts {
  readonly clock: Clock;
  readonly random: Random;
  call(call: OutboundCall): Promise<OutboundAnswer>;
  fingerprint(text: string): string;
  readonly depth: Pick<Depth, 'headersFor'>;
  readonly spans?: Spans | undefined;
  /** Milliseconds: time limit of one call. */
  readonly longest: number;
  /** Limit for the body of an answer. */
  readonly mostBytes: number;
}

const maxCauses = 1_000;

type Http = NonNullable<NotificationAction['http']>;

/** Sends an order to the address of its action. */
export function createHttpAction(parts: HttpParts) {
  const { clock, random, call, fingerprint, longest, mostBytes, spans } = parts;
  const causes = new Recent<string, Cause>(maxCauses);
  const names = createNameSense();

  /** Each attempt is a span of the trace of the request that caused the event. */
  return async (
    order: ActionOrder,
    http: Http,
    signal: AbortSignal,
    more: Readonly<Record<string, string>> = {},
  ): Promise<DeliveryResult> => {
    const { traceId, spanId: parentId, sampled } = causeOf(order.cause);
    const place = { traceId, spanId: newSpanId(random), parentId };
    const isSampled = sampled ?? (spans === undefined || spans.samples(traceId));
    const from = clock.now();
    const result = await send(order, http, signal, more, traceparentOf(place, isSampled));
    if (!isSampled) return result;
    const method = http.method ?? 'POST';
    spans?.record({
      ...place,
      name: method,
      kind: 'client',
      from,
      to: clock.now(),
      failed: result.verdict !== 'delivered',
      attributes: {
        'http.request.method': method,
        ...receiverOf(http.url),
        'http.response.status_code': result.status,
        'error.type': result.error,
        'portico.notification': order.notificationId,
        'portico.event': order.event,
        'portico.attempt': order.number,
      },
    });
    return result;
  };

  async function send(
    order: ActionOrder,
    http: Http,
    signal: AbortSignal,
    more: Readonly<Record<string, string>>,
    traceparent: string,
  ): Promise<DeliveryResult> {
    const { id, body, contentType, depth, number, notificationId, keys, trial } = order;
    const at = clock.now();
    const headers = {
      ...more,
      ...order.headers,
      ...(await signatureHeaders({ id, at, body }, keys)),
      ...authorizationOf(http.url),
      'content-type': contentType,
      'user-agent': `Portico/${programVersion}`,
      'portico-notification': notificationId,
      'portico-trigger': order.event,
      'portico-attempt': String(number),
      ...(trial ? { 'portico-test': 'true' } : {}),
      ...parts.depth.headersFor(depth),
      traceparent,
    };
    const { url, method = 'POST' } = http;
    const timeout = Math.min(timeoutOf(http.timeout) ?? longest, longest, order.within ?? longest);
    try {
      const answer = await call({ url, method, headers, body, once: true, timeout, mostBytes, longer: 'cut', signal });
      names.worked();
      return resultOfAnswer(answer, clock.now());
    } catch (error) {
      const outcome = resultOfError(error, signal);
      return outcome.error === 'dns' && names.failed(new URL(url).hostname)
        ? { ...outcome, localFault: true }
        : outcome;
    }
  }

  /** The events of one request make one trace on all instances, below the span of the request. */
  function causeOf(text: string): Cause {
    const cached = causes.get(text, 0);
    if (cached !== undefined) return cached;
    const cause = causeIn(text, fingerprint);
    causes.set(text, cause, Number.POSITIVE_INFINITY);
    return cause;
  }
}

/** Attributes of a receiver. Its path and query may hold a secret. */
function receiverOf(url: string): Readonly<Record<string, string | number>> {
  if (!URL.canParse(url)) return {};
  const { protocol, hostname, port } = new URL(url);
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  return { 'url.scheme': protocol.slice(0, -1), 'server.address': hostname, 'server.port': number };
}

/** Milliseconds. Undefined without a valid time in the notification. */
function timeoutOf(text: string | undefined): number | undefined {
  const seconds = Number(text?.trim() || Number.NaN);
  return seconds > 0 ? Math.ceil(seconds * 1_000) : undefined;
}

/** Name and password of the address: here alone do they leave it. */
function authorizationOf(url: string): Readonly<Record<string, string>> {
  // Few have one, and reading an address costs as much as writing the body.
  if (!url.includes('@') || !URL.canParse(url)) return {};
  const { username, password } = new URL(url);
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${textToBase64(`${plain(username)}:${plain(password)}`)}` };
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
