import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { headersOf } from '../../../src/core/telemetry/exporter.ts';
import { Spans } from '../../../src/core/telemetry/spans.ts';
import { causeIn, readTraceparent, requestIdIn, traceIdOf, traceparentOf } from '../../../src/core/telemetry/trace.ts';
import { testRandom } from '../../support/random.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const sha = (text: string) => hash('sha256', text, 'base64');
const fingerprint = (text: string) => Buffer.alloc(32, text).toString('base64');

describe('traceparent', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    [`cc-${traceId}-${spanId}-01-what-a-later-version-has`, true],
  ])('is read as the standard has it: %s', (header, sampled) => {
    expect(readTraceparent(header)).toEqual({ traceId, spanId, sampled });
  });

  it.each([
    null,
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-011`,
    `00-${traceId}\n-${spanId}-01`,
  ])('in another form is none: %s', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });

  it('is written for a span', () => {
    expect(traceparentOf({ traceId, spanId }, true)).toBe(`00-${traceId}-${spanId}-01`);
    expect(traceparentOf({ traceId, spanId }, false)).toBe(`00-${traceId}-${spanId}-00`);
  });
});

it('the id of a request carries the trace of its caller to deliveries', () => {
  const parent = { traceId, spanId, sampled: true };
  expect(traceIdOf(requestIdIn(parent, 'a-1'), fingerprint)).toBe(traceId);
  expect(traceIdOf('a-1', fingerprint)).toBe(Buffer.alloc(16, 'a-1').toString('hex'));
});

it('deliveries of all instances derive the span of a request from its id, unless a client chose the id', () => {
  const spans = new Spans({ random: testRandom(1), ratio: 1, fingerprint: sha });
  for (const parent of [undefined, { traceId, spanId, sampled: true }]) {
    const id = parent ? requestIdIn(parent, 'fp54JdW3-1z') : 'fp54JdW3-1z';
    const place = spans.placeOfRequest(id, parent)!;
    expect(causeIn(id, sha)).toEqual({ traceId: place.traceId, spanId: place.spanId, sampled: parent?.sampled });
    expect(place.parentId).toBe(parent?.spanId);
  }
  for (const id of ['mine', 'event 12', 'VX-12']) expect(causeIn(id, sha).spanId).toBeUndefined();
  expect(causeIn(requestIdIn({ traceId, spanId, sampled: false }, 'fp54JdW3-1'), sha).sampled).toBe(false);
});

describe('spans', () => {
  const ofRatio = (ratio: number) => new Spans({ random: testRandom(1), ratio, fingerprint });
  const span = { traceId, spanId, name: 'n', kind: 'internal', from: 0, to: 1, failed: false, attributes: {} } as const;

  it('are recorded for a share of traces, on all instances for the same ones', () => {
    const ids = Array.from({ length: 2000 }, (_, at) => traceIdOf(`request-${at}`, (text) => sha(text)));
    for (const [ratio, least, max] of [
      [0, 0, 0],
      [0.25, 400, 600],
      [1, 2000, 2000],
    ] as const) {
      const sampled = ids.filter((id) => ofRatio(ratio).samples(id));
      expect(sampled).toEqual(ids.filter((id) => ofRatio(ratio).samples(id)));
      expect(sampled.length).toBeGreaterThanOrEqual(least);
      expect(sampled.length).toBeLessThanOrEqual(max);
    }
  });

  it('wait within a bound, beyond which new ones are dropped', () => {
    const spans = ofRatio(1);
    for (let at = 0; at < 2050; at++) spans.record(span);
    expect([spans.take().length, spans.dropped, spans.take().length]).toEqual([2048, 2, 0]);
  });

  it('tell of work that fails, which fails as before', async () => {
    const spans = ofRatio(1);
    const failing = spans.within(
      { traceId, spanId },
      'commit',
      () => 5,
      () => Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    expect(spans.take()).toMatchObject([{ name: 'commit', parentId: spanId, traceId, failed: true, from: 5, to: 5 }]);
    expect(
      await spans.within(
        undefined,
        'commit',
        () => 5,
        () => Promise.resolve(3),
      ),
    ).toBe(3);
    expect(spans.take()).toEqual([]);
  });
});

it('headers of a collector are names and values in percent-encoding', () => {
  expect(headersOf('Api-Key=a%20b, x=1=2,nothing,bad=%zz')).toEqual({ 'api-key': 'a b', x: '1=2', bad: '%zz' });
  expect(headersOf(undefined)).toEqual({});
});
