import { base64url, compactVerify } from 'jose';
import { type JsonObject, ownProperty, readObject } from './json.ts';
import type { RefusalId } from './validator.ts';
import { knownAlgorithms, type VerificationKey } from './verification-key.ts';

/** Used part of the header. Keys and key addresses in it are ignored, since the token's sender wrote them. */
interface Header {
  readonly algorithm: string;
  /** Id of the key, which the sender claims: it only narrows the search for the key. */
  readonly keyId: string | undefined;
}

const threeParts = /^([\w-]+)\.[\w-]+\.[\w-]+$/;

export function readHeader(token: string, types: readonly string[]): Header | RefusalId {
  const [, text] = threeParts.exec(token) ?? [];
  const header = text === undefined ? undefined : readPart(text);
  if (!header) return 'token-malformed';
  const [algorithm, keyId, type] = ['alg', 'kid', 'typ'].map((name) => ownProperty(header, name));
  if (typeof algorithm !== 'string' || !knownAlgorithms.has(algorithm)) return 'algorithm-refused';
  if (ownProperty(header, 'crit') !== undefined) return 'extension-refused';
  if (!types.includes(typeName(type))) return 'token-type-wrong';
  return { algorithm, keyId: typeof keyId === 'string' ? keyId : undefined };
}

/** Default type of a token: a plain JWT. */
function typeName(type: unknown): string {
  if (type === undefined) return 'jwt';
  return typeof type === 'string' ? plainType(type) : '';
}

/** Normalises a type: `application/at+jwt` and `at+JWT` are equal. */
export const plainType = (type: string): string => type.toLowerCase().replace(/^application\//, '');

export interface Signed {
  readonly key: VerificationKey;
  readonly payload: JsonObject;
}

/** Tries each key that has this algorithm, in turn, the one that the header hints at first. */
export async function verifySignature(
  token: string,
  { algorithm, keyId }: Header,
  keys: readonly VerificationKey[],
): Promise<Signed | RefusalId> {
  const fitting = keys.filter(({ algorithms }) => algorithms.includes(algorithm));
  const hinted = fitting.filter(({ id }) => id !== undefined && id === keyId);
  for (const key of new Set([...hinted, ...fitting])) {
    if (!(await isSignedBy(token, key, algorithm))) continue;
    const payload = readPart(token.split('.')[1]!);
    return payload ? { key, payload } : 'claims-malformed';
  }
  return 'signature-wrong';
}

async function isSignedBy(token: string, key: VerificationKey, algorithm: string): Promise<boolean> {
  try {
    await compactVerify(token, await key.forAlgorithm(algorithm), { algorithms: [algorithm] });
    return true;
  } catch {
    // On any failure the token counts as unverified.
    return false;
  }
}

/** A part of a token that is said to be an object. */
export function readPart(text: string): JsonObject | undefined {
  try {
    return readObject(new TextDecoder('utf-8', { fatal: true }).decode(base64url.decode(text)));
  } catch {
    return undefined;
  }
}
