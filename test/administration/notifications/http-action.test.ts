import { hash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  createHttpAction,
  resultOfAnswer,
  retryAfter,
} from '../../../src/administration/notifications/actions/http-action.ts';
import type { ActionOrder } from '../../../src/administration/notifications/actions/order.ts';
import { signatureHeaders } from '../../../src/administration/notifications/actions/signature.ts';
import { createDepth } from '../../../src/administration/notifications/depth.ts';
import { actionOf } from '../../../src/administration/notifications/documents/notification.ts';
import { OutboundError, type OutboundErrorKind } from '../../../src/core/outbound/wire.ts';
import type { OutboundAnswer, OutboundCall } from '../../../src/spi/index.ts';
import { startOfTime, testClock } from '../../support/clock.ts';
import { testRandom } from '../../support/random.ts';
import { http } from './delivery/support.ts';

const answer = (status: number, headers: Record<string, string> = {}): OutboundAnswer => ({
  status,
  headers: new Headers(headers),
  text: 'answered',
  address: '203.0.113.7',
});

describe('an answer', () => {
  it.each([
    [200, 'delivered', undefined],
    [204, 'delivered', undefined],
    [299, 'delivered', undefined],
    [301, 'again', 'redirect'],
    [308, 'again', 'redirect'],
    [400, 'refused', 'http'],
    [401, 'refused', 'http'],
    [404, 'refused', 'http'],
    [408, 'again', 'http'],
    [410, 'gone', 'gone'],
    [425, 'again', 'http'],
    [429, 'again', 'http'],
    [500, 'again', 'http'],
    [503, 'again', 'http'],
    [599, 'again', 'http'],
    [700, 'again', 'http'],
  ])('with status %i means %s', (status, verdict, error) => {
    const told = resultOfAnswer(answer(status), 0);
    expect(told).toMatchObject({ verdict, status, text: 'answered', address: '203.0.113.7' });
    expect(told.error).toBe(error);
  });

  it('says how long it wants to be left alone, within bounds', () => {
    const at = Date.UTC(2030, 0, 1, 12);
    expect(retryAfter('120', at)).toBe(120_000);
    expect(retryAfter(' 7 ', at)).toBe(7_000);
    expect(retryAfter('0', at)).toBe(1_000);
    expect(retryAfter('999999999999', at)).toBe(86_400_000);
    expect(retryAfter('Tue, 01 Jan 2030 12:02:00 GMT', at)).toBe(120_000);
    expect(retryAfter('Tuesday, 01-Jan-30 12:02:00 GMT', at)).toBe(120_000);
    expect(retryAfter('Tue Jan  1 12:02:00 2030', at)).toBe(120_000);
    expect(retryAfter('Tue, 01 Jan 2030 11:00:00 GMT', at)).toBe(1_000);
    for (const junk of [null, '', 'soon', '-1', '1.5', '2030-01-01', '1e9', '12:02']) {
      expect(retryAfter(junk, at), String(junk)).toBeUndefined();
    }
    expect(resultOfAnswer(answer(429, { 'retry-after': '120' }), at).after).toBe(120_000);
    expect(resultOfAnswer(answer(503, { 'retry-after': '5' }), at).after).toBe(5_000);
    expect(resultOfAnswer(answer(200, { 'retry-after': '5' }), at).after).toBeUndefined();
  });
});

const order = (notification = http(), more: Partial<ActionOrder> = {}): ActionOrder => ({
  notificationId: 'VX-7',
  sent: notification,
  keys: [],
  id: 'VX-7_42',
  event: 'group/create',
  fields: [],
  contentType: 'application/json',
  body: '{"field":[]}',
  number: 3,
  depth: 1,
  cause: 'request-1',
  ...more,
});

/** HTTP action whose calls are recorded and end with the outcome. */
function trying(outcome: OutboundAnswer | OutboundErrorKind = answer(200)) {
  const calls: OutboundCall[] = [];
  const perform = createHttpAction({
    random: testRandom(1),
    clock: testClock(),
    call: async (call) => {
      calls.push(call);
      if (typeof outcome === 'string') throw new OutboundError(outcome, `Expected better from "hooks": ${outcome}`);
      return outcome;
    },
    fingerprint: (text) => hash('sha256', text, 'base64url'),
    depth: createDepth(testClock(), (text) => text),
    longest: 30_000,
    mostBytes: 10,
  });
  const send = (given = order(), signal = new AbortController().signal) =>
    perform(given, given.sent.action[actionOf(given.sent).kind] as { url: string }, signal);
  return { calls, send };
}

describe('the call', () => {
  it('has the method, the body and the headers that a receiver can rely on', async () => {
    const { calls, send } = trying();
    await send();
    const { headers = {}, signal: _, ...call } = calls[0]!;
    expect(call).toEqual({
      url: 'https://hooks.example.net/',
      method: 'POST',
      body: '{"field":[]}',
      once: true,
      timeout: 30_000,
      mostBytes: 10,
      longer: 'cut',
    });
    expect(headers).toEqual({
      'webhook-id': 'VX-7_42',
      'webhook-timestamp': String(startOfTime / 1_000),
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Portico\/\d+\.\d+\.\d+/),
      'portico-notification': 'VX-7',
      'portico-trigger': 'group/create',
      'portico-attempt': '3',
      'portico-depth': expect.stringMatching(/^2-\d+\./),
      tracestate: expect.stringMatching(/^portico=2-\d+\./),
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
  });

  it('says of a sample that nothing has happened', async () => {
    const { calls, send } = trying();
    await send(order(http(), { trial: true }));
    expect(calls[0]!.headers).toMatchObject({ 'portico-test': 'true' });
  });

  it('has the trace of its cause, also where the order has a header of that name', async () => {
    const { calls, send } = trying();
    await send(order(http(), { headers: { traceparent: 'another' } }));
    expect(calls[0]!.headers!['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('is one trace for all that a request made happen, and a span for each attempt', async () => {
    const { calls, send } = trying();
    for (const [number, cause] of ['one', 'one', 'two'].entries()) await send(order(http(), { cause, number }));
    const [first, second, third] = calls.map(({ headers }) => headers!['traceparent']!.split('-'));
    expect(second![1]).toBe(first![1]);
    expect(second![2]).not.toBe(first![2]);
    expect(third![1]).not.toBe(first![1]);
  });

  it.each([
    [{ timeout: '5' }, 5_000],
    [{ timeout: '0' }, 30_000],
    [{ timeout: 'none' }, 30_000],
    [{ timeout: '999' }, 30_000],
    [{}, 30_000],
  ])('with %j may take %i ms', async (more, timeout) => {
    const { calls, send } = trying();
    await send(order(http(more)));
    expect(calls[0]!.timeout).toBe(timeout);
  });

  it('takes no longer than its caller waits', async () => {
    const { calls, send } = trying();
    await send(order(http({ timeout: '5' }), { within: 700 }));
    expect(calls[0]!.timeout).toBe(700);
  });

  it('puts name and password of the address into a header', async () => {
    const { calls, send } = trying();
    await send(order(http({ url: 'https://ann:p%40ss%C3%A4%zz@hooks.example.net/', method: 'PUT' })));
    const sent = `Basic ${Buffer.from('ann:p%40ss%C3%A4%zz').toString('base64')}`;
    const plain = `Basic ${Buffer.from('ann:p@ssä').toString('base64')}`;
    expect(calls[0]).toMatchObject({ method: 'PUT', headers: { authorization: sent } });
    await send(order(http({ url: 'https://ann:p%40ss%C3%A4@hooks.example.net/' })));
    expect(calls[1]!.headers!['authorization']).toBe(plain);
  });

  it.each<[OutboundErrorKind, string, boolean]>([
    ['dns', 'again', false],
    ['connect', 'again', false],
    ['tls', 'again', false],
    ['timeout', 'again', false],
    ['answer', 'again', false],
    ['bad-url', 'refused', false],
    ['blocked', 'blocked', true],
  ])('that ends with %s means %s', async (kind, verdict, localFault) => {
    expect(await trying(kind).send()).toEqual({
      verdict,
      error: kind,
      says: `Expected better from "hooks": ${kind}`,
      localFault,
    });
  });

  it('that fails at the names of several hosts in a row is the fault of this side', async () => {
    const hosts = ['one', 'one', 'two', 'three', 'four', 'five', 'six'];
    const { calls, send } = trying('dns');
    const localFaults: (boolean | undefined)[] = [];
    for (const host of hosts) localFaults.push((await send(order(http({ url: `https://${host}/` })))).localFault);
    expect(localFaults).toEqual([false, false, false, true, true, true, true]);
    expect(calls).toHaveLength(hosts.length);
  });

  it('that this side ended means nothing', async () => {
    const stop = new AbortController();
    const reason = new Error('The service stops');
    stop.abort(reason);
    await expect(trying('aborted').send(order(), stop.signal)).rejects.toBe(reason);
  });
});

const key = (bytes: number[]) =>
  crypto.subtle.importKey('raw', Uint8Array.from(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
const secretOf = (bytes: number[]) => `whsec_${Buffer.from(bytes).toString('base64')}`;

describe('the signature', () => {
  const [old, young] = [Array.from({ length: 32 }, (_, i) => i), Array.from({ length: 32 }, (_, i) => 255 - i)];

  it('is verified by the published library, also with the older of two secrets', async () => {
    const body = '{"field":[{"key":"title","value":"Ünicode ✓"}]}';
    const keys = await Promise.all([young, old].map(async (bytes) => ({ hmac: await key(bytes) })));
    const headers = await signatureHeaders({ id: 'VX-7_42', at: Date.now(), body }, keys);
    for (const bytes of [old, young]) {
      expect(new Webhook(secretOf(bytes)).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(secretOf([...old].reverse().map((byte) => byte ^ 1))).verify(body, headers)).toThrow();
    expect(() => new Webhook(secretOf(old)).verify(`${body} `, headers)).toThrow();
    const late = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
    expect(() => new Webhook(secretOf(old)).verify(body, late)).toThrow();
  });

  it('is also made with the private key, for those who have the public one', async () => {
    const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    const keys = [{ hmac: await key(old), ed25519: (pair as CryptoKeyPair).privateKey }];
    const headers = await signatureHeaders({ id: 'a', at: 5_999, body: 'b' }, keys);
    const [v1, v1a] = headers['webhook-signature']!.split(' ');
    expect(v1).toMatch(/^v1,[\w+/]{43}=$/);
    const [version, signature] = v1a!.split(',');
    expect(version).toBe('v1a');
    const { publicKey } = pair as CryptoKeyPair;
    const signed = new TextEncoder().encode('a.5.b');
    const bytes = Buffer.from(signature!, 'base64');
    expect(await crypto.subtle.verify('Ed25519', publicKey, bytes, signed)).toBe(true);
  });
});
