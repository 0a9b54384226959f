import type { Host } from '../../src/spi/index.ts';
import { urlProblem } from '../bearer/configuration.ts';
import { type JsonObject, ownProperty, readObject } from '../bearer/json.ts';
import { downloadedKeys, type KeySource } from '../bearer/key-source.ts';
import { fetchKeys } from '../bearer/metadata.ts';
import { isForTenants, isIssuerOf } from './issuer.ts';
import { type OidcProperties, pairsOf } from './properties.ts';

/** Endpoints of a provider, by its discovery document. */
export interface Provider {
  /** Issuer of the discovery document, which may have a placeholder for the tenant. */
  readonly issuer: string;
  readonly authorization: string;
  readonly token: string;
  readonly userInfo: string | undefined;
  readonly endSession: string | undefined;
  /** Whether each answer of the authorization endpoint names the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** Whether the token endpoint takes the secret in the form alone. */
  readonly secretInForm: boolean;
}

const timeout = 5_000;
const mostBytes = 262_144;
/** Milliseconds that a discovery document counts. */
const freshFor = 3_600_000;
/** Milliseconds until a failed discovery is tried again. */
const pause = 5_000;
const keysFor = 86_400_000;

/** Calls of one provider: its documents, endpoints and keys. */
export function createProvider(
  { issuer, clientId, clientSecret, requiredClaims, allowPlainText = false }: OidcProperties,
  host: Host,
  signal: AbortSignal,
) {
  let cached: { readonly provider: Provider; readonly until: number; readonly keys: KeySource } | undefined;
  let failed: { readonly error: unknown; readonly until: number } | undefined;
  const { origin } = new URL(issuer);

  /** An address of the same origin is as trusted as the issuer that the operator named. Others pass the address policy. */
  const isTrusted = (url: string): boolean => new URL(url).origin === origin;

  function endpoint(document: JsonObject, name: string): string | undefined {
    const url = ownProperty(document, name);
    if (url === undefined) return undefined;
    if (typeof url !== 'string') throw new Error(`Expected an address in ${name}: something else`);
    const problem = urlProblem(url, allowPlainText);
    if (problem) throw new Error(`${problem} (${name})`);
    return url;
  }

  function needed(document: JsonObject, name: string): string {
    const url = endpoint(document, name);
    if (url === undefined) throw new Error(`Expected ${name} in the discovery document: it is missing`);
    return url;
  }

  async function call(url: string, request: { headers?: Record<string, string>; body?: string; method?: 'POST' }) {
    const { method = 'GET', headers = {}, body } = request;
    const answer = await host.call({
      url,
      method,
      once: method === 'POST',
      headers: { accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      timeout,
      mostBytes,
      trusted: isTrusted(url),
      signal,
    });
    return { status: answer.status, headers: answer.headers, json: readObject(answer.text), text: answer.text };
  }

  async function discover() {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { status, json } = await call(url, {});
    if (status !== 200 || !json) throw new Error(`Expected status 200 with a JSON object from discovery: ${status}`);
    // A provider that answers for another issuer could send codes and tokens of one provider to the other.
    const named = ownProperty(json, 'issuer');
    if (!isIssuerOf(issuer, named))
      throw new Error(
        `Expected the issuer of security.ini, "${issuer}", in the discovery document: ${JSON.stringify(named)?.slice(0, 200)}`,
      );
    // Anybody may have a tenant, and call people there at will.
    if (isForTenants(named) && !pairsOf(requiredClaims).some(([name]) => name === 'tid'))
      throw new Error('Expected requiredClaims with tid, or the issuer of one tenant: the document is for all tenants');
    const methods = ownProperty(json, 'token_endpoint_auth_methods_supported');
    const provider: Provider = {
      issuer: named,
      authorization: needed(json, 'authorization_endpoint'),
      token: needed(json, 'token_endpoint'),
      userInfo: endpoint(json, 'userinfo_endpoint'),
      endSession: endpoint(json, 'end_session_endpoint'),
      namesIssuer: ownProperty(json, 'authorization_response_iss_parameter_supported') === true,
      secretInForm: Array.isArray(methods) && !methods.includes('client_secret_basic'),
    };
    const keysAt = needed(json, 'jwks_uri');
    const download = () => fetchKeys({ host, url: keysAt, trusted: isTrusted(keysAt), allowPlainText, signal });
    const keys = cached?.keys ?? downloadedKeys({ host, interval: keysFor, fetchKeys: download });
    return { provider, keys, until: host.now() + freshFor };
  }

  /** The result and no promise is kept: on an edge no request may wait for what another one began. */
  async function current() {
    const now = host.now();
    if (cached && now < cached.until) return cached;
    if (failed && now < failed.until && !cached) throw failed.error;
    try {
      cached = await discover();
    } catch (error) {
      failed = { error, until: host.now() + pause };
      if (!cached) throw error;
      host.log('warn', 'discovery-failed', { problem: (error as Error).message });
      cached = { ...cached, until: host.now() + pause };
    }
    return cached;
  }

  return {
    current,
    /** Answer of the token endpoint, whose client this service is. */
    async token({ token, secretInForm }: Provider, form: Record<string, string>) {
      const secret = clientSecret?.reveal();
      const inForm = secret === undefined || secretInForm;
      const body = new URLSearchParams({
        ...form,
        ...(inForm ? { client_id: clientId } : {}),
        ...(inForm && secret !== undefined ? { client_secret: secret } : {}),
      });
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        ...(inForm ? {} : { authorization: `Basic ${btoa(`${formText(clientId)}:${formText(secret)}`)}` }),
      };
      return call(token, { method: 'POST', headers, body: body.toString() });
    },
    userInfo: (url: string, accessToken: string) => call(url, { headers: { authorization: `Bearer ${accessToken}` } }),
  };
}

/** As RFC 6749 has it for names and secrets in basic authentication. */
const formText = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);
