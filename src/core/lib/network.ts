import { parseAddress } from './address.ts';

/**
 * Network of an address, which counts as one caller. For IPv6 the first 64 bits, since all of them belong to one
 * caller.
 */
export function networkOf(text: string | undefined): string {
  if (text === undefined) return 'unknown';
  const address = parseAddress(text);
  if (!address) return text;
  if (address.length === 4) return address.join('.');
  return [0, 2, 4, 6].map((at) => ((address[at]! << 8) | address[at + 1]!).toString(16)).join(':');
}

/** Address block that one owner may have: the first 16 bits of IPv4, the first 32 of IPv6. */
export function blockOf(network: string): string {
  return /^(?:\d+\.\d+(?=\.)|[\da-f]+:[\da-f]+(?=:))/.exec(network)?.[0] ?? network;
}
