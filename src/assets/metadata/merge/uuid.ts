import { serialOf } from '../../../core/lib/serial.ts';

/**
 * Uuids of groups, fields and values encode their origin: the change set that created them, and their ordinal in it. So
 * no table stores uuids, and no index is needed. RFC 9562 calls such uuids version 8:
 *
 *     serial: 48 bits | 8 | ordinal, low: 12 bits | 10 | ordinal, high: 8 bits | 54 bits of a hash of all three
 *
 * The hash detects invented uuids, and distinguishes uuids of two sites. It is not secret: access is checked on the
 * entity.
 */
interface Origin {
  /** Id of a change set: `VX-90`. */
  readonly change: string;
  readonly ordinal: number;
}

/** Upper bound above the maximum elements of a document. */
export const maxOrdinals = 2 ** 20;

interface Prepared {
  readonly prefix: string;
  readonly seed: number;
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
/** Three digits at once: a table of four would not stay in the cache of a core. */
const hex3 = Array.from({ length: 4096 }, (_, value) => hex(value, 3));
const variant = ['8', '9', 'a', 'b'] as const;

export function uuidsOf(change: string): (ordinal: number) => string {
  const { prefix, seed } = prepare(change);
  const start = `${prefix}-`;
  return (ordinal) => {
    const a = mix(seed ^ Math.imul(ordinal + 1, 0x9e3779b1));
    const b = mix(a + 0x85ebca6b);
    const high = (ordinal >>> 12) & 0xff;
    // Concatenated in three parts, since engines join short strings at once. Answers contain thousands of uuids.
    const middle = `8${hex3[ordinal & 0xfff]}-${variant[high >>> 6]}${hex3[((high & 0x3f) << 6) | (a >>> 26)]}-`;
    const end = `${hex3[(a >>> 4) & 0xfff]}${hex3[((a & 0xf) << 8) | (b >>> 24)]}${hex3[(b >>> 12) & 0xfff]}${hex3[b & 0xfff]}`;
    return start + middle + end;
  };
}

export const uuidOf = ({ change, ordinal }: Origin): string => uuidsOf(change)(ordinal);

const form = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-([89ab][0-9a-f]{3})-[0-9a-f]{12}$/;

/**
 * Decodes a uuid. Undefined: not created by this service. Checking the hash needs the change set, and is left to its
 * reader.
 */
export function decodeUuid(uuid: string): { readonly serial: number; readonly ordinal: number } | undefined {
  const match = form.exec(uuid);
  if (match === null) return undefined;
  const serial = Number.parseInt(match[1]! + match[2]!, 16);
  const high = (Number.parseInt(match[4]!, 16) >>> 6) & 0xff;
  return { serial, ordinal: (high << 12) | Number.parseInt(match[3]!, 16) };
}

function prepare(change: string): Prepared {
  const serial = serialOf(change);
  const digits = hex(serial, 12);
  let seed = 0x811c9dc5;
  for (let index = 0; index < change.length; index++) seed = Math.imul(seed ^ change.charCodeAt(index), 0x01000193);
  return { prefix: `${digits.slice(0, 8)}-${digits.slice(8)}`, seed: mix(seed) };
}

/** Finalizer of MurmurHash3: each bit of the input changes half of the output. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
