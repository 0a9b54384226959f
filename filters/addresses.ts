/** An address in groups of 16 bits: two for version 4, eight for version 6. One address, one form. */
type Address = readonly number[];

export interface Range {
  readonly groups: Address;
  /** Number of significant bits. */
  readonly bits: number;
}

const fourParts = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;
const group = /^[0-9a-f]{1,4}$/i;

/** Undefined for what is not exactly an address: leading zeros and missing parts mean different things to different readers. */
export function parseAddress(text: string): Address | undefined {
  const address = parse(text);
  return address && isMapped(address) ? address.slice(6) : address;
}

/** `10.0.0.0/8`, `2001:db8::/32` or one address. A mapped range is one of version 4. */
export function parseRange(text: string): Range | undefined {
  const [base = '', length, ...more] = text.split('/');
  const groups = parse(base);
  if (!groups || base.includes('%') || more.length > 0) return undefined;
  if (length !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const bits = length === undefined ? groups.length * 16 : Number(length);
  if (bits > groups.length * 16) return undefined;
  if (!isMapped(groups)) return { groups, bits };
  return bits < 96 ? undefined : { groups: groups.slice(6), bits: bits - 96 };
}

export function isWithin(address: Address, { groups, bits }: Range): boolean {
  if (address.length !== groups.length) return false;
  for (let index = 0; index * 16 < bits; index++) {
    const free = Math.max(0, (index + 1) * 16 - bits);
    if (address[index]! >> free !== groups[index]! >> free) return false;
  }
  return true;
}

/** `::ffff:10.0.0.1` is how a socket for both versions shows 10.0.0.1. */
function isMapped(address: Address): boolean {
  return address.length === 8 && address[5] === 0xffff && address.slice(0, 5).every((each) => each === 0);
}

function parse(text: string): Address | undefined {
  if (fourParts.test(text)) {
    const bytes = text.split('.').map(Number);
    return bytes.some((byte) => byte > 255) ? undefined : [bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!];
  }
  // The zone is a matter of this machine's interfaces, not of the address.
  const [plain = ''] = text.split('%', 1);
  const halves = plain.split('::');
  if (halves.length > 2 || (halves.length === 2 && halves[0]!.includes('.'))) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':').flatMap(readGroup)));
  if (!head || [...head, ...(tail ?? [])].some(Number.isNaN)) return undefined;
  if (!tail) return head.length === 8 ? head : undefined;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** The last 32 bits may be written as version 4. */
function readGroup(text: string, index: number, all: readonly string[]): number[] {
  if (group.test(text)) return [Number.parseInt(text, 16)];
  const four = index === all.length - 1 && fourParts.test(text) ? parse(text) : undefined;
  return four ? [...four] : [Number.NaN];
}
