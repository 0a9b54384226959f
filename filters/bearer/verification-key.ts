import { type CryptoKey, importJWK, importSPKI } from 'jose';
import { toBase64 } from '../../src/kit/index.ts';
import type { Validity } from './certificate.ts';
import { derChildren, elementsOf, hexOf } from './der.ts';
import { type JsonObject, ownProperty, ownText } from './json.ts';

/** A key that tokens may be signed with, and all that it may be used for: nothing in a token adds to it. */
export interface VerificationKey {
  /** Name of the key in the log. */
  readonly name: string;
  /** A hint: which of several keys to try first. */
  readonly id: string | undefined;
  readonly algorithms: readonly string[];
  /** Validity of the certificate, for a key from a certificate. */
  readonly validity: Validity | undefined;
  /** Issuer for which alone the key signs, where the set says so. */
  readonly issuer?: string | undefined;
  /** Text form of the key, equal for equal keys. */
  readonly text: string;
  forAlgorithm(algorithm: string): Promise<CryptoKey>;
}

const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const edwards = ['EdDSA', 'Ed25519'];

/** Algorithms by object identifier, in DER. */
const byIdentifier = new Map<string, readonly string[]>([
  ['2a864886f70d010101', rsa],
  ['2a8648ce3d0201 2a8648ce3d030107', ['ES256']],
  ['2a8648ce3d0201 2b81040022', ['ES384']],
  ['2a8648ce3d0201 2b81040023', ['ES512']],
  ['2b6570', edwards],
]);

/** By `kty` and `crv`, with the members that make the public key. */
const byMembers = new Map<string, { readonly algorithms: readonly string[]; readonly members: readonly string[] }>([
  ['RSA', { algorithms: rsa, members: ['n', 'e'] }],
  ['EC P-256', { algorithms: ['ES256'], members: ['crv', 'x', 'y'] }],
  ['EC P-384', { algorithms: ['ES384'], members: ['crv', 'x', 'y'] }],
  ['EC P-521', { algorithms: ['ES512'], members: ['crv', 'x', 'y'] }],
  ['OKP Ed25519', { algorithms: edwards, members: ['crv', 'x'] }],
]);

/** Algorithms of all supported keys, without symmetric ones and `none`. */
export const knownAlgorithms: ReadonlySet<string> = new Set([...byIdentifier.values()].flat());

const expectedKind = 'Expected an RSA key, or one on the curve P-256, P-384, P-521 or Ed25519';
const leastBits = 2048;

/** Reads SubjectPublicKeyInfo, the content of `BEGIN PUBLIC KEY`. Throws a sentence for an invalid or weak key. */
export function keyFromDer(name: string, der: Uint8Array, validity?: Validity): Promise<VerificationKey> {
  const [envelope] = elementsOf(der);
  const [kind, curve] = derChildren(derChildren(envelope)[0]);
  const algorithms = byIdentifier.get(hexOf(kind)) ?? byIdentifier.get(`${hexOf(kind)} ${hexOf(curve)}`);
  if (!algorithms) throw new Error(`${expectedKind}: another kind`);
  const text = toBase64(envelope!.whole);
  const pem = `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`;
  return checked({ name, id: undefined, algorithms, validity, text }, (algorithm) => importSPKI(pem, algorithm));
}

/** Reads a JSON Web Key. Throws a sentence if it cannot verify signatures. */
export function keyFromJwk(name: string, jwk: JsonObject): Promise<VerificationKey> {
  const [type, curve, id, algorithm] = ['kty', 'crv', 'kid', 'alg'].map((member) => ownProperty(jwk, member));
  const kind = byMembers.get(`${type}`) ?? byMembers.get(`${type} ${curve}`);
  if (!kind) throw new Error(`${expectedKind}: another kind`);
  const operations = ownProperty(jwk, 'key_ops');
  if ((ownProperty(jwk, 'use') ?? 'sig') !== 'sig' || (Array.isArray(operations) && !operations.includes('verify'))) {
    throw new Error('Expected a key for signatures: it is for something else');
  }
  const algorithms = algorithm === undefined ? kind.algorithms : kind.algorithms.filter((each) => each === algorithm);
  if (algorithms.length === 0) throw new Error('Expected an algorithm that fits the kind of the key: another one');
  const plain = Object.fromEntries(kind.members.map((member) => [member, ownProperty(jwk, member)]));
  const key = { ...plain, kty: `${type}` };
  const issuer = ownText(jwk, 'issuer');
  const described = { name, id: typeof id === 'string' ? id : undefined, algorithms, validity: undefined, issuer };
  return checked(
    { ...described, text: JSON.stringify([key, id, algorithms, issuer]) },
    async (each) => (await importJWK(key, each)) as CryptoKey,
  );
}

async function checked(
  description: Omit<VerificationKey, 'forAlgorithm'>,
  make: (algorithm: string) => Promise<CryptoKey>,
): Promise<VerificationKey> {
  const cryptoKeys = new Map<string, CryptoKey>();
  const forAlgorithm = async (algorithm: string): Promise<CryptoKey> => {
    const key = cryptoKeys.get(algorithm) ?? (await make(algorithm));
    cryptoKeys.set(algorithm, key);
    return key;
  };
  const first = await forAlgorithm(description.algorithms[0]!).catch(() => {
    throw new Error('Expected a public key that can be used: it is damaged');
  });
  // Cast, because the library's key type is empty under the types of Deno.
  const { algorithm } = first as { readonly algorithm: Partial<RsaHashedKeyAlgorithm> };
  const weakness = weaknessOf(algorithm);
  if (weakness !== undefined) throw new Error(weakness);
  return { ...description, forAlgorithm };
}

/** An exponent of 1 makes every text its own signature. */
function weaknessOf({ modulusLength, publicExponent }: Partial<RsaHashedKeyAlgorithm>): string | undefined {
  if (modulusLength === undefined || publicExponent === undefined) return undefined;
  if (modulusLength < leastBits) return `Expected an RSA key of at least ${leastBits} bits: ${modulusLength}`;
  const isSmall = publicExponent.slice(0, -1).every((byte) => byte === 0) && publicExponent.at(-1)! < 3;
  if (isSmall || publicExponent.at(-1)! % 2 === 0) return 'Expected an odd public exponent of at least 3: another one';
  return undefined;
}
