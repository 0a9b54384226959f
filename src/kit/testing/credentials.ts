import { Secret } from '../../core/lib/secret.ts';
import type { Credentials, SecretText } from '../../spi/index.ts';

/** Wraps a text like the service does for requests: it prints as a mask. */
export const secretText = (text: string): SecretText => new Secret(text);

/** Valid credentials of a realm. */
export type Knows =
  | { readonly user: string; readonly password: string }
  | { readonly kind: 'token' | 'bearer'; readonly token: string };

export const credentialsOf = (who: Knows): Credentials =>
  'kind' in who
    ? { kind: who.kind, token: secretText(who.token) }
    : { kind: 'password', user: who.user, password: secretText(who.password) };

export const proofOf = (who: Knows): string => ('kind' in who ? who.token : who.password);

export const withProof = (who: Knows, proof: string): Knows =>
  'kind' in who ? { ...who, token: proof } : { ...who, password: proof };

/** Found nowhere else, and the same in a URL, in JSON and in a header. */
export const canary = 'Canary7fQ2secretZ81x';

const swapCase = (text: string): string =>
  text.replace(/\p{L}/gu, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Wrong passwords, by the promise that they belong to. */
export const wrongProofs: Readonly<Record<string, (right: string) => readonly string[]>> = {
  'a wrong password': () => ['wrong-4711', 'null', 'undefined', 'true', '*', '%', "' OR '1'='1"],
  'an empty password': () => [''],
  'a truncated password': (right) =>
    [right.slice(0, -1), right.slice(1), right.slice(0, 1)].filter((text) => text !== ''),
  'a password in other case': (right) => [swapCase(right), right.toLowerCase(), right.toUpperCase()],
  'a password that a NUL follows': (right) => [`${right}\0`, `${right}\0more`],
  // Longer than the 72 bytes that some hashes read, and longer than a backend would accept.
  'a very long password': () => ['x'.repeat(100_000), '\u00e9'.repeat(40_000)],
};
