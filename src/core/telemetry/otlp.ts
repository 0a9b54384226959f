import type { MetricReading } from '../lib/metrics.ts';
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

const anyValueOf = (value: string | number | boolean) =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : Number.isInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value };

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValueOf(value) }],
  );

const nanoseconds = (milliseconds: number): string => `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`;

const resourceOf = ({ attributes }: Source) => ({ attributes: attributesOf(attributes) });
const scopeOf = ({ version }: Source) => ({ name: 'portico', version });

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
    const head = { name, description: help };
    if (reading.type === 'histogram') {
      const { bounds, counts, sum } = reading;
      const count = counts.reduce((total, each) => total + each, 0);
      const point = { ...times, count: String(count), sum, bucketCounts: counts.map(String), explicitBounds: bounds };
      return { ...head, histogram: { aggregationTemporality: cumulative, dataPoints: [point] } };
    }
    const dataPoints = reading.samples.map(({ labels, value }) => ({
      ...times,
      attributes: attributesOf(labels),
      asDouble: value,
    }));
    if (reading.type === 'gauge') return { ...head, gauge: { dataPoints } };
    return { ...head, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } };
  });
  return JSON.stringify({
    resourceMetrics: [{ resource: resourceOf(source), scopeMetrics: [{ scope: scopeOf(source), metrics }] }],
  });
}
