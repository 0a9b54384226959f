/** Of short things: keys, digests. A call has only so many arguments. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

export const toUnpaddedBase64 = (bytes: Uint8Array): string => toBase64(bytes).replace(/=+$/, '');

/** Of the UTF-8 of a text. */
export const textToBase64 = (text: string): string => toBase64(new TextEncoder().encode(text));

/** Reads both alphabets, with or without padding. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** The same of any spelling, also with line breaks. Undefined for anything that is no base64. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return undefined;
  try {
    return fromBase64(plain);
  } catch {
    return undefined;
  }
}
