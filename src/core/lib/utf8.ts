/** Number of UTF-8 bytes of a text. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/**
 * Longest prefix of a text that fits into the bytes, in whole characters. Removing one character at a time would be
 * slow.
 */
export const truncateUtf8 = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes))).read);
