import { fromBase64, toUnpaddedBase64 } from '../../core/lib/bytes.ts';
import type { Random } from '../../core/lib/random.ts';

/** Parameters of one scrypt computation: 2^cost iterations of blocks of size `block`, `parallel` lanes. */
export interface HashParameters {
  readonly cost: number;
  readonly block: number;
  readonly parallel: number;
}

/** Computes off the event loop. The platform provides it. */
export type Scrypt = (
  password: string,
  salt: Uint8Array,
  parameters: HashParameters,
  length: number,
) => Promise<Uint8Array>;

/**
 * Parameters of new hashes: 16 MiB and about a sixth of a second. Older hashes are verified with their own parameters.
 */
export const currentParameters: HashParameters = { cost: 14, block: 8, parallel: 5 };

const saltLength = 16;
const hashLength = 32;

/** `$scrypt$ln=14,r=8,p=5$salt$hash`: each hash contains its scheme and parameters, so both can change. */
const format = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hash for unknown users, so that they take as long as a wrong password. Matches nothing. */
export const hashOfNobody = written(new Uint8Array(saltLength), new Uint8Array(hashLength));

export async function hashPassword(password: string, scrypt: Scrypt, random: Random): Promise<string> {
  const salt = random.bytes(saltLength);
  return written(salt, await scrypt(password, salt, currentParameters, hashLength));
}

/** New salt with a random hash: no password matches, and the comparison takes as long as for any other. */
export function unmatchedHash(random: Random): { readonly hash: string; readonly salt: Uint8Array<ArrayBuffer> } {
  const salt = random.bytes(saltLength);
  return { hash: written(salt, random.bytes(hashLength)), salt };
}

export function saltOf(stored: string): Uint8Array<ArrayBuffer> | undefined {
  const salt = format.exec(stored)?.[4];
  return salt === undefined ? undefined : fromBase64(salt);
}

/** A stored text that is no hash of ours matches nothing: not even an empty password matches an empty text. */
export async function matchesHash(password: string, stored: string, scrypt: Scrypt): Promise<boolean> {
  const parts = format.exec(stored);
  if (!parts) return false;
  const [, cost, block, parallel, salt, expected] = parts as unknown as string[];
  const wanted = fromBase64(expected!);
  const parameters = { cost: Number(cost), block: Number(block), parallel: Number(parallel) };
  const actual = await scrypt(password, fromBase64(salt!), parameters, wanted.length);
  return sameBytes(actual, wanted);
}

/** Takes the same time wherever the first difference is. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ (b[i] ?? 0);
  return difference === 0;
}

function written(salt: Uint8Array, hash: Uint8Array): string {
  const { cost, block, parallel } = currentParameters;
  return `$scrypt$ln=${cost},r=${block},p=${parallel}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`;
}
