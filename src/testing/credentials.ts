import { Secret } from '../lib/secret.ts';
import type { Credentials, SecretText } from '../spi/index.ts';

/** As the service wraps what came with a request: it prints itself as a mask. */
export const secretText = (text: string): SecretText => new Secret(text);

/** Somebody whom a realm lets in. */
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

/** What is not the password, by the name of the promise that it belongs to. */
export const wrongProofs: Readonly<Record<string, (right: string) => readonly string[]>> = {
  'a wrong password': () => ['wrong-4711', 'null', 'undefined', 'true', '*', '%', "' OR '1'='1"],
  'an empty password': () => [''],
  'a truncated password': (right) =>
    [right.slice(0, -1), right.slice(1), right.slice(0, 1)].filter((text) => text !== ''),
  'a password in other case': (right) => [swapCase(right), right.toLowerCase(), right.toUpperCase()],
  'a password that a NUL follows': (right) => [`${right}\0`, `${right}\0more`],
  // Longer than what hashes with a limit of 72 bytes look at, and than what a backend would read.
  'a very long password': () => ['x'.repeat(100_000), '\u00e9'.repeat(40_000)],
};
