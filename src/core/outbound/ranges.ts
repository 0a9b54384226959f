import { type Address, isWithin, parseAddress, parseRange, type Range } from '../lib/address.ts';

/** `public`: callable. `special`: only if the settings permit it. `metadata`: never. */
interface AddressClass {
  readonly kind: 'public' | 'special' | 'metadata';
  /** Purpose of the range, in a word. */
  readonly says: string;
}

const range = (text: string): Range => parseRange(text)!;

/** Metadata services of clouds, which hand out credentials of machines. Some are outside of the special ranges. */
const metadata: readonly Address[] = [
  '169.254.169.254', // most of them
  '169.254.170.2', // AWS, tasks
  '169.254.170.23', // AWS, pods
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure, the host of the machine
  '192.0.0.192', // Oracle, classic
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS, pods
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  'fe80::a9fe:a9fe', // OpenStack
].map((text) => parseAddress(text)!);

/** The registries of special addresses of version 4 and 6 (RFC 6890 and what came after). */
const special: readonly (readonly [range: Range, says: string])[] = [
  [range('0.0.0.0/8'), 'this network'],
  [range('10.0.0.0/8'), 'private'],
  [range('100.64.0.0/10'), 'shared by a carrier'],
  [range('127.0.0.0/8'), 'loopback'],
  [range('169.254.0.0/16'), 'link-local'],
  [range('172.16.0.0/12'), 'private'],
  [range('192.0.0.0/24'), 'protocol assignment'],
  [range('192.0.2.0/24'), 'documentation'],
  [range('192.88.99.0/24'), '6to4 relay'],
  [range('192.168.0.0/16'), 'private'],
  [range('198.18.0.0/15'), 'benchmarking'],
  [range('198.51.100.0/24'), 'documentation'],
  [range('203.0.113.0/24'), 'documentation'],
  [range('224.0.0.0/4'), 'multicast'],
  [range('240.0.0.0/4'), 'reserved'],

  [range('::1/128'), 'loopback'],
  [range('::/128'), 'unspecified'],
  [range('64:ff9b:1::/48'), 'local NAT64'],
  [range('100::/64'), 'discard only'],
  [range('2001::/32'), 'Teredo'],
  [range('2001::/23'), 'protocol assignment'],
  [range('2001:db8::/32'), 'documentation'],
  [range('2002::/16'), '6to4'],
  [range('3fff::/20'), 'documentation'],
  [range('5f00::/16'), 'segment routing'],
  [range('fc00::/7'), 'private'],
  [range('fe80::/10'), 'link-local'],
  [range('fec0::/10'), 'site-local'],
  [range('ff00::/8'), 'multicast'],
];

/** Assigned range of IPv6. Anything outside of it is special, known or not. */
const globalUnicast = range('2000::/3');

type Places = readonly (readonly [number, number, number, number])[];

/** IPv4 addresses embedded in IPv6 ranges, which a gateway may extract. */
const hidden: readonly (readonly [range: Range, places: Places, inverted?: boolean])[] = [
  [range('::/96'), [[12, 13, 14, 15]]],
  [range('::ffff:0:0:0/96'), [[12, 13, 14, 15]]],
  [range('64:ff9b::/96'), [[12, 13, 14, 15]]],
  // Any of the lengths that a translator may be set to (RFC 6052).
  [
    range('64:ff9b:1::/48'),
    [
      [6, 7, 9, 10],
      [7, 9, 10, 11],
      [9, 10, 11, 12],
      [12, 13, 14, 15],
    ],
  ],
  [range('2001::/32'), [[4, 5, 6, 7]]],
  [range('2001::/32'), [[12, 13, 14, 15]], true],
  [range('2002::/16'), [[2, 3, 4, 5]]],
];

/**
 * Public prefix of NAT64: the embedded IPv4 address decides, since machines without IPv4 reach all of it through the
 * prefix.
 */
const nat64 = range('64:ff9b::/96');

export function classify(address: Address): AddressClass {
  const inside = hiddenIn(address);
  if ([address, ...inside].some(isMetadata)) return { kind: 'metadata', says: 'cloud metadata' };
  if (isWithin(address, nat64)) return classify(inside[0]!);
  const says = special.find(([each]) => isWithin(address, each))?.[1];
  if (says !== undefined) return { kind: 'special', says };
  if (address.length === 16 && !isWithin(address, globalUnicast)) return { kind: 'special', says: 'reserved' };
  return { kind: 'public', says: 'public' };
}

function hiddenIn(address: Address): Address[] {
  return hidden
    .filter(([each]) => isWithin(address, each))
    .flatMap(([, places, inverted]) =>
      places.map((place) => place.map((index) => address[index]! ^ (inverted ? 0xff : 0))),
    );
}

const isMetadata = (address: Address): boolean =>
  metadata.some((each) => each.length === address.length && each.every((byte, index) => byte === address[index]));
