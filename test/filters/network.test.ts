import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { type Asked, ask, headersOf, make, told } from './support.ts';

const filterOf = (name: string, given = {}) => make(filterComponents[`portico.${name}Filter`]!, given);
const host = { host: 'portico.test:1234' };

/** Filter, properties, brackets, request, and where it is sent (undefined: it passes). */
const moves: readonly (readonly [string, object, readonly string[] | undefined, Asked, string | undefined])[] = [
  ['Port', {}, undefined, { port: 80 }, undefined],
  ['Port', {}, undefined, { port: 8080, headers: host }, 'http://portico.test/x'],
  ['Port', {}, ['8080'], { port: 8080 }, undefined],
  ['Port', {}, ['8080'], { port: 80, headers: host }, 'http://portico.test:8080/x'],
  ['Port', {}, ['8080'], { port: 443, secure: true, headers: host }, 'https://portico.test:8080/x'],
  ['Port', {}, ['443'], { port: 80, headers: host }, 'https://portico.test/x'],
  ['Port', {}, ['80'], { port: 443, secure: true, headers: host }, 'http://portico.test/x'],
  ['Port', { port: 8443 }, undefined, { port: 1, headers: { host: '[2001:db8::1]:1' } }, 'http://[2001:db8::1]:8443/x'],
  ['Port', {}, ['1'], { port: 2, headers: host, query: 'a=b&c' }, 'http://portico.test:1/x?a=b&c'],
  ['Port', {}, ['1'], { port: 2, headers: host, rawPath: '//evil.test/x' }, 'http://portico.test:1//evil.test/x'],
  ['Port', {}, ['1'], { port: 2, headers: host, rawPath: 'http://evil.test/x' }, 'http://portico.test:1/x'],
  ['Port', {}, ['1'], { port: 2, headers: host, rawPath: 'http://evil.test' }, 'http://portico.test:1/'],
  ['Port', {}, ['1'], { port: 2, headers: host, rawPath: '*' }, 'http://portico.test:1/*'],
  [
    'Port',
    {},
    ['1'],
    { port: 2, headers: host, rawPath: '/a\r\nx: y\u00e9\u20ac' },
    'http://portico.test:1/a%0D%0Ax:%20y%E9%E2%82%AC',
  ],
  ['Ssl', {}, undefined, { secure: true }, undefined],
  ['Ssl', {}, undefined, { headers: host }, 'https://portico.test/x'],
  ['Ssl', {}, undefined, { port: 443, headers: host }, 'https://portico.test/x'],
  ['Ssl', {}, undefined, { secure: true, port: 8443, headers: host }, 'https://portico.test/x'],
  ['Ssl', {}, ['8443'], { secure: true, port: 8443 }, undefined],
  ['Ssl', {}, ['8443'], { headers: host }, 'https://portico.test:8443/x'],
  [
    'Ssl',
    {},
    undefined,
    { headers: { ...host, 'x-forwarded-proto': 'https', forwarded: 'proto=https' } },
    'https://portico.test/x',
  ],
];

describe('ports and https', () => {
  it.each(moves)('%s %j %j %j', async (name, given, words, asked, location) => {
    const verdict = await ask(await filterOf(name, given), words, asked);
    expect(headersOf(verdict)).toEqual(location === undefined ? {} : { location });
    expect(() => new Headers(headersOf(verdict))).not.toThrow();
  });

  it.each([undefined, '', 'a b', 'evil.test/x', 'a@b', 'a, b', 'a:b', '[::1', 'a:1:2'])(
    'a host such as %j leads nowhere',
    async (name) => {
      const verdict = await ask(await filterOf('Ssl'), undefined, {
        headers: name === undefined ? {} : { host: name },
      });
      expect(told(verdict)).toBe('400 host-unusable');
    },
  );

  it.each([
    ['Port', ['80', '81']],
    ['Port', ['abc']],
    ['Port', ['0']],
    ['Ssl', ['65536']],
    ['Ssl', ['-1']],
    ['Ssl', ['4e3']],
  ])('%s %j is an error at start', async (name, words) => {
    const filter = await filterOf(name);
    expect(() => filter.options?.(words)).toThrow('Expected one port from 1 to 65535');
  });

  it('tells browsers to stay with https only by https', async () => {
    const filter = await filterOf('Ssl', { hsts: { enabled: true, maxAge: 60 } });
    const headers = { 'strict-transport-security': 'max-age=60' };
    expect(await ask(filter, undefined, { secure: true })).toEqual({ verdict: 'pass', headers });
    expect(headersOf(await ask(filter, undefined, { headers: host }))).toEqual({ location: 'https://portico.test/x' });
    await expect(filterOf('Ssl', { hsts: { maxAge: -1 } })).rejects.toThrow('Expected a number of seconds, 0 or more');
  });
});

/** Authorized, denied, address, and whether it passes. */
const ranges: readonly (readonly [string, string, string | undefined, boolean])[] = [
  ['', '', '192.0.2.1', false],
  ['192.0.2.1', '', '192.0.2.1', true],
  ['192.0.2.1', '', undefined, false],
  ['192.0.2.1', '', '', false],
  ['0.0.0.0/0', '', 'junk', false],
  ['192.0.2.1', '', '192.0.2.2', false],
  ['192.0.2.0/31', '', '192.0.2.1', true],
  ['192.0.2.0/31', '', '192.0.2.2', false],
  ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', false],
  ['10.0.0.0/8', '10.1.0.0/16', '10.2.2.3', true],
  ['10.0.0.0/8 192.0.2.1', '', '192.0.2.1', true],
  ['10.0.0.0/8', '', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '', '::FFFF:0a01:0203', true],
  ['0.0.0.0/0', '10.0.0.0/8', '::ffff:10.1.2.3', false],
  ['::ffff:10.0.0.0/104', '', '10.1.2.3', true],
  ['::ffff:0:0/96', '', '10.1.2.3', true],
  ['::/0', '', '10.1.2.3', false],
  ['::/0', '', '2001:db8::1', true],
  ['0.0.0.0/0', '', '2001:db8::1', false],
  ['2001:db8::/33', '', '2001:db8:7fff::1', true],
  ['2001:db8::/33', '', '2001:db8:8000::1', false],
  ['fe80::/10', '', 'fe80::1%eth0', true],
  ['::1', '', '0:0:0:0:0:0:0:1', true],
  ['::1/128', '', '::2', false],
];

describe('ip', () => {
  it.each(ranges)('%j without %j: %s %s', async (authorized, denied, address, expected) => {
    const given = { authorizedIps: authorized.split(','), deniedIps: denied.split(',') };
    const verdict = await ask(await filterOf('Ip', given), undefined, { address });
    expect(told(verdict)).toBe(expected ? 'pass' : '403 address-denied');
  });

  it('believes the socket and no header', async () => {
    const filter = await filterOf('Ip', { authorizedIps: ['10.0.0.1'] });
    const headers = { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' };
    expect(told(await ask(filter, undefined, { headers }))).toBe('403 address-denied');
  });

  const bad = ['192.168.33/24', '10.0.0.0/33', '::/129', '010.0.0.1', '256.0.0.1', '1.2.3', '0x7f.1', '10.0.0.0/8/8'];
  it.each([
    ...bad,
    '10.0.0.0/08',
    '10.0.0.0/',
    '/8',
    'localhost',
    '::ffff:0:0/95',
    '1::2::3',
    '1.2.3.4::',
    'fe80::1%eth0',
  ])('refuses %s at start', async (entry) => {
    const sentence = `found "${entry}"`;
    await expect(filterOf('Ip', { authorizedIps: ['10.0.0.1', entry] })).rejects.toThrow(sentence);
    await expect(filterOf('Ip', { deniedIps: [entry] })).rejects.toThrow(sentence);
  });
});
