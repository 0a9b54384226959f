import { fromBase64, joined, readBase64, toHex } from '../../core/lib/bytes.ts';

/**
 * Answers of authenticators (WebAuthn level 2). The service asks for no attestation, so nothing vouches for a new key:
 * the browser's own form of it is read, and no CBOR.
 */

/** An answer as the page sends it, in base64url. */
export interface AuthenticatorAnswer {
  /** Id of the credential. */
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  /** Public key of a new passkey, as SubjectPublicKeyInfo, and its algorithm as COSE numbers it. */
  readonly publicKey?: string | undefined;
  readonly algorithm?: number | undefined;
  /** Signature of a login. */
  readonly signature?: string | undefined;
  /** Id of the user that the authenticator keeps beside the passkey. */
  readonly userHandle?: string | undefined;
}

interface Expected {
  /** Scheme, host and port of the page. */
  readonly origin: string;
  /** Host name that the passkey is for. */
  readonly host: string;
  /** Whether the challenge is one of this service, for this use. */
  isChallenge(challenge: string): Promise<boolean>;
}

/** Thrown for an answer that is not accepted, with the reason for the log. */
export class AnswerRefused extends Error {}

interface Verification {
  readonly import: RsaHashedImportParams | EcKeyImportParams | Algorithm;
  readonly verify: EcdsaParams | Algorithm;
  /** Signature in the form that WebCrypto reads. */
  signature(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
}

const asIs = (bytes: Uint8Array<ArrayBuffer>) => bytes;
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** By the numbers of COSE. */
const algorithms: ReadonlyMap<number, Verification> = new Map<number, Verification>([
  [
    -7,
    {
      import: { name: 'ECDSA', namedCurve: 'P-256' },
      verify: { name: 'ECDSA', hash: 'SHA-256' },
      signature: rawSignature,
    },
  ],
  [-8, { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' }, signature: asIs }],
  [-257, { import: rsa, verify: rsa, signature: asIs }],
]);

export const algorithmNumbers: readonly number[] = [...algorithms.keys()];

const maxKeyLength = 1_200;
const isPresent = 0x01;
const isVerified = 0x04;
const hasCredential = 0x40;

interface AuthenticatorData {
  readonly flags: number;
  readonly counter: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface NewPasskey {
  readonly credential: string;
  readonly key: string;
  readonly algorithm: number;
  readonly counter: number;
}

/** The passkey that an authenticator has made. Throws an `AnswerRefused`. */
export async function readNewPasskey(answer: AuthenticatorAnswer, expected: Expected): Promise<NewPasskey> {
  await checkClientData(answer, 'webauthn.create', expected);
  const { flags, counter, bytes } = await readAuthenticatorData(answer, expected);
  refuseUnless((flags & hasCredential) !== 0 && bytes.length >= 55, 'no-credential');
  const length = (bytes[53]! << 8) | bytes[54]!;
  const id = bytesOf(answer.id, 'credential-id');
  refuseUnless(length > 0 && length <= 1_023 && toHex(bytes.subarray(55, 55 + length)) === toHex(id), 'credential-id');
  const { algorithm = 0, publicKey = '' } = answer;
  const key = bytesOf(publicKey, 'public-key');
  refuseUnless(algorithms.has(algorithm) && key.length <= maxKeyLength, 'algorithm');
  await importKey(algorithm, key);
  return { credential: answer.id, key: publicKey, algorithm, counter };
}

interface KnownPasskey {
  readonly key: string;
  readonly algorithm: number;
  readonly counter: number;
  /** Whether the authenticator must have recognised its owner. */
  readonly verifies: boolean;
}

/** The count of the authenticator, after an answer that is accepted. Throws an `AnswerRefused`. */
export async function checkAssertion(
  answer: AuthenticatorAnswer,
  { key, algorithm, counter: last, verifies }: KnownPasskey,
  expected: Expected,
): Promise<number> {
  await checkClientData(answer, 'webauthn.get', expected);
  const { flags, counter, bytes } = await readAuthenticatorData(answer, expected);
  refuseUnless(!verifies || (flags & isVerified) !== 0, 'owner-not-recognised');
  const { verify, signature } = algorithms.get(algorithm)!;
  const signed = joined([bytes, await sha256(bytesOf(answer.clientData, 'client-data'))]);
  const text = signature(bytesOf(answer.signature ?? '', 'signature'));
  const isRight = await crypto.subtle.verify(verify, await importKey(algorithm, fromBase64(key)), text, signed);
  refuseUnless(isRight, 'signature');
  // Synchronised passkeys do not count, and stay at zero.
  refuseUnless(counter > last || (counter === 0 && last === 0), 'authenticator-copied');
  return counter;
}

async function checkClientData(
  { clientData }: AuthenticatorAnswer,
  type: string,
  { origin, isChallenge }: Expected,
): Promise<void> {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(new TextDecoder().decode(bytesOf(clientData, 'client-data')));
  } catch {
    throw new AnswerRefused('client-data');
  }
  refuseUnless(fields !== null && typeof fields === 'object' && fields['type'] === type, 'type');
  refuseUnless(fields['origin'] === origin && fields['crossOrigin'] !== true, 'origin');
  const challenge = fields['challenge'];
  const text = typeof challenge === 'string' ? new TextDecoder().decode(bytesOf(challenge, 'challenge')) : '';
  refuseUnless(await isChallenge(text), 'challenge');
}

async function readAuthenticatorData(
  { authenticatorData }: AuthenticatorAnswer,
  { host }: Expected,
): Promise<AuthenticatorData> {
  const bytes = bytesOf(authenticatorData, 'authenticator-data');
  refuseUnless(bytes.length >= 37, 'authenticator-data');
  const ownHost = toHex(await sha256(new TextEncoder().encode(host)));
  refuseUnless(toHex(bytes.subarray(0, 32)) === ownHost, 'host');
  const flags = bytes[32]!;
  refuseUnless((flags & isPresent) !== 0, 'nobody-present');
  return { flags, counter: new DataView(bytes.buffer).getUint32(33), bytes };
}

async function importKey(algorithm: number, key: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('spki', key, algorithms.get(algorithm)!.import, false, ['verify']);
  } catch {
    throw new AnswerRefused('public-key');
  }
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

function bytesOf(text: string, reason: string): Uint8Array<ArrayBuffer> {
  const bytes = readBase64(text);
  if (bytes) return bytes;
  throw new AnswerRefused(reason);
}

function refuseUnless(holds: boolean, reason: string): void {
  if (!holds) throw new AnswerRefused(reason);
}

/** The two numbers of an ECDSA signature, 32 bytes each, out of their DER form. */
function rawSignature(der: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    const digits = number.subarray(number.findIndex((byte) => byte !== 0));
    refuseUnless(der[0] === 0x30 && der[at] === 0x02 && number.length === length && digits.length <= 32, 'signature');
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return raw;
}
