const texts = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Two small letters or digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += texts[byte]!;
  return text;
}
