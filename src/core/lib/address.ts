/** The bytes of an address: four, or sixteen. One address, one form: `::ffff:10.0.0.1` is 10.0.0.1. */
export type Address = readonly number[];

export interface Range {
  readonly base: Address;
  /** Number of significant bits. */
  readonly bits: number;
}

const decimal = /^(?:0|[1-9]\d{0,2})$/;
const group = /^[0-9a-f]{1,4}$/i;

/** Undefined for what is not exactly an address: leading zeros and missing parts mean different things to different readers. */
export function parseAddress(text: string): Address | undefined {
  // The zone is a matter of this machine's interfaces, not of the address.
  const bytes = text.includes(':') ? sixteen(text.split('%', 1)[0]!) : four(text);
  return bytes && isWithin(bytes, mapped) ? bytes.slice(12) : bytes;
}

/** Parses `10.0.0.0/8`, `fd00::/8` or one address. Bits behind the length are an error unless ignored, since the intent is unclear. */
export function parseRange(text: string, hostBits: 'refused' | 'ignored' = 'refused'): Range | undefined {
  const [start = '', length, ...more] = text.split('/');
  const base = parseAddress(start);
  if (!base || start.includes('%') || more.length > 0) return undefined;
  const max = base.length * 8;
  if (length === undefined) return { base, bits: max };
  const bits = decimal.test(length) ? Number(length) - (start.includes(':') ? 128 - max : 0) : -1;
  if (bits < 0 || bits > max) return undefined;
  if (hostBits === 'ignored') return { base, bits };
  const isStart = base.every((byte, index) => (byte & (0xff >> Math.min(8, Math.max(0, bits - index * 8)))) === 0);
  return isStart ? { base, bits } : undefined;
}

export function isWithin(address: Address, { base, bits }: Range): boolean {
  if (address.length !== base.length) return false;
  for (let index = 0; index * 8 < bits; index++) {
    const free = Math.max(0, (index + 1) * 8 - bits);
    if (address[index]! >> free !== base[index]! >> free) return false;
  }
  return true;
}

const mapped: Range = { base: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0], bits: 96 };

function four(text: string): number[] | undefined {
  const parts = text.split('.');
  const bytes = parts.map((part) => (decimal.test(part) ? Number(part) : 256));
  return bytes.length === 4 && bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function sixteen(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => groups(half, index === halves.length - 1));
  if (!head || (halves.length === 2 && !tail)) return undefined;
  if (!tail) return head.length === 16 ? head : undefined;
  const missing = 16 - head.length - tail.length;
  return missing < 2 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** The last 32 bits may be written as version 4. */
function groups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const value = Number.parseInt(part, 16);
    const read = group.test(part)
      ? [value >> 8, value & 0xff]
      : isLast && index === parts.length - 1
        ? four(part)
        : undefined;
    if (!read) return undefined;
    bytes.push(...read);
  }
  return bytes;
}

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
