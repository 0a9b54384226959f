import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/core/lib/address.ts';
import { classify } from '../../../src/core/outbound/ranges.ts';

const classOf = (text: string): string => {
  const { kind, says } = classify(parseAddress(text)!);
  return kind === 'special' ? says : kind;
};
const four = (text: string): string =>
  text
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{4})/, '$1:');

/** First and last of each range, then the neighbours on both sides. */
const ranges: readonly (readonly [says: string, first: string, last: string, before: string, after: string])[] = [
  ['this network', '0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
  ['private', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['shared by a carrier', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignment', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['6to4 relay', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', ''],
  ['reserved', '240.0.0.0', '255.255.255.255', '', ''],
  ['unspecified', '::', '::', '', ''],
  ['loopback', '::1', '::1', '', ''],
  ['reserved', '::2', '::fffe:ffff:ffff', '', ''],
  ['reserved', '::1:0:0:0', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['discard only', '100::', '100::ffff:ffff:ffff:ffff', '', ''],
  ['reserved', '100:0:0:1::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', '2000::'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', ''],
  ['protocol assignment', '2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '', '2001:200::'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['reserved', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', ''],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['reserved', '5f01::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['private', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['reserved', 'fe00::', 'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
];

describe('ranges that are not public', () => {
  it.each(ranges)('%s: %s to %s, and no more', (says, first, last, ...neighbours) => {
    expect([classOf(first), classOf(last)]).toEqual([says, says]);
    for (const each of neighbours.filter((text) => text !== ''))
      expect([each, classOf(each)]).toEqual([each, 'public']);
  });
});

it.each(['1.1.1.1', '8.8.8.8', '223.255.255.255', '2606:4700::1111', '2a00:1450::', '2001:4860:4860::8888'])(
  '%s is public',
  (address) => expect(classOf(address)).toBe('public'),
);

/** Where the address 0a010203 goes. Gateways on the way may take it out again. */
const wrappings: readonly (readonly [what: string, wrap: (address: string) => string])[] = [
  ['mapped', (address) => `::ffff:${address}`],
  ['mapped, in hexadecimal', (address) => `::ffff:${four(address)}`],
  ['NAT64', (address) => `64:ff9b::${four(address)}`],
  ['compatible', (address) => `::${address}`],
  ['translated', (address) => `::ffff:0:${address}`],
  ['6to4', (address) => `2002:${four(address)}::1`],
  ['Teredo, the server', (address) => `2001:0:${four(address)}:0:0:0:0`],
  [
    'Teredo, the client',
    (address) => {
      const inverted = address
        .split('.')
        .map((byte) => 255 - Number(byte))
        .join('.');
      return `2001:0:101:101:0:ffff:${four(inverted)}`;
    },
  ],
  ['local NAT64 of 96 bits', (address) => `64:ff9b:1::${four(address)}`],
  ['local NAT64 of 96 bits, with more in its prefix', (address) => `64:ff9b:1:2:3:4:${four(address)}`],
  [
    'local NAT64 of 48 bits',
    (address) => {
      const [high, low] = four(address).split(':') as [string, string];
      return `64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::`;
    },
  ],
  [
    'local NAT64 of 56 bits',
    (address) => {
      const hex = four(address).replace(':', '');
      return `64:ff9b:1:ab${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}::`;
    },
  ],
  [
    'local NAT64 of 64 bits',
    (address) => {
      const hex = four(address).replace(':', '');
      return `64:ff9b:1:abcd:${hex.slice(0, 2)}:${hex.slice(2, 6)}:${hex.slice(6)}00:0`;
    },
  ],
];

describe('version 4 hidden in version 6', () => {
  it.each(wrappings)('%s: metadata stays metadata', (_what, wrap) => {
    for (const address of ['169.254.169.254', '100.100.100.200', '168.63.129.16']) {
      expect([wrap(address), classOf(wrap(address))]).toEqual([wrap(address), 'metadata']);
    }
  });

  it.each(wrappings)('%s: nothing that is not public becomes it', (_what, wrap) => {
    for (const [, first, last] of ranges.filter(([, first]) => !first.includes(':'))) {
      for (const address of [first, last]) expect(classOf(wrap(address))).not.toBe('public');
    }
  });

  it('is what it hides, where everybody’s translator takes it out', () => {
    expect(['1.1.1.1', '10.1.2.3', '127.0.0.1'].map((each) => classOf(`64:ff9b::${each}`))).toEqual([
      'public',
      'private',
      'loopback',
    ]);
    expect(['1.1.1.1', '10.1.2.3'].map((each) => classOf(`::ffff:${each}`))).toEqual(['public', 'private']);
  });

  it('is not public where it tunnels, whatever it hides', () => {
    const tunnels = wrappings.filter(([what]) => !/^(?:mapped|NAT64)/.test(what));
    expect(tunnels.map(([, wrap]) => classOf(wrap('1.1.1.1'))).filter((says) => says === 'public')).toEqual([]);
    expect(tunnels).toHaveLength(10);
  });
});

it.each([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
  'fe80::a9fe:a9fe%eth0',
])('%s is where a cloud tells credentials; its neighbours are not', (address) => {
  expect(classOf(address)).toBe('metadata');
  const next = address.replace(/[0-9a-f](?=$|%)/, (digit) => (digit === '0' ? '1' : '0'));
  expect([next, classOf(next)]).not.toEqual([next, 'metadata']);
});
