/** How many bytes of UTF-8 a text takes. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** As much of a text as fits into so many bytes, in whole characters. A loop that takes off one after the other is slow. */
export const fitting = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes))).read);
