import { describe, expect, it } from 'vitest';
import { createForwarded } from '../../src/http/forwarded.ts';
import { basic, listenFor, openWorld } from '../support/matrix.ts';
import { sendBytes } from '../support/raw.ts';
import { admin } from '../support/service.ts';

const forwarded = createForwarded(['10.0.0.0/8', '2001:db8:1::/48']);
const seen = (address: string | undefined, headers: Record<string, string>) =>
  forwarded(new Headers(headers), { address, rawTarget: '/a' });

describe('a proxy that is trusted', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:5123', '203.0.113.7'],
    ['2001:db8::9', '2001:db8::9'],
    ['[2001:db8::9]', '2001:db8::9'],
    ['[2001:db8::9]:443', '2001:db8::9'],
    ['203.0.113.7, 10.4.5.6', '203.0.113.7'],
    ['203.0.113.7, 2001:db8:1::5 ,10.4.5.6', '203.0.113.7'],
    ['10.9.9.9, 10.4.5.6', '10.9.9.9'],
    ['', '10.0.0.1'],
  ])('tells whom a request came from: "%s"', (hops, address) => {
    expect(seen('10.0.0.1', { 'x-forwarded-for': hops })).toMatchObject({ rawTarget: '/a', address });
    expect(seen('::ffff:10.0.0.1', { 'x-forwarded-for': hops || '10.0.0.1' }).address).toBe(address);
  });

  it.each([
    ['https', true],
    ['HTTPS', true],
    ['http', false],
    ['https, http', false],
    ['http, https', true],
    ['wss', undefined],
    ['', undefined],
  ])('tells whether it came over TLS: "%s"', (scheme, secure) => {
    expect(seen('10.0.0.1', { 'x-forwarded-proto': scheme }).secure).toBe(secure);
  });
});

describe('a caller', () => {
  it.each([
    ['says of itself, before what the proxy says', '10.1.1.1', '127.0.0.1, 203.0.113.7', '203.0.113.7'],
    ['says of itself, as if it were a proxy, too', '10.1.1.1', '127.0.0.1, 203.0.113.7, 10.2.2.2', '203.0.113.7'],
    ['writes in a form that nobody reads', '10.1.1.1', '127.0.0.1, unknown', '10.1.1.1'],
    ['hides behind an empty hop', '10.1.1.1', '127.0.0.1,', '10.1.1.1'],
    ['says without a proxy', '203.0.113.9', '127.0.0.1', '203.0.113.9'],
    ['says from beside the range', '11.0.0.1', '127.0.0.1', '11.0.0.1'],
  ])('is not believed what it %s', (_, peer, hops, address) => {
    expect(seen(peer, { 'x-forwarded-for': hops, 'x-forwarded-proto': 'https' }).address).toBe(address);
  });

  it('is not believed that it came over TLS', () => {
    expect(seen('203.0.113.9', { 'x-forwarded-proto': 'https' }).secure).toBeUndefined();
    expect(seen(undefined, { 'x-forwarded-proto': 'https' }).secure).toBeUndefined();
  });
});

describe('behind a proxy', () => {
  it.each([
    [['127.0.0.1'], 'https://media.test/API/group/_import', '203.0.113.7'],
    [[], 'http://media.test/API/group/_import', '127.0.0.1'],
  ])('with %j trusted, addresses and the log tell what the caller sees', async (trustedProxies, address, from) => {
    const world = await openWorld('fetch', { settings: { trustedProxies } });
    const port = await listenFor(world);
    const lines = [
      'Connection: close',
      'Accept: text/plain',
      `Authorization: ${basic(admin)}`,
      'Host: media.test',
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: evil.test',
    ];
    const get = async (target: string) =>
      (await sendBytes(port, `${[`GET ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)).body;
    expect(await get('/API/group/_import')).toBe(address);
    expect(await get('/whatismyipaddress/')).toBe(from);
    expect(world.lines.filter(({ event }) => event === 'request').map((line) => line['from'])).toEqual([from, from]);
  });

  it('filters see the caller, and whether it came over TLS', async () => {
    const text = [
      '[main]',
      'serviceRealm = com.service.security.auth.DefaultServiceRealm',
      'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
      'ip.authorizedIps = 203.0.113.0/24',
      '[urls]',
      '/** = ip, ssl, authcBasic',
      '',
    ].join('\n');
    const security = { text, file: 'security.ini', plugins: [] };
    const world = await openWorld('fetch', { settings: { trustedProxies: ['127.0.0.1'] }, security });
    const port = await listenFor(world);
    const get = async (from: string, scheme: string) => {
      const lines = [
        'GET /whoami HTTP/1.1',
        'Connection: close',
        `Authorization: ${basic(admin)}`,
        'Host: media.test',
        `X-Forwarded-For: ${from}`,
        `X-Forwarded-Proto: ${scheme}`,
      ];
      return (await sendBytes(port, `${lines.join('\r\n')}\r\n\r\n`)).status;
    };
    expect(await get('203.0.113.7', 'https')).toBe(200);
    expect(await get('203.0.113.7', 'http')).toBe(302);
    expect(await get('198.51.100.7', 'https')).toBe(403);
  });
});
