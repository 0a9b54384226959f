import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import type { CallCount } from '../../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { metricsBody, spansBody } from '../../../src/core/telemetry/otlp.ts';
import { newUser } from '../../support/cast.ts';
import { settle, testClock } from '../../support/clock.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { type FakeNet, fakeNet, within } from '../../support/receiver.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, type ServiceOptions } from '../../support/service.ts';
import { sqldBinary, startSqld } from '../../support/sqld.ts';

const collector = 'http://127.0.0.1:4318/otlp/';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what a body has.
type Read = any;

async function open(
  more: object = {},
  options: ServiceOptions = {},
): Promise<{ readonly world: World; readonly net: FakeNet }> {
  const clock = testClock();
  const net = fakeNet(clock);
  const settings = { otelExporterOtlpEndpoint: collector, ...more };
  return { world: await openWorld('fetch', { ...options, clock, wire: net.wire, settings }), net };
}

const bodiesAt = (net: FakeNet, path: string): readonly Read[] =>
  net.sent.filter(({ url }) => url === `http://127.0.0.1:4318/otlp${path}`).map(({ body }) => JSON.parse(body));

const spansOf = (net: FakeNet): readonly Read[] =>
  bodiesAt(net, '/v1/traces').flatMap(({ resourceSpans: [{ scopeSpans }] }) => scopeSpans[0].spans);

const attributesOf = ({ attributes }: Read): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }: Read) => [key, Object.values(value)[0]]));

const under = (flags: string) => ({ traceparent: `00-${traceId}-${spanId}-${flags}` });
const ann: Credentials = ['ann', 'password of ann'];

describe('a collector', () => {
  it('gets a span of a request, of its login and of its commit, in the trace of the caller', async () => {
    const { world, net } = await open({ otelExporterOtlpHeaders: new Secret('api-key=k%20k'), otelServiceName: 'a' });
    await world.send({ as: admin, request: 'PUT /API/group/crew', headers: under('01') });
    expect(net.sent).toEqual([]);
    await world.clock.advance(5000);
    const [body] = bodiesAt(net, '/v1/traces');
    expect(attributesOf(body.resourceSpans[0].resource)).toMatchObject({ 'service.name': 'a' });
    expect(net.sent[0]!.headers).toMatchObject({ 'api-key': 'k k', 'content-type': 'application/json' });
    const [login, commit, request] = spansOf(net);
    expect(request).toMatchObject({ traceId, parentSpanId: spanId, name: 'PUT /API/group/:name', kind: 2, status: {} });
    for (const [span, name] of [
      [login, 'login'],
      [commit, 'commit'],
    ])
      expect(span).toMatchObject({ traceId, parentSpanId: request.spanId, name, kind: 1 });
    expect(attributesOf(request)).toMatchObject({
      'http.request.method': 'PUT',
      'http.response.status_code': '200',
      'http.route': '/API/group/:name',
      'url.scheme': 'http',
      'url.path': '/API/group/crew',
      'server.address': 'portico.test',
      'server.port': '80',
    });
    expect(BigInt(request.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
  });

  it.skipIf(sqldBinary() === undefined)(
    'gets the waits of a request for a database server, by class of statements and without their text',
    async () => {
      const server = await startSqld();
      onTestFinished(() => server.stop());
      const database = openRemoteDatabase(server.url, { calls: new AsyncLocalStorage<CallCount>() });
      const { world, net } = await open({}, { database });
      await world.send({ as: admin, request: 'PUT /API/group/crew', headers: under('01') });
      await world.send({ as: admin, request: 'PUT /API/group/other', headers: under('00') });
      await world.clock.advance(5000);
      const spans = spansOf(net);
      const request = spans.find(({ kind }) => kind === 2);
      const waits = spans.filter(({ name }) => name.startsWith('database '));
      expect(new Set(waits.map(({ name }) => name))).toEqual(new Set(['database read', 'database write']));
      for (const wait of waits) {
        expect(wait).toMatchObject({ traceId, parentSpanId: request.spanId, kind: 3 });
        expect(attributesOf(wait)).toMatchObject({ 'db.system.name': 'sqlite' });
      }
      expect(JSON.stringify(waits)).not.toMatch(/SELECT|INSERT|crew/i);
      expect(JSON.stringify(spans)).not.toContain('other');
    },
  );

  it('gets deliveries in the trace of the request that caused them, and receivers get its id', async () => {
    const { world, net } = await open();
    const http = { synchronous: false, url: 'http://receiver.example/' };
    const notification = { action: { http }, trigger: { group: { create: {} } } };
    await prepare(world, [
      {
        as: admin,
        request: 'POST /API/group/notification',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(notification),
      },
    ]);
    await world.send({ as: admin, request: 'PUT /API/group/crew', headers: under('01') });
    await within(world, 20_000);
    const [delivery] = net.sent.filter(({ url }) => url.startsWith('http://receiver.example'));
    const [request, deliver] = ['PUT /API/group/:name', 'POST'].map((name) =>
      spansOf(net).find((one) => one.name === name),
    );
    expect(deliver).toMatchObject({ traceId, parentSpanId: request.spanId, kind: 3, status: {} });
    expect(attributesOf(deliver)).toMatchObject({
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'server.address': 'receiver.example',
      'server.port': '80',
      'portico.event': 'group/create',
    });
    expect(delivery!.headers['traceparent']).toBe(`00-${traceId}-${deliver.spanId}-01`);
    await world.send({ as: admin, request: 'PUT /API/group/silent', headers: under('00') });
    await within(world, 20_000);
    const [, unrecorded] = net.sent.filter(({ url }) => url.startsWith('http://receiver.example'));
    expect(unrecorded!.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    expect(spansOf(net).filter(({ name }) => name === 'POST')).toHaveLength(1);
  });

  it('gets one name for every method that no standard has', async () => {
    const { world, net } = await open();
    await world.send({ as: admin, request: 'PROPFIND /API/whoami' });
    await world.clock.advance(5000);
    const span = spansOf(net).find(({ kind }) => kind === 2);
    expect(span.name).toBe('HTTP');
    expect(attributesOf(span)).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
    });
  });

  it('gets nothing of a trace that its caller does not record, or that the share leaves out', async () => {
    const { world, net } = await open({ otelTracesSamplerArg: '0' });
    await world.send({ as: admin, request: 'GET /API/whoami', headers: under('00') });
    await world.send({ as: admin, request: 'GET /API/whoami' });
    await world.clock.advance(5000);
    expect(net.sent).toEqual([]);
    await world.send({ as: admin, request: 'GET /API/whoami', headers: under('01') });
    await world.clock.advance(5000);
    expect(spansOf(net).map(({ name }) => name)).toContain('GET /API/whoami');
  });

  it('gets neither queries nor credentials', async () => {
    const { world, net } = await open();
    await prepare(world, [newUser(ann)]);
    await world.send({ as: ann, request: 'GET /API/user/ann?secret=of-the-target' });
    await world.send({ as: ['ann', 'wrong password'], request: 'GET /API/user/ann' });
    await world.clock.advance(60_000);
    const everything = net.sent.map(({ body }) => body).join('\n');
    for (const text of ['of-the-target', 'password of', 'wrong password', '"ann"', 'authorization'])
      expect(everything).not.toContain(text);
    const refused = spansOf(net).find((span) => attributesOf(span)['http.response.status_code'] === '401');
    expect(attributesOf(refused)).toMatchObject({ 'portico.refusal': 'wrong-password' });
    expect(attributesOf(refused)).not.toHaveProperty(['error.type']);
  });

  it('gets the metrics in their interval, as totals, values and histograms', async () => {
    const { world, net } = await open({ otelMetricExportInterval: 10_000 });
    await world.send({ as: admin, request: 'GET /API/whoami' });
    await world.clock.advance(9_999);
    expect(bodiesAt(net, '/v1/metrics')).toEqual([]);
    await world.clock.advance(1);
    while (bodiesAt(net, '/v1/metrics').length === 0) await settle(1);
    const [{ resourceMetrics }] = bodiesAt(net, '/v1/metrics');
    const metrics: readonly Read[] = resourceMetrics[0].scopeMetrics[0].metrics;
    const named = (name: string) => metrics.find((each) => each.name === name);
    expect(named('portico.requests').sum).toMatchObject({
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: [
        { asDouble: 1, attributes: expect.arrayContaining([{ key: 'method', value: { stringValue: 'GET' } }]) },
      ],
    });
    const duration = named('http.server.request.duration');
    expect(duration.unit).toBe('s');
    const [point] = duration.histogram.dataPoints;
    expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1);
    expect(point.count).toBe('1');
    expect(attributesOf(point)).toEqual({
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'http.route': '/API/whoami',
      'http.response.status_code': '200',
    });
    expect(named('portico.request')).toBeUndefined();
    expect(named('portico.delivery')).toMatchObject({ unit: 's', histogram: {} });
    expect(named('portico.commits_pending').gauge.dataPoints).toHaveLength(1);
    for (const name of ['portico.spans_dropped', 'portico.database_calls'])
      expect(named(name).sum).toMatchObject({ aggregationTemporality: 2, isMonotonic: true });
  });

  it('that is away costs no request anything: spans are dropped and counted, and the log has one line', async () => {
    const { world, net } = await open();
    net.answer = () => 'down';
    for (let round = 0; round < 3; round++) {
      expect((await world.send({ as: admin, request: 'GET /API/whoami' })).status).toBe(200);
      await world.clock.advance(5000);
    }
    expect(world.lines.filter(({ event }) => event === 'telemetry-not-exported')).toHaveLength(1);
    expect(await world.service.figures()).toMatch(/^portico_spans_dropped [1-9]/m);
    net.answer = () => 200;
    await world.send({ as: admin, request: 'GET /API/whoami' });
    await world.clock.advance(5000);
    expect(spansOf(net).at(-1)).toMatchObject({ name: 'GET /API/whoami' });
  });

  it('gets the rest when the service closes', async () => {
    const { world, net } = await open();
    await world.send({ as: admin, request: 'GET /API/whoami' });
    await world.service.close();
    expect(spansOf(net).map(({ name }) => name)).toContain('GET /API/whoami');
    expect(bodiesAt(net, '/v1/metrics')).toHaveLength(1);
  });
});

it('without a collector a caller with a trace gets its id to its deliveries all the same', async () => {
  const clock = testClock();
  const net = fakeNet(clock);
  const world = await openWorld('fetch', { clock, wire: net.wire });
  const sent = await world.send({ as: admin, request: 'PUT /API/group/crew/nothing', headers: under('01') });
  expect(sent.headers.get('x-request-id')).toMatch(new RegExp(`^${traceId}-`));
  const named = await world.send({
    as: admin,
    request: 'GET /API/no-such',
    headers: { ...under('01'), 'x-request-id': 'mine' },
  });
  expect(named.headers.get('x-request-id')).toBe('mine');
  expect(net.sent).toEqual([]);
});

it('an attack: a span with a text or a number that no collector reads does not end the export of all others', () => {
  const attributes = { cut: 'a\ud83d', nul: 'a\0', far: 1e300, none: Number.NaN, beyond: Number.POSITIVE_INFINITY };
  const span = {
    traceId: '1',
    spanId: '2',
    name: 'GET',
    kind: 'server',
    from: 0,
    to: 1,
    failed: false,
    attributes,
  } as const;
  const body = spansBody([span], { attributes: {}, version: '1' });
  expect(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans[0].attributes).toEqual([
    { key: 'cut', value: { stringValue: 'a\ufffd' } },
    { key: 'nul', value: { stringValue: 'a\ufffd' } },
    { key: 'far', value: { doubleValue: 1e300 } },
  ]);
  const gauge = {
    name: 'portico_a',
    help: 'A',
    type: 'gauge',
    samples: [Number.NaN, 1].map((value) => ({ labels: {}, value })),
  };
  expect(metricsBody([gauge as never], { attributes: {}, version: '1' }, 0, 1)).not.toContain('null');
});
