import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const resource = 'https://portico.example/api';
export const client = { id: 'robot', secret: 'secret of robot' } as const;

/** A real authorization server in this process, and what its clients do. */
export interface OpenProvider {
  readonly issuer: string;
  /** Public part of the signing key, as Base64. */
  readonly publicKey: string;
  /** By client credentials: a JWT for that resource, or an opaque token without one. */
  tokenFor(resource?: string): Promise<string>;
  /** As at the end of a login of that user, with the scopes that the userinfo endpoint needs. */
  tokenOf(user: string): Promise<string>;
  revoke(token: string): Promise<void>;
  close(): Promise<void>;
}

/** A server on loopback for a provider, under that name of this machine. */
export async function listenAs(host: '127.0.0.1' | 'localhost') {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    server,
    issuer: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A signing key of a provider. */
export function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwks = { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'of-this-test', use: 'sig', alg: 'RS256' }] };
  return { privateKey, jwks };
}

export async function openProvider(user: string): Promise<OpenProvider> {
  const { privateKey, jwks } = newKey();
  const { server, issuer, close } = await listenAs('127.0.0.1');
  const lifetime = () => 3600;
  const provider = new Provider(issuer, {
    jwks,
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username'] },
    extraTokenClaims: () => ({ preferred_username: user }),
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, preferred_username: accountId }),
    }),
    ttl: { AccessToken: lifetime, ClientCredentials: lifetime, Grant: lifetime },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          audience,
          scope: 'api',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  server.on('request', provider.callback());

  async function post(path: string, form: Record<string, string>): Promise<Response> {
    const authorization = `Basic ${btoa(`${client.id}:${encodeURIComponent(client.secret)}`)}`;
    const answer = await fetch(`${issuer}${path}`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(form),
    });
    if (!answer.ok) throw new Error(`Expected the provider to answer well: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  return {
    issuer,
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
    async tokenFor(wanted) {
      const more = wanted === undefined ? {} : { resource: wanted, scope: 'api' };
      const answer = await post('/token', { grant_type: 'client_credentials', ...more });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    async tokenOf(accountId) {
      const grant = new provider.Grant({ accountId, clientId: client.id });
      grant.addOIDCScope('openid profile');
      const given = { accountId, grantId: await grant.save(), client: await provider.Client.find(client.id) };
      return new provider.AccessToken({ ...given, scope: 'openid profile', gty: 'authorization_code' }).save();
    },
    revoke: async (token) => void (await post('/token/revocation', { token })),
    close,
  };
}
