import { type JsonObject, ownText } from '../bearer/json.ts';

/** Entra ID has one document for all of its tenants. Its issuer has this word where those of the tokens have the tenant. */
const placeholder = '{tenantid}';

export const isForTenants = (issuer: string): boolean => issuer.includes(placeholder);

/** Whether a discovery document of that issuer is the one of the configured issuer. */
export function isIssuerOf(configured: string, named: unknown): named is string {
  if (named === configured) return true;
  if (typeof named !== 'string' || !isForTenants(named)) return false;
  const [before = '', after = ''] = named.split(placeholder);
  const word = configured.slice(before.length, configured.length - after.length);
  return /^[a-z]+$/.test(word) && configured === `${before}${word}${after}`;
}

/** The issuer in the words of the tenant whose token it is. Undefined: the token names no tenant. */
function issuerOfTenant(issuer: string, claims: JsonObject): string | undefined {
  if (!isForTenants(issuer)) return issuer;
  const tenant = ownText(claims, 'tid');
  return tenant !== undefined && /^[\w-]{1,64}$/.test(tenant) ? issuer.replace(placeholder, tenant) : undefined;
}

/** Some tokens of Google name it without the scheme. */
const otherNames: ReadonlyMap<string, string> = new Map([['https://accounts.google.com', 'accounts.google.com']]);

/** Names under which an issuer may have made a token. The first one is that of its persons. */
export function issuersOf(issuer: string, claims: JsonObject): readonly string[] {
  const name = issuerOfTenant(issuer, claims);
  const other = otherNames.get(issuer);
  return [name ?? [], other ?? []].flat();
}
