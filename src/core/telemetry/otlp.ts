import type { MetricReading } from '../lib/metrics.ts';
import { storable } from '../lib/storable.ts';
import type { Span } from './spans.ts';

/** Bodies of OTLP over HTTP in JSON: 64-bit numbers are texts. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

interface Source {
  readonly attributes: Attributes;
  readonly version: string;
}

const kinds = { internal: 1, server: 2, client: 3 } as const;
/** Temporality of totals that count from the start of the process. */
const cumulative = 2;

/** A collector refuses all of a body for one text or number that it cannot read. */
const anyValueOf = (value: string | number | boolean) =>
  typeof value === 'string'
    ? { stringValue: storable(value) }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : Number.isSafeInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value };

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || (typeof value === 'number' && !Number.isFinite(value))
      ? []
      : [{ key, value: anyValueOf(value) }],
  );

const nanoseconds = (milliseconds: number): string => `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`;

const resourceOf = ({ attributes }: Source) => ({ attributes: attributesOf(attributes) });
const scopeOf = ({ version }: Source) => ({ name: 'portico', version });

/** Units by the ends that Prometheus wants in names. OpenTelemetry wants the unit beside the name. */
const units = new Map<string | undefined, string>([
  ['seconds', 's'],
  ['bytes', 'By'],
]);

/** `portico_request_seconds` is `portico.request` in seconds. A collector that writes for Prometheus joins them again. */
function nameAndUnit(name: string): { readonly name: string; readonly unit?: string | undefined } {
  const [, base, end] = /^portico_(.+?)(?:_(total|seconds|bytes))?$/.exec(name) ?? [];
  return base === undefined ? { name, unit: 's' } : { name: `portico.${base}`, unit: units.get(end) };
}

export function spansBody(spans: readonly Span[], source: Source): string {
  const rows = spans.map(({ traceId, spanId, parentId, name, kind, from, to, failed, attributes }) => ({
    traceId,
    spanId,
    parentSpanId: parentId,
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributesOf(attributes),
    status: failed ? { code: 2 } : {},
  }));
  return JSON.stringify({
    resourceSpans: [{ resource: resourceOf(source), scopeSpans: [{ scope: scopeOf(source), spans: rows }] }],
  });
}

export function metricsBody(readings: readonly MetricReading[], source: Source, began: number, now: number): string {
  const times = { startTimeUnixNano: nanoseconds(began), timeUnixNano: nanoseconds(now) };
  const metrics = readings.map(({ name, help, ...reading }) => {
    const head = { ...nameAndUnit(name), description: help };
    if (reading.type === 'histogram') {
      const dataPoints = reading.samples.map(({ labels, counts, sum }) => ({
        ...times,
        attributes: attributesOf(labels),
        count: String(counts.reduce((total, each) => total + each, 0)),
        sum,
        bucketCounts: counts.map(String),
        explicitBounds: reading.bounds,
      }));
      return { ...head, histogram: { aggregationTemporality: cumulative, dataPoints } };
    }
    const dataPoints = reading.samples
      .filter(({ value }) => Number.isFinite(value))
      .map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), asDouble: value }));
    if (reading.type === 'gauge') return { ...head, gauge: { dataPoints } };
    return { ...head, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } };
  });
  return JSON.stringify({
    resourceMetrics: [{ resource: resourceOf(source), scopeMetrics: [{ scope: scopeOf(source), metrics }] }],
  });
}
