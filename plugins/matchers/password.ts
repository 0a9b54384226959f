import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Component, CredentialsMatcher, Host, SecretText } from '../../src/spi/index.ts';
import { decodeBase64, fromHex, joinBytes, utf8 } from './digests.ts';
import { parseHash } from './formats.ts';
import type { CheckingMatcher } from './plain.ts';
import { createTurns } from './turns.ts';

const entries = 1000;

/**
 * Remembers a match for a short time, under a key that only this object has. Every request carries a password, and a
 * slow comparison for each would stop the service. A changed stored text is another entry.
 */
function createMemory(host: Pick<Host, 'now' | 'randomBytes'>, milliseconds: number) {
  const key = host.randomBytes(32);
  const until = new Map<string, number>();

  return {
    entryOf: (...parts: readonly string[]): string => bytesToHex(sha256(joinBytes(key, utf8(JSON.stringify(parts))))),

    has: (entry: string): boolean => (until.get(entry) ?? 0) > host.now(),

    keep(entry: string): void {
      if (milliseconds <= 0) return;
      until.delete(entry);
      // The oldest goes first: a map keeps the order in which entries came.
      if (until.size >= entries) until.delete(until.keys().next().value!);
      until.set(entry, host.now() + milliseconds);
    },
  };
}

interface Properties {
  readonly rememberFor?: number;
  readonly privateSalt?: SecretText;
  readonly passwordService?: CredentialsMatcher;
}

const bytesOf = (text: string): Uint8Array | undefined =>
  /^0x/i.test(text) ? fromHex(text.slice(2)) : decodeBase64(text);

/** Stored hashes that name their own form and cost, so that old and new ones live in one file. */
export const passwordMatcher: Component<CheckingMatcher> = {
  says: 'Compares with stored hashes that have a prefix: $shiro1$, $shiro2$, $argon2id$, $2y$, $scrypt$, $pbkdf2-sha256$.',
  properties: {
    rememberFor: {
      type: 'duration',
      says: 'How long a verified password is cached. 0: never, and every request computes the hash.',
      fallback: 60_000,
    },
    privateSalt: {
      type: 'secret',
      says: 'The private salt of $shiro1$ hashes, in Base64, or in hexadecimal after 0x.',
    },
    passwordService: {
      type: { reference: 'matchers' },
      says: 'Another matcher that compares instead. For older files.',
    },
  },
  create({ rememberFor = 60_000, privateSalt, passwordService }: Properties, host) {
    if (passwordService) return passwordService as CheckingMatcher;
    const salt = bytesOf(privateSalt?.reveal() ?? '');
    if (!salt) throw new Error('Expected privateSalt to be Base64, or 0x and hexadecimal');
    const tools = { host, privateSalt: salt };
    const inTurn = createTurns(host);
    const memory = createMemory(host, rememberFor);
    return {
      async matches(secret, stored, account) {
        const hash = parseHash(stored.reveal(), tools);
        if (typeof hash === 'string') return false;
        const password = secret.reveal();
        // HMAC pads its key with NULs, so PBKDF2 and scrypt would not see one at the end.
        if (password.includes('\0')) return false;
        const entry = memory.entryOf(account.name, stored.reveal(), password);
        if (memory.has(entry)) return true;
        // Looked at again when the turn has come: of a burst with one password, the first answers for the others.
        const compare = async () => memory.has(entry) || hash.matches(password);
        const matches = await (hash.gated ? compare() : inTurn(compare));
        if (matches) memory.keep(entry);
        return matches;
      },
      defect(stored) {
        const hash = parseHash(stored.reveal(), tools);
        return typeof hash === 'string' ? hash : undefined;
      },
    };
  },
};
