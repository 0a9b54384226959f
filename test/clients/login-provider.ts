import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { listenAs, newKey } from './open-provider.ts';

/** A person with an account at the provider. */
export interface Account {
  readonly name: string;
  readonly password: string;
  /** Real name, groups and what else the provider tells. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** A disabled account gets no token any more. */
  enabled: boolean;
}

export const accountOf = (name: string, claims: Account['claims']): Account => ({
  ...{ name, claims, enabled: true },
  password: `of ${name}`,
});

/** The service as the provider knows it. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  /** Address of the service, and the name of the login in its security.ini. */
  readonly address: string;
  readonly login: string;
}

/** A real OpenID Connect provider in this process, with pages on which people log in and out. */
export interface LoginProvider {
  readonly issuer: string;
  /** From here on the provider answers: the service that it serves has its address only once it runs. */
  serve(client: Client): void;
  /** As a browser at the page to which the service sent it. Gives the address with which it comes back. */
  loginAt(address: string, account: Account): Promise<string>;
  close(): Promise<void>;
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px sans-serif;max-width:20rem;margin:5rem auto}label,input,button{display:block;margin:.5rem 0}</style>
<main><h1>${title}</h1>${body}</main></html>`;

const loginForm = (hint: string, wrong: boolean): string =>
  page(
    'Company login',
    `${wrong ? '<p>That is wrong.</p>' : ''}<form method="post">
<label>Account <input name="account" value="${hint.replace(/\W/g, '')}"></label>
<label>Secret word <input name="password" type="password"></label><button>Go on</button></form>`,
  );

const claimsOf = ({ claims }: Account): readonly string[] => Object.keys(claims);

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Another site than a service at 127.0.0.1: browsers treat cookies as they do between companies. */
export async function openLoginProvider(accounts: readonly Account[]): Promise<LoginProvider> {
  const { server, issuer, close } = await listenAs('localhost');
  const { jwks } = newKey();
  const accountNamed = (name: string) => accounts.find((account) => account.name === name && account.enabled);

  function serve({ id, secret, address, login }: Client): void {
    const provider = new Provider(issuer, {
      jwks,
      clients: [
        {
          client_id: id,
          client_secret: secret,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          redirect_uris: [`${address}/APInoauth/login/${login}/callback`],
          post_logout_redirect_uris: [`${address}/ui/`],
          backchannel_logout_uri: `${address}/APInoauth/login/${login}/logout`,
          backchannel_logout_session_required: true,
          require_auth_time: true,
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username', ...new Set(accounts.flatMap(claimsOf))] },
      cookies: { keys: ['of this test'] },
      findAccount: (_context: unknown, accountId: string) => {
        const account = accountNamed(accountId);
        if (!account) return undefined;
        const claims = async () => ({
          sub: `id of ${account.name}`,
          preferred_username: account.name,
          ...account.claims,
        });
        return { accountId, claims };
      },
      // The operator of the provider has agreed for everybody.
      loadExistingGrant: async ({ oidc }: { oidc: { session: { accountId: string } } }) => {
        const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: id });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
      issueRefreshToken: () => true,
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          logoutSource: (context: { body: string }, form: string) => {
            const button = '<button form="op.logoutForm" name="logout" value="yes">Log out everywhere</button>';
            context.body = page('Leave the company?', `${form}${button}`);
          },
          postLogoutSuccessSource: (context: { body: string }) => {
            context.body = page('You are logged out', '');
          },
        },
      },
      // Plain fetch, because that of the package refuses to call this machine.
      fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
        fetch(url, options),
    });
    const answer = provider.callback();

    async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { params } = await provider.interactionDetails(request, response);
      const form = request.method === 'POST' ? await formOf(request) : undefined;
      const account = accountNamed(form?.get('account') ?? '');
      if (account && account.password === form?.get('password'))
        return provider.interactionFinished(request, response, { login: { accountId: account.name } });
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(loginForm(params['login_hint'] ?? '', form !== undefined));
    }

    server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return answer(request, response);
      interact(request, response).catch((error) => response.writeHead(500).end(String(error)));
    });
  }

  async function loginAt(address: string, { name, password }: Account): Promise<string> {
    const cookies = new Map<string, string>();
    let form: URLSearchParams | undefined;
    let at = address;
    while (at.startsWith(`${issuer}/`)) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const post = form && { method: 'POST', body: form };
      const answer = await fetch(at, { ...post, redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(key, value);
      }
      const next = answer.headers.get('location');
      if (next === null && form) throw new Error(`Expected the provider to let ${name} in: ${answer.status}`);
      form = next === null ? new URLSearchParams({ account: name, password }) : undefined;
      at = next === null ? at : new URL(next, at).href;
    }
    return at;
  }

  return { issuer, serve, loginAt, close };
}
