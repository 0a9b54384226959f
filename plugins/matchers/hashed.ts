import type { Component, PropertyTable } from '../../src/spi/index.ts';
import {
  decodeBase64,
  digestNamed,
  digestNames,
  fromHex,
  iterated,
  joinBytes,
  maxIterations,
  sameBytes,
  utf8,
} from './digests.ts';
import type { CheckingMatcher } from './plain.ts';
import { createTurns } from './turns.ts';

interface Properties {
  readonly hashAlgorithmName: string;
  readonly hashIterations: number;
  readonly storedCredentialsHexEncoded: boolean;
  readonly hashSalted: boolean;
}

const properties: PropertyTable = {
  hashIterations: {
    type: 'integer',
    says: 'How often the digest is repeated.',
    fallback: 1,
    check: (value: number) =>
      value >= 1 && value <= maxIterations ? undefined : `Expected 1 to ${maxIterations} iterations`,
  },
  storedCredentialsHexEncoded: {
    type: 'boolean',
    says: 'Whether stored digests are hexadecimal; else they are Base64.',
    fallback: true,
  },
  hashSalted: { type: 'boolean', says: 'Whether the name of the user is the salt.', fallback: false },
};

const algorithmProperty = {
  type: 'string',
  says: `The digest: ${digestNames}.`,
  check: (value: string) => (digestNamed(value) ? undefined : `Expected one of ${digestNames}`),
} as const;

/** Enough that a stolen file is not read within a day; what old files have is far below. */
const slowEnough = 100_000;

function hashedMatcher(preset?: string): Component<CheckingMatcher> {
  return {
    says: `Compares with a stored ${preset ?? 'digest'}, optionally repeated. Without a salt and fast: prefer portico.PasswordMatcher.`,
    properties: {
      ...properties,
      hashAlgorithmName: preset ? { ...algorithmProperty, fallback: preset } : { ...algorithmProperty, required: true },
    },
    create(options: Partial<Properties>, host) {
      const name = options.hashAlgorithmName ?? preset ?? '';
      const digest = digestNamed(name);
      if (!digest) throw new Error(`Expected hashAlgorithmName to be one of ${digestNames}`);
      const { hashIterations = 1, storedCredentialsHexEncoded: hex = true, hashSalted = false } = options;
      if (digest.legacy || hashIterations < slowEnough)
        host.log('warn', 'weak-password-hash', { algorithm: name, iterations: hashIterations });
      const inTurn = createTurns(host);
      const read = (stored: string): Uint8Array | undefined => {
        const bytes = hex ? fromHex(stored) : decodeBase64(stored);
        return bytes?.length === digest.length ? bytes : undefined;
      };
      return {
        async matches(password, stored, account) {
          const wanted = read(stored.reveal());
          if (!wanted) return false;
          const salt = utf8(hashSalted ? account.name : '');
          const bytes = joinBytes(salt, utf8(password.reveal()));
          return sameBytes(await inTurn(() => iterated(digest, bytes, hashIterations)), wanted);
        },
        defect: (stored) =>
          read(stored.reveal()) ? undefined : `it is no ${hex ? 'hexadecimal' : 'Base64'} ${name} digest`,
      };
    },
  };
}

export const anyDigestMatcher = hashedMatcher();
export const digestMatchers = {
  md5: hashedMatcher('MD5'),
  sha1: hashedMatcher('SHA-1'),
  sha256: hashedMatcher('SHA-256'),
  sha384: hashedMatcher('SHA-384'),
  sha512: hashedMatcher('SHA-512'),
} as const;
