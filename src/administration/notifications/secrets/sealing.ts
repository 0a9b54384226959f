import { fromBase64, toBase64 } from '../../../core/lib/bytes.ts';
import type { Random } from '../../../core/lib/random.ts';
import { requireKey, type Vault } from '../../../core/lib/vault.ts';
import type { Masked } from './masking.ts';
import type { SigningSecretRow } from './store.ts';

const purposeOf = (id: string): string => `notification/${id}/action`;

/** The secret of an action as it is stored; null where it has none. */
export async function sealSecret(
  vault: Vault | undefined,
  secret: string | undefined,
  id: string,
): Promise<string | null> {
  return secret === undefined ? null : needed(vault).seal(secret, purposeOf(id));
}

/** Encrypts the secret of a changed document, which may keep the stored one or a part of it. */
export async function sealChanged(
  vault: Vault | undefined,
  { secret, keeps, complete }: Masked,
  { id, sealed }: { readonly id: string; readonly sealed: string | null },
  check: (secret: string | undefined) => Promise<void>,
): Promise<string | null> {
  if (keeps) return sealed;
  const whole = complete ? complete(sealed === null ? '' : await openSecret(vault, sealed, id)) : secret;
  await check(whole);
  return sealSecret(vault, whole, id);
}

/** Throws a VaultError where the key is another one. */
export const openSecret = (vault: Vault | undefined, sealed: string, id: string): Promise<string> =>
  needed(vault).open(sealed, purposeOf(id));

/** Nothing that must stay secret is stored in clear. */
export const needed = (vault: Vault | undefined): Vault => requireKey(vault, 'store secrets under');

/** Secret of a notification, in the format of Standard Webhooks. */
interface SigningSecret {
  /** `whsec_…`: shared with the receiver. Signs as `v1`. */
  readonly secret: string;
  /** `whsk_…`: known only to this service. Signs as `v1a`. */
  readonly privateKey: string;
}

interface NewSecret extends SigningSecret {
  /** Public key, `whpk_…`. */
  readonly publicKey: string;
}

const secretBytes = 32;
const seedBytes = 32;

/** Prefix of an ed25519 seed in PKCS #8, the format that every runtime imports. */
const pkcs8Head = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);

export async function makeSecret(random: Random): Promise<NewSecret> {
  const seed = random.bytes(seedBytes);
  const { x = '' } = await crypto.subtle.exportKey('jwk', await importSeed(seed, true));
  const publicBytes = fromBase64(x);
  const both = new Uint8Array([...seed, ...publicBytes]);
  return {
    secret: `whsec_${toBase64(random.bytes(secretBytes))}`,
    privateKey: `whsk_${toBase64(both)}`,
    publicKey: `whpk_${toBase64(publicBytes)}`,
  };
}

/** For `crypto.subtle.sign('Ed25519', …)`. */
export function importPrivateKey(privateKey: string): Promise<CryptoKey> {
  return importSeed(fromBase64(privateKey.replace(/^whsk_/, '')).subarray(0, seedBytes), false);
}

function importSeed(seed: Uint8Array, extractable: boolean): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', new Uint8Array([...pkcs8Head, ...seed]), 'Ed25519', extractable, ['sign']);
}

const signingPurpose = (id: string, number: number): string => `notification/${id}/secret/${number}`;

export const sealSigning = (vault: Vault, { secret, privateKey }: SigningSecret, id: string, number: number) =>
  vault.seal(JSON.stringify({ secret, privateKey }), signingPurpose(id, number));

/** Throws a VaultError where the key is another one. */
export async function openSigning(vault: Vault, row: SigningSecretRow, id: string): Promise<SigningSecret> {
  return JSON.parse(await vault.open(row.sealed, signingPurpose(id, row.number))) as SigningSecret;
}
