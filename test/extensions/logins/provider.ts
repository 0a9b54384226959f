import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwk, type Pair, pair, signed } from '../../support/keys.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Answers of a test provider. A test changes them to make the provider hostile. */
export interface Behaviour {
  /** Parts of the discovery document. */
  discovery: Claims;
  /** Claims of the person. Undefined values are left out. */
  person: Claims;
  /** Makes the ID token of these claims. */
  sign(claims: Claims): string;
  /** Parts of the answer of the token endpoint. */
  tokens: Claims;
  userInfo: Claims;
  /** Whether the account is enabled. */
  enabled: boolean;
  /** Whether discovery and keys answer. */
  away?: boolean;
  /** Answer in the place of that of the token endpoint. */
  instead?: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } | undefined;
}

/** A provider on loopback that knows one person. */
export async function openProvider(now: () => number) {
  const key: Pair = pair('P-256');
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string }>();
  const refreshTokens = new Set<string>();
  const requests: { readonly path: string; readonly form: URLSearchParams; readonly authorization: string }[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    void answerTo(request).then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const behaviour: Behaviour = {
    discovery: {},
    person: { sub: '4711', preferred_username: 'anna', name: 'Anna Ek', groups: ['staff', 'press-se'], sid: 's-1' },
    sign: (claims) => signed(key, claims, { alg: 'ES256', kid: 'k1' }),
    tokens: {},
    userInfo: {},
    enabled: true,
  };
  const seconds = () => Math.floor(now() / 1000);
  const json = (value: unknown, status = 200) => ({ status, body: JSON.stringify(value), headers: {} });

  async function answerTo(request: IncomingMessage) {
    const { pathname } = new URL(request.url!, issuer);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    requests.push({ path: pathname, form, authorization: request.headers.authorization ?? '' });
    if (behaviour.away && pathname !== '/token') return json({}, 500);
    if (pathname === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        end_session_endpoint: `${issuer}/end`,
        jwks_uri: `${issuer}/keys`,
        ...behaviour.discovery,
      });
    if (pathname === '/keys') return json({ keys: [{ ...jwk(key), kid: 'k1', use: 'sig' }] });
    if (pathname === '/me') return json({ sub: '4711', ...behaviour.userInfo });
    if (pathname !== '/token') return json({}, 404);
    const { instead } = behaviour;
    if (instead) return { headers: {}, ...instead };
    if (!behaviour.enabled) return json({ error: 'invalid_grant' }, 400);
    if (form.get('grant_type') === 'refresh_token') {
      return refreshTokens.delete(form.get('refresh_token') ?? '')
        ? json(tokens())
        : json({ error: 'invalid_grant' }, 400);
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code?.challenge !== challenge) return json({ error: 'invalid_grant' }, 400);
    return json(tokens(code.nonce));
  }

  function tokens(nonce?: string): Claims {
    const refresh = `refresh-${++count}`;
    refreshTokens.add(refresh);
    const access = `access-${count}`;
    const hash = createHash('sha256').update(access).digest().subarray(0, 16).toString('base64url');
    const standing = { iss: issuer, aud: 'portico', exp: seconds() + 600, iat: seconds(), at_hash: hash, nonce };
    const claims = { ...standing, ...behaviour.person };
    return {
      token_type: 'Bearer',
      access_token: access,
      refresh_token: refresh,
      id_token: behaviour.sign(Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))),
      ...behaviour.tokens,
    };
  }

  return {
    issuer,
    key,
    behaviour,
    requests,
    /** Address with the code and the state that a browser brings back from the page of the provider. */
    loginAt(address: string, changes: Readonly<Record<string, string>> = {}): string {
      const sent = new URL(address).searchParams;
      const code = `code-${++count}`;
      codes.set(code, { nonce: sent.get('nonce') ?? '', challenge: sent.get('code_challenge') ?? '' });
      const back = new URL(sent.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries({ code, state: sent.get('state') ?? '', ...changes }))
        back.searchParams.set(name, value);
      return `${back.pathname}${back.search}`;
    },
    logoutToken: (changes: Claims = {}): string => {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const good = { iss: issuer, aud: 'portico', iat: seconds(), exp: seconds() + 60, jti: 'j', events, sub: '4711' };
      const claims = Object.entries({ ...good, ...changes }).filter(([, value]) => value !== undefined);
      return signed(key, Object.fromEntries(claims), { alg: 'ES256', typ: 'logout+jwt' });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type TestProvider = Awaited<ReturnType<typeof openProvider>>;
