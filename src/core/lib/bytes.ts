/** A multiple of three, so that pieces need no padding, and fewer than a call may have arguments. */
const piece = 24_576;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += piece) text += btoa(String.fromCharCode(...bytes.subarray(at, at + piece)));
  return text;
}

export const toUnpaddedBase64 = (bytes: Uint8Array): string => toBase64(bytes).replace(/=+$/, '');

/** Base64 of a text as UTF-8. */
export const textToBase64 = (text: string): string => toBase64(new TextEncoder().encode(text));

/** Reads both alphabets, with or without padding. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Reads base64 in any spelling, even with line breaks. Undefined if it is invalid. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return undefined;
  try {
    return fromBase64(plain);
  } catch {
    return undefined;
  }
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) text += pairs[bytes[index]!];
  return text;
}

/** Bytes of well-formed hexadecimal. A loop: each answer with a file has two hashes. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** The bytes of all parts, one behind the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, { byteLength }) => length + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** Number of UTF-8 bytes of a text. */
export const bytesOf = (text: string): number =>
  ascii.test(text) ? text.length : new TextEncoder().encode(text).byteLength;

const ascii = /^[\x00-\x7f]*$/;

/**
 * Longest prefix of a text that fits into the bytes, in whole characters. Removing one character at a time would be
 * slow.
 */
export const truncateUtf8 = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes))).read);

/** Compares by UTF-8 bytes, equal to code points. The usual comparison of texts differs above U+FFFF. */
export function inByteOrder(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** Rank of a code unit. Surrogates stand for characters above all others. */
const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit > 0xdfff ? unit - 0x800 : unit + 0x2000);

/** Cursor behind all texts of a folder. `folder`: with "/" at its end, or empty for all texts. */
export const afterAllIn = (folder = ''): string => `${folder}\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}`;

export type HashName = 'SHA-1' | 'SHA-256' | 'SHA-512' | 'MD5';

/** A hash that takes its bytes piece by piece. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** In lower-case hexadecimal. Ends it. */
  hex(): string;
}

export type NewHasher = (name: HashName) => Hasher;
