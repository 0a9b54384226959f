/** Base64 of any spelling: with line breaks, without padding, and the form for addresses. Undefined for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return undefined;
  try {
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
