import type { Host } from '../../src/spi/index.ts';
import { decodeBase64, digestNamed, iterated, joinBytes, maxIterations, sameBytes, utf8 } from './digests.ts';

/** A stored hash that was read: what it takes to compare a password with it. */
interface Stored {
  matches(password: string): Promise<boolean>;
  /** The host takes turns for it, so that we need not. */
  readonly gated?: true;
}

interface Tools {
  readonly host: Pick<Host, 'scrypt'>;
  /** Put in front of the salt of `$shiro1$`: a secret of the installation. */
  readonly privateSalt: Uint8Array;
}

/** A sentence instead: what is wrong, without a word of the hash. */
type Read = (parts: readonly string[], tools: Tools) => Stored | string;

interface Format {
  readonly name: string;
  readonly pattern: RegExp;
  readonly read: Read;
}

const within = (value: number, least: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= max;

/** Salt and digest, or undefined for bytes that no such hash has. An empty digest would match everything. */
function saltAndDigest(salt: string, digest: string): readonly [Uint8Array, Uint8Array] | undefined {
  const [saltBytes, digestBytes] = [decodeBase64(salt), decodeBase64(digest)];
  return saltBytes && digestBytes && within(digestBytes.length, 16, 128) ? [saltBytes, digestBytes] : undefined;
}

const unreadable = 'its salt or digest cannot be read';

const shiro1: Read = ([algorithm, iterationText, salt, digest], { privateSalt }) => {
  const hash = digestNamed(algorithm!);
  if (!hash) return 'its algorithm is not known';
  const iterations = Number(iterationText);
  if (!within(iterations, 1, maxIterations)) return `its iterations are not between 1 and ${maxIterations}`;
  const bytes = saltAndDigest(salt!, digest!);
  if (bytes?.[1].length !== hash.length) return unreadable;
  return {
    async matches(password) {
      return sameBytes(await iterated(hash, joinBytes(privateSalt, bytes[0], utf8(password)), iterations), bytes[1]);
    },
  };
};

const argonKinds = { argon2d: 'argon2dAsync', argon2i: 'argon2iAsync', argon2id: 'argon2idAsync' } as const;

const argon2: Read = ([kind, version, settings, salt, digest]) => {
  const cost = new Map(settings!.split(',').map((pair) => [pair.slice(0, 1), Number(pair.slice(2))]));
  const [m = 0, t = 0, p = 0] = ['m', 't', 'p'].map((key) => cost.get(key));
  // Limit of 128 MiB, and about two seconds of one core.
  if (!within(p, 1, 16) || !within(m, 8 * p, 131_072) || !within(m * t, 1, 262_144))
    return 'its cost is not between m=8,t=1,p=1 and m=131072 with m times t at most 262144';
  const bytes = saltAndDigest(salt!, digest!);
  if (!bytes || bytes[0].length < 8) return unreadable;
  return {
    async matches(password) {
      const library = await import('@noble/hashes/argon2.js');
      const hash = library[argonKinds[kind as keyof typeof argonKinds]];
      const options = { m, t, p, dkLen: bytes[1].length, version: version === '16' ? 16 : 19 };
      return sameBytes(await hash(utf8(password), bytes[0], options), bytes[1]);
    },
  };
};

const bcrypt: Read = ([version, cost, rest]) => {
  if (!within(Number(cost), 4, 14)) return 'its cost is not between 04 and 14';
  return {
    async matches(password) {
      const library = await import('bcrypt-ts/browser');
      return library.compare(password, `$${version}$${cost}$${rest}`);
    },
  };
};

const scrypt: Read = ([ln, r, p, salt, digest], { host }) => {
  const [cost, block, parallel] = [Number(ln), Number(r), Number(p)];
  const [memory, work] = [128 * 2 ** cost * block, 2 ** cost * block * parallel];
  const ordinary = within(cost, 1, 20) && within(block, 1, 32) && within(parallel, 1, 16);
  if (!ordinary || memory > 2 ** 27 || work > 2 ** 21) return 'its cost is above 128 MiB or about a second';
  const bytes = saltAndDigest(salt!, digest!);
  if (!bytes) return unreadable;
  return {
    gated: true,
    async matches(password) {
      return sameBytes(await host.scrypt(password, bytes[0], { cost, block, parallel }, bytes[1].length), bytes[1]);
    },
  };
};

const pbkdf2: Read = ([bits, iterationText, salt, digest]) => {
  const iterations = Number(iterationText);
  if (!within(iterations, 1, 5_000_000)) return 'its iterations are not between 1 and 5000000';
  // Passlib writes a dot where Base64 has a plus.
  const bytes = saltAndDigest(salt!.replaceAll('.', '+'), digest!.replaceAll('.', '+'));
  if (!bytes) return unreadable;
  return {
    async matches(password) {
      const { derive } = await import('./pbkdf2.ts');
      const derived = await derive(bits as '256' | '512', utf8(password), bytes[0], iterations, bytes[1].length);
      return sameBytes(derived, bytes[1]);
    },
  };
};

const b64 = '([A-Za-z0-9+/]*={0,2})';

/** The first whose pattern fits. */
const formats: readonly Format[] = [
  { name: '$shiro1$', pattern: new RegExp(`^\\$shiro1\\$([^$]+)\\$(\\d{1,9})\\$${b64}\\$${b64}$`), read: shiro1 },
  {
    name: '$argon2id$',
    pattern: new RegExp(
      `^(?:\\$shiro2)?\\$(argon2(?:id|i|d))\\$v=(16|19)\\$([mtp]=\\d{1,9}(?:,[mtp]=\\d{1,9}){2})\\$${b64}\\$${b64}$`,
    ),
    read: argon2,
  },
  { name: '$2y$', pattern: /^(?:\$shiro2)?\$(2[aby])\$(\d\d)\$([./A-Za-z0-9]{53})$/, read: bcrypt },
  {
    name: '$scrypt$',
    pattern: new RegExp(`^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,2}),p=(\\d{1,2})\\$${b64}\\$${b64}$`),
    read: scrypt,
  },
  {
    name: '$pbkdf2-sha256$',
    pattern:
      /^\$pbkdf2-sha(256|512)\$(?:i=)?(\d{1,9})(?:,l=\d{1,3})?\$([A-Za-z0-9+/.]+={0,2})\$([A-Za-z0-9+/.]+={0,2})$/,
    read: pbkdf2,
  },
];

export function parseHash(stored: string, tools: Tools): Stored | string {
  for (const { pattern, read } of formats) {
    const match = pattern.exec(stored);
    if (match) return read(match.slice(1), tools);
  }
  return `it has none of the forms ${formats.map(({ name }) => name).join(', ')}`;
}
