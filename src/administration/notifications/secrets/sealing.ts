import { ServiceError } from '../../../core/lib/errors.ts';
import type { Vault } from '../../../core/lib/vault.ts';
import type { Masked } from './masking.ts';

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
export function needed(vault: Vault | undefined): Vault {
  if (vault !== undefined) return vault;
  const explanation =
    'Expected a key to store secrets under: set PORTICO_SECRET_KEY to 32 random bytes in base64, the same on every instance';
  throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
}
