import type { Parameters } from '../security/parameters.ts';

const secretive = /pass|pwd|^pw$|^pin$|secret|token|jwt|key|auth|credential|^sig|signature|session|code/i;
const longest = 2_000;

/** What somebody puts into an address by mistake must not be kept because of that. */
export function maskedParameters(parameters: Parameters): string | null {
  if (parameters.size === 0) return null;
  const pairs: string[] = [];
  for (const [name, values] of parameters) {
    for (const value of values) {
      pairs.push(`${encodeURIComponent(name)}=${secretive.test(name) ? '***' : encodeURIComponent(value)}`);
    }
  }
  return pairs.join('&').slice(0, longest);
}
