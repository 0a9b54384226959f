import { aliasIn } from '../../../core/lib/secret.ts';
import { requireKey, type Vault } from '../../../core/lib/vault.ts';
import type { Caller } from '../../../security/caller.ts';
import { methodPurpose } from '../../drivers.ts';
import type { StorageParts } from '../../parts.ts';
import type { MethodRow } from '../store.ts';
import { checkAddress, type MethodAddress, type MethodCredentials } from './address.ts';
import { type DecidedMethod, type MethodRequest, matchMethods, unchangedCredentials } from './rules.ts';

type Parts = Pick<StorageParts, 'places' | 'store' | 'vault' | 'services'>;

/** Checks the addresses of requests, gives ids to new methods, and seals what must stay secret. */
export async function decideMethods(
  { places, store, vault, services }: Parts,
  call: Caller,
  storage: string | undefined,
  rows: readonly MethodRow[],
  requests: readonly MethodRequest[],
): Promise<readonly DecidedMethod[]> {
  for (const { address } of requests) checkAddress(places, address, storage);
  const decided: DecidedMethod[] = [];
  for (const { request, row } of matchMethods(rows, requests)) {
    const { address } = request;
    const alias = address.masked ? undefined : aliasIn(`${address.user}:${address.password}`);
    if (alias !== undefined) await services.secrets.mayUse(call, alias);
    const unchanged = address.masked ? unchangedCredentials(request, row, storage) : undefined;
    if (!row) await places.schemeFor(address.uri)?.prepare?.({ uri: address.uri });
    const id = row?.id ?? (await store.nextId('storage-method'));
    const credentials = unchanged ?? (await seal(vault, address, id));
    decided.push({ request, row, id, credentials, unread: places.unread(address.uri) });
  }
  return decided;
}

async function seal(
  vault: Vault | undefined,
  { user, password }: MethodAddress,
  id: string,
): Promise<MethodCredentials> {
  if (password === undefined) return { userName: user ?? null, sealed: null };
  const sealed = await requireKey(vault, 'store the secrets of addresses under').seal(password, methodPurpose(id));
  return { userName: user ?? null, sealed };
}
