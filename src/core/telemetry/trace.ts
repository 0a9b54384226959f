import { fromBase64, toHex } from '../lib/bytes.ts';
import type { Random } from '../lib/random.ts';

/** Place of a span in a trace (W3C Trace Context). */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
}

/** Span of a caller, of its header `traceparent`. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const [traceBytes, spanBytes] = [16, 8];
const form = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Reads `traceparent`. Undefined: none, or in a form that the standard does not have. */
export function readTraceparent(header: string | null): TraceParent | undefined {
  const [, traceId, spanId, flags] = form.exec(header ?? '') ?? [];
  if (traceId === undefined) return undefined;
  return { traceId, spanId: spanId!, sampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId }: SpanPlace, sampled: boolean): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

export const newSpanId = (random: Random): string => toHex(random.bytes(spanBytes));

/** The id of a request that continues the trace of its caller begins with the id and the flag of that trace. */
export const requestIdIn = ({ traceId, sampled }: TraceParent, serial: string): string =>
  `${traceId}-${sampled ? '01' : '00'}-${serial}`;

/**
 * Trace of everything that one cause leads to, on all instances: the trace that the id of a request begins with, or one
 * that is derived from the id.
 */
export function traceIdOf(cause: string, fingerprint: (text: string) => string): string {
  return causeIn(cause, fingerprint).traceId;
}

/** Span of a request that caused something, as all instances derive it from its id. */
export interface Cause {
  readonly traceId: string;
  /** Undefined for an id that a client chose: it may send one twice. */
  readonly spanId: string | undefined;
  /** Decision of the caller's trace. Undefined: the caller had none. */
  readonly sampled: boolean | undefined;
}

export function causeIn(cause: string, fingerprint: (text: string) => string): Cause {
  const [, traceId, flag] = /^([0-9a-f]{32})-(0[01])-/.exec(cause) ?? [];
  const bytes = fromBase64(fingerprint(cause));
  return {
    traceId: traceId ?? toHex(bytes.subarray(0, traceBytes)),
    spanId: ownId.test(cause) ? toHex(bytes.subarray(traceBytes, traceBytes + spanBytes)) : undefined,
    sampled: flag === undefined ? undefined : flag === '01',
  };
}

/** Ids that an instance makes: its own id and a number. */
const ownId = /^(?:[0-9a-f]{32}-0[01]-)?[0-9A-Za-z]{8}-[0-9a-z]+$/;
