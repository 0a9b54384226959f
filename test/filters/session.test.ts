import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { ask, headersOf, make, onlyAlice, told } from './support.ts';

const filter = () => make(filterComponents['portico.SessionFilter']!);
const same = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
const cookie = '__Host-portico=good';
const base = { secure: true, login: onlyAlice };
type Headers = Readonly<Record<string, string>>;

describe('the filter for sessions', () => {
  it.each<[string, Headers, string, string]>([
    ['of a page of the origin', { cookie, ...same }, 'GET', 'accept alice'],
    ['beside other cookies', { cookie: `a=b; ${cookie}; c`, ...same }, 'GET', 'accept alice'],
    ['of a page of the origin that writes', { cookie, ...same, 'portico-ui': '1' }, 'PUT', 'accept alice'],
    ['typed into the address bar', { cookie, 'sec-fetch-site': 'none' }, 'GET', 'accept alice'],
    ['typed into the address bar, HEAD', { cookie, 'sec-fetch-site': 'none' }, 'HEAD', 'accept alice'],
    ['of an old browser, by Origin', { cookie, origin: 'https://portico.test' }, 'GET', 'accept alice'],
    ['of an old browser, by Referer', { cookie, referer: 'https://portico.test/ui/x' }, 'GET', 'accept alice'],
    ['whose text is wrong', { cookie: '__Host-portico=bad', ...same }, 'GET', '401 wrong-password'],
    ['whose text is no token', { cookie: '__Host-portico="good"', ...same }, 'GET', '401 credentials-malformed'],
    ['that is empty', { cookie: '__Host-portico=', ...same }, 'GET', '401 credentials-malformed'],
    ['beside Authorization', { cookie, ...same, authorization: 'Basic x' }, 'GET', 'pass'],
    ['without any', same, 'GET', 'pass'],
  ])('answers a cookie %s', async (_, headers, method, expected) => {
    const asked = { ...base, method, headers: { host: 'portico.test', ...headers } };
    expect(told(await ask(await filter(), ['permissive'], asked))).toBe(expected);
  });

  it.each<[string, Headers, boolean]>([
    ['a script of a page', same, true],
    ['a picture of a page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }, true],
    ['a page that says so', { 'portico-ui': '1' }, true],
    ['a cookie that does not count', { cookie, 'sec-fetch-site': 'cross-site' }, true],
    ['an address that is typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, false],
    ['a program', {}, false],
    ['a program that mimics half a browser', { 'sec-fetch-mode': 'cors' }, false],
  ])('keeps the login window shut for %s', async (_, headers, shut) => {
    const verdict = await ask(await filter(), ['permissive'], {
      ...base,
      headers: { host: 'portico.test', ...headers },
    });
    const given = verdict.verdict === 'pass' ? verdict.challenge : undefined;
    expect(typeof given === 'function' ? given() : verdict).toBe(shut ? 'Session' : undefined);
  });

  it('insists without brackets, with a challenge that opens no window', async () => {
    const missing = await ask(await filter(), undefined, { ...base });
    expect([told(missing), headersOf(missing)]).toEqual(['401 credentials-missing', { 'www-authenticate': 'Session' }]);
    const elsewhere = { ...base, headers: { cookie, 'sec-fetch-site': 'cross-site' } };
    expect(told(await ask(await filter(), undefined, elsewhere))).toBe('401 session-elsewhere');
  });

  it.each<[string | undefined, boolean, string, string]>([
    ['127.0.0.1:8080', false, 'portico=good', 'accept alice'],
    ['localhost', false, 'portico=good', 'accept alice'],
    ['[::1]:80', false, 'portico=good', 'accept alice'],
    ['127.0.0.1', false, '__Host-portico=good', 'pass'],
    ['portico.test', false, 'portico=good', 'pass'],
    ['localhost.evil.test', false, 'portico=good', 'pass'],
    ['127.0.0.1.evil.test', false, 'portico=good', 'pass'],
    [undefined, false, 'portico=good', 'pass'],
    ['127.0.0.1', true, 'portico=good', 'pass'],
    ['127.0.0.1', true, '__Host-portico=good', 'accept alice'],
  ])('at %s (TLS: %s) the cookie %s is answered by %s', async (host, secure, text, expected) => {
    const headers = { ...same, cookie: text, ...(host === undefined ? {} : { host }) };
    expect(told(await ask(await filter(), ['permissive'], { ...base, secure, headers }))).toBe(expected);
  });
});
