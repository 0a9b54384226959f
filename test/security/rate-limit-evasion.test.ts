import { describe, expect, it } from 'vitest';
import { decodeBasic } from '../../filters/basic.ts';
import { filterComponents } from '../../filters/index.ts';
import { ask, filterHost, make, told } from '../filters/support.ts';

/** Ways to look like somebody else to a limiter. Each spelling comes once the first has used up what it may. */
async function limiter(given: object) {
  const filter = await make(filterComponents['portico.RateLimitFilter']!, { requests: 1, ...given }, filterHost());
  return (address: string | undefined, headers: Record<string, string> = {}) =>
    ask(filter, undefined, { address, headers });
}

const basicOf = (user: string, password = 'p', scheme = 'Basic'): Record<string, string> => ({
  authorization: `${scheme} ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

const sameAddress: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ['the mapped form', '192.0.2.1', '::ffff:192.0.2.1'],
  ['the mapped form in hexadecimal', '192.0.2.1', '::ffff:c000:201'],
  ['the mapped form written out', '192.0.2.1', '0:0:0:0:0:FFFF:192.0.2.1'],
  ['upper case', '2001:db8::a', '2001:DB8::A'],
  ['leading zeros', '2001:db8::a', '2001:0db8:0000::000a'],
  ['no abbreviation', '2001:db8::a', '2001:db8:0:0:0:0:0:a'],
  ['another abbreviation', '2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['version 4 at the end', '2001:db8::102:304', '2001:db8::1.2.3.4'],
  ['another address of the same network of 64 bits', '2001:db8::1', '2001:db8::ffff:ffff:ffff:ffff'],
  ['a zone', 'fe80::1%eth0', 'fe80::1%eth1'],
  ['no address', undefined, undefined],
  ['no address, and what is none', undefined, '192.0.2.1, 192.0.2.2'],
];

const otherAddress: readonly (readonly [string, string])[] = [
  ['192.0.2.1', '192.0.2.2'],
  ['2001:db8::1', '2001:db8:0:1::1'],
  ['192.0.2.1', '::192.0.2.1'],
];

describe('the key of an address', () => {
  it.each(sameAddress)('is not evaded by %s', async (_what, first, second) => {
    const send = await limiter({ by: 'address' });
    expect([told(await send(first)), told(await send(second))]).toEqual(['pass', '429 rate-limit-address']);
  });

  it.each(otherAddress)('%s and %s are two', async (first, second) => {
    const send = await limiter({ by: 'address' });
    expect([told(await send(first)), told(await send(second))]).toEqual(['pass', 'pass']);
  });

  it.each([
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'x-forwarded-host',
    'x-original-forwarded-for',
    'via',
    'user-agent',
    'cookie',
  ])('is not evaded by a header %s', async (name) => {
    const send = await limiter({ by: 'address' });
    await send('192.0.2.1', { [name]: '198.51.100.1' });
    expect(told(await send('192.0.2.1', { [name]: 'for=198.51.100.2' }))).toBe('429 rate-limit-address');
  });
});

const sameAccount: readonly (readonly [string, Record<string, string>])[] = [
  ['another password', basicOf('admin', 'q')],
  ['a password with colons', basicOf('admin', ':q:')],
  ['the scheme in another case', basicOf('admin', 'p', 'bASIC')],
  ['another scheme word, as it can be configured', basicOf('admin', 'p', 'XBasic')],
  ['base64 without padding', { authorization: basicOf('admin', 'pw')['authorization']!.replace(/=+$/, '') }],
  ['upper case', basicOf('ADMIN')],
  ['mixed case', basicOf('aDmIn')],
  ['a blank before and after', basicOf(' admin ')],
  ['full-width letters', basicOf('\uff41\uff44\uff4d\uff49\uff4e')],
  ['mathematical letters', basicOf('\u{1d400}dmin')],
  ['a zero-width blank', basicOf('ad\u200bmin')],
  ['a soft hyphen', basicOf('ad\u00admin')],
  ['a byte order mark', basicOf('\ufeffadmin')],
  ['much that a directory overlooks', basicOf(`${'\u200b'.repeat(1000)}admin`)],
];

describe('the key of an account', () => {
  it.each(sameAccount)('is not evaded by %s', async (_what, headers) => {
    const send = await limiter({ by: 'account' });
    const first = await send('192.0.2.1', basicOf('admin'));
    expect([told(first), told(await send('192.0.2.2', headers))]).toEqual(['pass', '429 rate-limit-account']);
  });

  it.each([
    ['a tab and a line end', '\tadmin\r\n'],
    ['a zero byte', 'admin\0'],
  ])('is not evaded by %s either: such credentials reach no realm', (_what, user) =>
    expect(decodeBasic(basicOf(user)['authorization']!.slice('Basic '.length))).toBeUndefined(),
  );

  it.each([
    ['stra\u00dfe', 'STRASSE'],
    ['\u00df', '\u1e9e'],
    ['\u00e9', 'e\u0301'],
    ['\u212aelvin', 'kelvin'],
    ['a  b', 'a b'],
    ['', ' '],
  ])('%j and %j are one', async (first, second) => {
    const send = await limiter({ by: 'account' });
    await send('192.0.2.1', basicOf(first));
    expect(told(await send('192.0.2.2', basicOf(second)))).toBe('429 rate-limit-account');
  });

  it.each([
    ['admin', 'admin2'],
    ['admin', 'adm in'],
    ['e', '\u00e9'],
  ])('%j and %j are two', async (first, second) => {
    const send = await limiter({ by: 'account' });
    await send('192.0.2.1', basicOf(first));
    expect(told(await send('192.0.2.2', basicOf(second)))).toBe('pass');
  });

  it.each(['__proto__', 'constructor', 'toString', '\ud800'])('the name %j is a name', async (name) => {
    const send = await limiter({ by: 'account' });
    const headers = basicOf(name);
    expect([told(await send('192.0.2.1', headers)), told(await send('192.0.2.1', headers))]).toEqual([
      'pass',
      '429 rate-limit-account',
    ]);
  });
});

describe('the memory of the limiter', () => {
  it('does not forget a busy account in a flood of made-up ones', async () => {
    const send = await limiter({ by: 'account', requests: 3, remembered: 100 });
    for (let i = 0; i < 2; i++) await send('192.0.2.1', basicOf('admin'));
    for (let i = 0; i < 5000; i++) await send('192.0.2.1', basicOf(`made up ${i}`));
    expect(told(await send('192.0.2.1', basicOf('admin')))).toBe('pass');
    for (let i = 0; i < 5000; i++) await send('192.0.2.1', basicOf(`made up again ${i}`));
    expect(told(await send('192.0.2.1', basicOf('admin')))).toBe('429 rate-limit-account');
  });

  it('does not forget a busy address in a flood of networks', async () => {
    const send = await limiter({ by: 'address', requests: 2, remembered: 100 });
    for (let i = 0; i < 2; i++) await send('2001:db8::1');
    for (let i = 0; i < 5000; i++) await send(`2001:db9:0:${i.toString(16)}::1`);
    expect(told(await send('2001:db8::2'))).toBe('429 rate-limit-address');
  });

  it('keeps accounts and addresses apart', async () => {
    const send = await limiter({ by: 'both', requests: 2, remembered: 8 });
    for (let i = 0; i < 2; i++) await send('192.0.2.1', basicOf('admin'));
    for (let i = 0; i < 500; i++) await send(`198.51.${i >> 8}.${i & 255}`);
    expect(told(await send('192.0.2.9', basicOf('admin')))).toBe('429 rate-limit-account');
  });
});
