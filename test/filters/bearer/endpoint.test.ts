import { describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { Secret } from '../../../src/core/lib/secret.ts';
import { settle, startOfTime } from '../../support/clock.ts';
import { claims, pair, signed } from '../../support/keys.ts';
import { type BenchOptions, bench, headersOf } from '../support.ts';

const url = 'https://idp.example/userinfo';
const api = { validationEndpoint: url, tokenUser: 'email' };
const seconds = startOfTime / 1000;
const minutes = 60_000;
const { realmTimeout } = readSettings({});

type Answer = () => Promise<Response> | Response;
const json = (body: object | string, status = 200): Answer => {
  return () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
};
const alice = json({ sub: '1', email: 'alice' });

/** An endpoint whose answer a test can change. */
async function open(answer: Answer, more: BenchOptions = {}) {
  const endpoint = { answer };
  const made = await bench({ api, backend: () => endpoint.answer(), ...more });
  return { ...made, endpoint };
}

describe('a token that the endpoint knows', () => {
  it('is sent to it as it came, and its answer names the user', async () => {
    const { told, host } = await open(alice);
    expect(await told('opaque-1')).toBe('accept alice');
    const [request] = host.requests;
    expect([request!.method, request!.url, request!.headers.get('authorization')]).toEqual([
      'GET',
      url,
      'Bearer opaque-1',
    ]);
  });

  it('is asked about for less time than a filter has, so that an endpoint that hangs is remembered', async () => {
    const { told, host } = await open(alice);
    const call = vi.spyOn(host, 'call');
    expect(await told('opaque')).toBe('accept alice');
    expect(call.mock.calls.map(([{ timeout = Number.POSITIVE_INFINITY }]) => timeout < realmTimeout)).toEqual([true]);
  });

  it('counts only from the issuer of security.ini, where the answer names one', async () => {
    const toldBy = async (iss?: string) =>
      (await open(json({ email: 'alice', iss }), { ini: { issuer: ['https://idp.example'] } })).told('opaque');
    expect(await toldBy('https://idp.example')).toBe('accept alice');
    expect(await toldBy()).toBe('accept alice');
    expect(await toldBy('https://other.example')).toBe('401 issuer-wrong');
  });

  it('is remembered for ten minutes, and then asked about again', async () => {
    const { told, host } = await open(alice);
    for (let minute = 0; minute < 10; minute++) {
      expect(await told('opaque')).toBe('accept alice');
      await host.clock.advance(minutes - 1);
    }
    expect(host.requests).toHaveLength(1);
    await host.clock.advance(10);
    expect(await told('opaque')).toBe('accept alice');
    expect(host.requests).toHaveLength(2);
  });

  const ends: readonly (readonly [string, Answer, string])[] = [
    ['its answer', json({ email: 'alice', exp: seconds + 120 }), 'opaque'],
    ['itself, where it is a JWT', alice, signed(pair('P-256'), claims({ exp: seconds + 120 }))],
  ];
  it.each(ends)('is remembered no longer than %s says', async (_what, answer, token) => {
    const { told, host, endpoint } = await open(answer);
    expect(await told(token)).toBe('accept alice');
    await host.clock.advance(2 * minutes - 1);
    expect(await told(token)).toBe('accept alice');
    expect(host.requests).toHaveLength(1);
    endpoint.answer = json('', 401);
    await host.clock.advance(1);
    expect(await told(token)).toBe('401 token-inactive');
  });

  it('is asked about once by requests that come together', async () => {
    const { told, host } = await open(alice);
    const answers = await Promise.all(Array.from({ length: 50 }, () => told('opaque')));
    expect(new Set(answers)).toEqual(new Set(['accept alice']));
    expect(host.requests).toHaveLength(1);
  });

  it('is asked about by each request of its own on an edge', async () => {
    const { told, host } = await open(alice, { sharesWork: false });
    await Promise.all([told('opaque'), told('opaque')]);
    expect(host.requests).toHaveLength(2);
    expect(await told('opaque')).toBe('accept alice');
    expect(host.requests).toHaveLength(2);
  });

  it('is told of in the log, once, where the claim may belong to another person one day', async () => {
    const { told, host } = await open(alice);
    for (const token of ['one', 'two']) expect(await told(token)).toBe('accept alice');
    expect(host.logged).toEqual(['level warn event token-user-may-change claim email']);
    const other = await open(json({ sub: 'alice' }), { api: { ...api, tokenUser: 'sub' } });
    expect([await other.told('one'), other.host.logged]).toEqual(['accept alice', []]);
  });

  it('is not let in for its own claims, which nobody has verified', async () => {
    const { told } = await open(json({ sub: '1' }));
    expect(await told(signed(pair('P-256'), claims({ email: 'alice' })))).toBe('401 user-claim-wrong');
  });
});

describe('an answer', () => {
  const skewed = seconds - 60;
  const rows: readonly (readonly [string, Answer, string])[] = [
    ['that is active', json({ active: true, email: 'alice' }), 'accept alice'],
    ['that is not active', json({ active: false, email: 'alice' }), '401 token-inactive'],
    ['that is active in a word', json({ active: 'true', email: 'alice' }), '401 token-inactive'],
    ['that is active in null', json({ active: null, email: 'alice' }), '401 token-inactive'],
    ['with status 400', json('', 400), '401 token-inactive'],
    ['with status 401', json('', 401), '401 token-inactive'],
    ['with status 403', json({ email: 'alice' }, 403), '401 token-inactive'],
    ['with status 404', json({ email: 'alice' }, 404), '503 endpoint-failed'],
    ['with status 500', json({ email: 'alice' }, 500), '503 endpoint-failed'],
    ['with status 204', () => new Response(null, { status: 204 }), '503 endpoint-failed'],
    ['with status 201', json({ email: 'alice' }, 201), '503 endpoint-failed'],
    ['that is a redirect', () => Response.redirect('https://idp.example/login', 302), '503 endpoint-failed'],
    ['that is a page', json('<html>'), '503 endpoint-failed'],
    ['that is a list', json('[{"email":"alice"}]'), '503 endpoint-failed'],
    ['that is a text', json('"alice"'), '503 endpoint-failed'],
    ['that names the user twice', json('{"email":"bob","email":"alice"}'), '503 endpoint-failed'],
    ['that names it twice in two spellings', json('{"email":"bob","\\u0065mail":"alice"}'), '503 endpoint-failed'],
    ['that is too long', json({ email: 'alice', more: 'x'.repeat(70_000) }), '503 endpoint-failed'],
    ['that never comes', () => Promise.reject(new TypeError('fetch failed')), '503 endpoint-failed'],
    ['that has expired', json({ email: 'alice', exp: skewed }), '401 token-expired'],
    ['that begins later', json({ email: 'alice', nbf: seconds + 61 }), '401 token-not-yet-valid'],
    ['with an expiry in a text', json({ email: 'alice', exp: '9999999999' }), '401 claims-malformed'],
    ['without the user', json({ sub: '1' }), '401 user-claim-wrong'],
    ['with another user', json({ email: 'carol' }), '401 user-unknown'],
    ['with a disabled user', json({ email: 'bob' }), '401 user-disabled'],
  ];
  it.each(rows)('%s', async (_what, answer, expected) => {
    const { told } = await open(answer);
    expect(await told('opaque')).toBe(expected);
    expect(await told('opaque'), 'the second time').toBe(expected);
  });

  const audiences: readonly (readonly [string, object, string])[] = [
    ['the audience', { aud: 'portico' }, 'accept alice'],
    ['the audience among others', { aud: ['x', 'portico'] }, 'accept alice'],
    ['another audience', { aud: 'else' }, '401 audience-wrong'],
    ['no audience', {}, '401 audience-wrong'],
  ];
  it.each(audiences)('needs the audience where one is configured: %s', async (_what, more, expected) => {
    const { told } = await open(json({ email: 'alice', ...more }), { api: { ...api, expectedAudience: 'portico' } });
    for (const _again of [1, 2]) expect(await told('opaque')).toBe(expected);
    // The token's own word is nobody's word.
    expect(await told(signed(pair('P-256'), claims()))).toBe(expected);
  });

  it('about a user who is not there names them to the caller', async () => {
    const { ask } = await open(json({ email: 'carol@example.com' }));
    expect(headersOf(await ask('opaque'))['reason']).toBe('User was not found: carol@example.com');
  });
});

describe('a token that is refused', () => {
  it('is asked about again after five seconds', async () => {
    const { told, host, endpoint } = await open(json('', 401));
    expect(await told('opaque')).toBe('401 token-inactive');
    endpoint.answer = alice;
    await host.clock.advance(4_999);
    expect(await told('opaque')).toBe('401 token-inactive');
    await host.clock.advance(1);
    expect(await told('opaque')).toBe('accept alice');
  });

  it('because the endpoint failed is asked about again after a second', async () => {
    const { told, host, endpoint } = await open(json('', 503));
    expect(await told('opaque')).toBe('503 endpoint-failed');
    expect(host.logged.join('\n')).toContain('event endpoint-failed problem Expected status 200');
    endpoint.answer = alice;
    await host.clock.advance(999);
    expect(await told('opaque')).toBe('503 endpoint-failed');
    await host.clock.advance(1);
    expect(await told('opaque')).toBe('accept alice');
  });

  it('is not asked about when it says itself that it has expired', async () => {
    const { told, host } = await open(alice);
    expect(await told(signed(pair('P-256'), claims({ exp: seconds - 60 })))).toBe('401 token-expired');
    expect(host.requests).toHaveLength(0);
  });

  it('drives no good one out, however many there are', async () => {
    const { told, host, endpoint } = await open(alice);
    expect(await told('good')).toBe('accept alice');
    endpoint.answer = json('', 401);
    for (let index = 0; index < 10_100; index += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, part) => told(`bad-${index + part}`)));
    }
    const asked = host.requests.length;
    expect(await told('good')).toBe('accept alice');
    expect(host.requests).toHaveLength(asked);
  });

  it('is refused at once where too many are being asked about', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { told, host } = await open(() => held.then(() => alice()));
    const waiting = Array.from({ length: 256 }, (_, index) => told(`token-${index}`));
    await settle();
    expect(await told('one-more')).toBe('503 endpoint-busy');
    expect(host.requests).toHaveLength(256);
    release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['accept alice']));
    expect(await told('one-more')).toBe('accept alice');
  });
});

describe('an endpoint of RFC 7662', () => {
  const ini = {
    validationEndpoint: 'https://idp.example/introspect',
    tokenUser: 'username',
    clientId: 'portico: & co',
    clientSecret: new Secret('s3cr+t /%'),
  };

  it('is asked by a form, with the credentials of the client', async () => {
    const { told, host } = await open(json({ active: true, username: 'alice' }), { ini, api: undefined });
    expect(await told('opaque+/=')).toBe('accept alice');
    const [request] = host.requests;
    const [id, secret] = atob(request!.headers.get('authorization')!.slice('Basic '.length)).split(':');
    const decode = (text: string) => new URLSearchParams(`x=${text}`).get('x');
    expect([request!.method, decode(id!), decode(secret!)]).toEqual(['POST', ini.clientId, 's3cr+t /%']);
    const form = new URLSearchParams(await request!.text());
    expect(Object.fromEntries(form)).toEqual({ token: 'opaque+/=', token_type_hint: 'access_token' });
  });

  const rows: readonly (readonly [string, Answer, string])[] = [
    ['an answer without a word on it', json({ username: 'alice' }), '503 endpoint-failed'],
    ['an answer that it is not', json({ active: false }), '401 token-inactive'],
    ['a refusal of the client', json({ active: true, username: 'alice' }, 401), '503 endpoint-failed'],
  ];
  it.each(rows)('needs to say that the token is active: %s', async (_what, answer, expected) => {
    const { told, host } = await open(answer, { ini, api: undefined });
    expect(await told('opaque')).toBe(expected);
    expect(host.logged.join('\n')).not.toContain('s3cr');
  });

  it('does not make the secret go to an address that the API names', async () => {
    const { told, host } = await open(alice, { ini });
    expect(await told('opaque')).toBe('accept alice');
    expect([host.requests[0]!.url, host.requests[0]!.headers.get('authorization')]).toEqual([url, 'Bearer opaque']);
  });

  it('needs all three', async () => {
    const { clientId, clientSecret, validationEndpoint } = ini;
    for (const part of [{ clientId }, { clientSecret }, { clientId, clientSecret }, { clientId, validationEndpoint }]) {
      await expect(bench({ ini: part })).rejects.toThrow(
        'Expected clientId, clientSecret and validationEndpoint together',
      );
    }
  });
});
