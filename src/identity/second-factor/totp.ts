import { fromBase64 } from '../../core/lib/bytes.ts';
import { type Random, textOfBytes } from '../../core/lib/random.ts';

/** Codes of apps: RFC 6238 with SHA-1, six digits and 30 seconds, which are the values that every app knows. */

const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const secretBytes = 20;
const stepMs = 30_000;
/** Steps before and after the current one whose codes count, for clocks that differ. */
const drift = 1;

/** Base32 as apps read it. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let rest = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += symbols[(rest >>> bits) & 31];
    }
    rest &= (1 << bits) - 1;
  }
  return bits > 0 ? text + symbols[(rest << (5 - bits)) & 31] : text;
}

/** A new secret, in the form that is sealed. */
export const newSecret = (random: Random): string => textOfBytes(random.bytes(secretBytes));

/** A secret in the form that a person types into an app. */
export const shownSecret = (secret: string): string => toBase32(fromBase64(secret));

/** Address that an app reads from a QR code. */
export function addressOfApp(secret: string, user: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(user)}`;
  return `otpauth://totp/${label}?secret=${shownSecret(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

export async function codeAt(secret: string, step: number): Promise<string> {
  const message = new DataView(new ArrayBuffer(8));
  message.setBigUint64(0, BigInt(step));
  const hmac = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', fromBase64(secret), hmac, false, ['sign']);
  const digest = new DataView(await crypto.subtle.sign('HMAC', key, message));
  const at = digest.getUint8(19) & 0x0f;
  return String((digest.getUint32(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export const stepAt = (now: number): number => Math.floor(now / stepMs);

/** The time step of a code that is right now. Steps up to `used` count no more. */
export async function stepOfCode(secret: string, code: string, now: number, used: number): Promise<number | undefined> {
  const current = stepAt(now);
  for (let step = current - drift; step <= current + drift; step++)
    if (step > used && (await codeAt(secret, step)) === code) return step;
  return undefined;
}
