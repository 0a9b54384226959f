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
