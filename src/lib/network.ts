import { parseAddress } from './address.ts';

/** What counts as one caller. Of version 6 the first 64 bits: a caller with one address of such a network has all. */
export function networkOf(text: string | undefined): string {
  if (text === undefined) return 'unknown';
  const address = parseAddress(text);
  if (!address) return text;
  if (address.length === 4) return address.join('.');
  return [0, 2, 4, 6].map((at) => ((address[at]! << 8) | address[at + 1]!).toString(16)).join(':');
}

/** What one owner may have all networks of: the first 16 bits of version 4, the first 32 of version 6. */
export function blockOf(network: string): string {
  return /^(?:\d+\.\d+(?=\.)|[\da-f]+:[\da-f]+(?=:))/.exec(network)?.[0] ?? network;
}
