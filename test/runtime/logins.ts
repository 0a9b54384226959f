import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import { Authenticator } from '../support/authenticator.ts';
import type { Opened } from './service.ts';

export interface LoginHost {
  /** The password of `admin`. */
  readonly password: string;
  /** A service with that security.ini, second factors and passkey logins, whose calls go to that network. */
  open(security: SecurityInput, network: typeof fetch): Promise<Opened>;
}

const origin = 'https://portico.test';
const issuer = 'https://id.example.com/realms/media';
const asPage = { host: 'portico.test', 'sec-fetch-site': 'same-origin', 'portico-ui': '1', accept: 'application/json' };

/** A provider that answers by Fetch, and whose page is left at once. */
async function newProvider() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const nonces = new Map<string, string>();
  const answers: Readonly<Record<string, (form: URLSearchParams) => Promise<object | undefined>>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/certs`,
    }),
    '/certs': async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', use: 'sig', alg: 'ES256' }] }),
    async '/token'(form) {
      const nonce = nonces.get(form.get('code') ?? '');
      if (nonce === undefined) return undefined;
      const claims = { nonce, preferred_username: 'anna', name: 'Anna Ek', groups: ['/media-team'] };
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k' }).setIssuer(issuer);
      const signed = token.setAudience('portico').setSubject('4711').setIssuedAt().setExpirationTime('10m');
      return { access_token: 'a', token_type: 'Bearer', id_token: await signed.sign(privateKey) };
    },
  };
  const network = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '');
    const answer = await answers[request.url.replace(issuer, '')]?.(form);
    return Response.json(answer ?? { error: 'invalid_grant' }, { status: answer ? 200 : 400 });
  };
  return {
    network: network as typeof fetch,
    /** Address with the code and the state that the browser brings back from the provider. */
    backFrom(address: string): string {
      const sent = new URL(address).searchParams;
      const code = `code-${nonces.size}`;
      nonces.set(code, sent.get('nonce')!);
      return `${sent.get('redirect_uri')}?${new URLSearchParams({ code, state: sent.get('state')! })}`;
    },
  };
}

const statements = [
  'company = portico.OidcLogin',
  `company.issuer = ${issuer}`,
  'company.clientId = portico',
  'company.clientSecret = a secret',
  'people = portico.AttributeUserInfoProvider',
  'people.groupNames = /media-team:_user',
  'creation = portico.UserCreationListener',
  'creation.infoProvider = $people',
  'securityManager.authenticator.authenticationListeners = $creation',
];

const cookieIn = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;

/** Sealing, signatures and keys of logins and shares are the platform's, and each has its own. */
export function describeLogins(host: LoginHost): void {
  describe('logins of the page', () => {
    let service: Opened;
    let provider: Awaited<ReturnType<typeof newProvider>>;
    beforeAll(async () => {
      provider = await newProvider();
      const text = defaultIni.replace(/^\[urls\]$/m, () => `${statements.join('\n')}\n[urls]`);
      service = await host.open({ text, file: 'security.ini', plugins: [] }, provider.network);
    });
    afterAll(() => service.close());

    const send = async (method: string, path: string, cookie = '', body?: object, authorization?: string) =>
      service.fetch(
        new Request(new URL(path, origin), {
          method,
          headers: {
            ...{ ...asPage, cookie },
            ...(body && { 'content-type': 'application/json' }),
            ...(authorization && { authorization }),
          },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
    /** Name of the user. Undefined: the cookie lets nobody in. */
    const who = async (cookie: string) => {
      const answer = await send('GET', '/API/whoami', cookie);
      return answer.status === 401 ? undefined : answer.text();
    };

    /** To the provider and back. */
    async function enter(): Promise<Response> {
      const begun = await send('GET', '/APInoauth/login/company?page=/ui/me');
      return send('GET', provider.backFrom(begun.headers.get('location')!), cookieIn(begun));
    }

    it('go through a provider, whose token is verified, and end', async () => {
      const entered = await enter();
      expect([entered.status, entered.headers.get('location')]).toEqual([303, '/ui/me']);
      const cookie = cookieIn(entered);
      expect(await who(cookie)).toBe('anna');
      const ended = await send('DELETE', '/API/session', cookie);
      expect([ended.status, await who(cookie)]).toEqual([204, undefined]);
    });

    it('an answer of the provider in another browser is refused', async () => {
      const [mine, theirs] = [
        await send('GET', '/APInoauth/login/company'),
        await send('GET', '/APInoauth/login/company'),
      ];
      const answer = await send('GET', provider.backFrom(theirs.headers.get('location')!), cookieIn(mine));
      expect(answer.headers.get('location')).toBe('/ui/?login=refused');
    });

    it.each([-7, -8, -257] as const)('work with a passkey of algorithm %i, without a password', async (algorithm) => {
      const name = `passkey${algorithm}`;
      const user = { userName: name, password: 'a pass phrase', groupList: { group: [{ groupName: '_user' }] } };
      const created = await send('POST', '/API/user', '', user, `Basic ${btoa(`admin:${host.password}`)}`);
      expect(created.status).toBe(200);
      const entered = await send('POST', '/API/session', '', undefined, `Basic ${btoa(`${name}:a pass phrase`)}`);
      const factors = `/API/user/${name}/second-factor`;
      const offer = await send('POST', `${factors}/offer`, cookieIn(entered), { kind: 'PASSKEY' });
      const authenticator = new Authenticator(algorithm);
      const passkey = authenticator.create(await offer.json());
      const added = await send('POST', factors, cookieIn(entered), { name: 'Key', passkey });
      expect([added.status, await added.json()]).toMatchObject([200, { id: expect.any(String) }]);

      const { challenge } = await (await send('POST', '/APInoauth/session/challenge', '', {})).json();
      const answer = authenticator.get({ challenge });
      const alone = await send('POST', '/APInoauth/session/factor', '', { passkey: answer });
      expect([alone.status, await who(cookieIn(alone))]).toEqual([204, name]);
      const again = await send('POST', '/APInoauth/session/factor', '', { passkey: answer });
      expect(again.status).toBe(403);
    });

    it('of guests of a share let them look and comment, and nothing else', async () => {
      const admin = `Basic ${btoa(`admin:${host.password}`)}`;
      const { id } = await (await send('POST', '/API/import/placeholder?container=1', '', {}, admin)).json();
      const { token } = await (await send('POST', `/API/item/${id}/share`, '', { comment: true }, admin)).json();
      const entered = await send('POST', '/APInoauth/share', '', { token });
      const [cookie, share] = [cookieIn(entered), await entered.json()];
      const items = `/APInoauth/share/${share.id}/item`;
      expect(await (await send('GET', `${items}/${id}`, cookie)).json()).toMatchObject({ id });
      expect((await send('POST', `${items}/${id}/annotation`, cookie, { text: 'Dark' })).status).toBe(200);
      const comments = await (await send('GET', `${items}/${id}/annotation`, cookie)).json();
      expect(comments).toMatchObject({ hits: 1, annotation: [{ text: 'Dark' }] });
      expect((await send('GET', `${items}/VX-0`, cookie)).status).toBe(404);
      expect(await who(cookie)).toBeUndefined();
    });
  });
}
