import { parseAddress } from '../../lib/address.ts';

/** What counts as one caller. Of version 6 the first 64 bits: whoever has one address of such a network has all of them. */
export function networkOf(text: string | undefined): string {
  if (text === undefined) return 'unknown';
  const address = parseAddress(text);
  if (!address) return text;
  if (address.length === 4) return address.join('.');
  return [0, 2, 4, 6].map((at) => ((address[at]! << 8) | address[at + 1]!).toString(16)).join(':');
}
