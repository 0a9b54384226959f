const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) text += pairs[bytes[index]!];
  return text;
}
