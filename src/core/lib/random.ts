import { toUnpaddedBase64 } from './bytes.ts';

/** Randomness, injected by the host so that a test can seed it. */
export interface Random {
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export const systemRandom: Random = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** Letters and digits that a person can read aloud: no 0/O, 1/l/I. 57 symbols, 5.8 bits each. */
const readable = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function randomText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // Above the last full multiple the first symbols would come up more often.
      if (byte < 256 - (256 % readable.length) && text.length < length) text += readable[byte % readable.length];
    }
  }
  return text;
}

/** Text form for headers and paths. */
export const textOfBytes = (bytes: Uint8Array): string =>
  toUnpaddedBase64(bytes).replaceAll('+', '-').replaceAll('/', '_');

/** A random uuid (version 4), in small letters. */
export function uuidFrom(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
