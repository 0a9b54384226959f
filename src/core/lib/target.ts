import { parseAddress, parseRange, type Range } from './address.ts';

/** A range of addresses, or the name of a host: what a list of allowed targets consists of. */
type Target = Range | string;

/** Undefined for what is neither. A number that some take for an address (`10.1`, `0x7f000001`) is no name. */
export function readTarget(text: string): Target | undefined {
  return parseRange(text) ?? readName(text);
}

function readName(text: string): string | undefined {
  if (!/^[\p{L}\p{N}._-]+$/u.test(text) || !URL.canParse(`http://${text}/`)) return undefined;
  const { hostname } = new URL(`http://${text}/`);
  return parseAddress(hostname) ? undefined : withoutDot(hostname) || undefined;
}

/** `hooks.internal.` is `hooks.internal`, said in full. */
export const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '');
