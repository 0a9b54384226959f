import { describe, expect, it } from 'vitest';
import { isWithin, parseAddress, parseRange, readTarget } from '../../../src/core/lib/address.ts';

const hex = (bytes: readonly number[] | undefined): string | undefined =>
  bytes?.map((byte) => byte.toString(16).padStart(2, '0')).join('');

describe('an address', () => {
  it.each([
    ['0.0.0.0', '00000000'],
    ['10.1.2.3', '0a010203'],
    ['255.255.255.255', 'ffffffff'],
    ['::', '0'.repeat(32)],
    ['::1', `${'0'.repeat(31)}1`],
    ['1::', `0001${'0'.repeat(28)}`],
    ['2001:DB8::a', `20010db8${'0'.repeat(23)}a`],
    ['2001:0db8:0000:0000:0000:0000:0000:000a', `20010db8${'0'.repeat(23)}a`],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
    ['::2:3:4:5:6:7:8', '00000002000300040005000600070008'],
    ['64:ff9b::10.1.2.3', `0064ff9b${'0'.repeat(16)}0a010203`],
    ['1:2:3:4:5:6:10.1.2.3', '0001000200030004000500060a010203'],
    ['fe80::1%eth0', `fe80${'0'.repeat(27)}1`],
    ['::ffff:10.1.2.3', '0a010203'],
    ['::ffff:a01:203', '0a010203'],
    ['0:0:0:0:0:FFFF:10.1.2.3', '0a010203'],
    ['::ffff:0:a01:203', '0000000000000000ffff00000a010203'],
  ])('is read from %s', (text, bytes) => {
    expect(hex(parseAddress(text))).toBe(bytes);
  });

  it.each([
    '',
    'a',
    '10',
    '10.1',
    '10.1.2',
    '10.1.2.3.4',
    '10.1.2.256',
    '10.1.2.03',
    '0x0a.1.2.3',
    '10.1.2.3 ',
    '10.1.2.-3',
    '10.1.2.3%eth0',
    '１０.1.2.3',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1::2:3:4:5:6:7:8',
    '12345::',
    '::g',
    '::10.1.2',
    '::10.1.2.3:1',
    '10.1.2.3::',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '[::1]',
    '::1/128',
  ])('is not %s', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe('a range', () => {
  it.each([
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'], ['9.255.255.255', '11.0.0.0', '::10.1.2.3']],
    ['172.16.0.0/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
    ['10.1.2.3', ['10.1.2.3'], ['10.1.2.2', '10.1.2.4', '64:ff9b::10.1.2.3']],
    ['10.1.2.2/31', ['10.1.2.2', '10.1.2.3'], ['10.1.2.1', '10.1.2.4']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::', '::1', '2001:db8::']],
    ['::/0', ['::', 'ffff::'], ['10.0.0.1', '::ffff:10.0.0.1']],
    ['fc00::/7', ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], ['fbff::', 'fe00::']],
    ['fd00::1', ['fd00::1'], ['fd00::', 'fd00::2']],
    ['::ffff:10.0.0.0/104', ['10.0.0.0', '10.255.255.255'], ['11.0.0.0']],
  ])('%s has these and not those', (text, inside, outside) => {
    const range = parseRange(text)!;
    for (const each of inside) expect([each, isWithin(parseAddress(each)!, range)]).toEqual([each, true]);
    for (const each of outside) expect([each, isWithin(parseAddress(each)!, range)]).toEqual([each, false]);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.1/8',
    '10.1/16',
    'fd00::/129',
    'fd00::1/64',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0',
    'fe80::%eth0/64',
    '/8',
    'a/8',
  ])('is not %s', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });
});

describe('a target', () => {
  it.each([
    ['hooks', 'hooks'],
    ['Hooks.Internal', 'hooks.internal'],
    ['hooks.internal.', 'hooks.internal'],
    ['my_host-1.example', 'my_host-1.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
  ])('%s is the name %s', (text, name) => {
    expect(readTarget(text)).toBe(name);
  });

  it.each([
    '',
    'a b',
    'http://a',
    'a:80',
    'a/b',
    '*.internal',
    'user@a',
    'a?b',
    'a#b',
    '10.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '10.0.0.256',
    '%61',
    '.',
  ])('is not %s', (text) => {
    expect(readTarget(text)).toBeUndefined();
  });
});
