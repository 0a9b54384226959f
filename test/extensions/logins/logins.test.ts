import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { testClock } from '../../support/clock.ts';
import { coded, pair, signed, unsigned } from '../../support/keys.ts';
import { basic } from '../../support/matrix.ts';
import { admin, type TestService, withService } from '../../support/service.ts';
import { openProvider, type TestProvider } from './provider.ts';

const origin = 'https://portico.test';
const minute = 60_000;

interface Opened {
  readonly world: TestService;
  readonly provider: TestProvider;
  readonly other: TestProvider;
  get(path: string, cookie?: string): Promise<Response>;
  /** To the provider and back, by the same browser. */
  login(changes?: Readonly<Record<string, string>>, page?: string): Promise<Response>;
  who(cookie: string): Promise<string>;
}

async function open(statements: readonly string[] = []): Promise<Opened> {
  const clock = testClock();
  const [provider, other] = [await openProvider(() => clock.now()), await openProvider(() => clock.now())];
  onTestFinished(async () => {
    await provider.close();
    await other.close();
  });
  const lines = [
    'keycloak = portico.OidcLogin',
    'keycloak.title = Company',
    'keycloak.icon = key',
    `keycloak.issuer = ${provider.issuer}`,
    'keycloak.clientId = portico',
    'keycloak.clientSecret = a secret',
    'second = portico.OidcLogin',
    `second.issuer = ${other.issuer}`,
    'second.clientId = portico',
    'people = portico.AttributeUserInfoProvider',
    'people.defaultGroups = _user',
    'people.groupNames = staff:_item_read',
    'creation = portico.UserCreationListener',
    'creation.infoProvider = $people',
    'securityManager.authenticator.authenticationListeners = $creation',
    ...statements,
  ];
  const text = defaultIni.replace(/^\[urls\]$/m, () => `${lines.join('\n')}\n[urls]`);
  const world = await withService({ clock, security: { text, file: 'security.ini', plugins: [] } });
  const send = async (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
    world.service.fetch(new Request(`${origin}${path}`, { ...init, headers: { host: 'portico.test', ...headers } }), {
      secure: true,
    });
  const get = (path: string, cookie?: string) =>
    send(path, {
      accept: 'application/json',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      ...(cookie ? { cookie } : {}),
    });
  return {
    world,
    provider,
    other,
    get,
    async login(changes, page = '/ui/library') {
      const begun = await get(`/APInoauth/login/keycloak?page=${encodeURIComponent(page)}`);
      return get(provider.loginAt(begun.headers.get('location')!, changes), cookieIn(begun));
    },
    async who(cookie) {
      const answer = await send('/API/whoami', { cookie, 'sec-fetch-site': 'same-origin' });
      return answer.status === 200 ? answer.text() : String(answer.status);
    },
  };
}

const cookieIn = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
const told = (answer: Response): string => `${answer.status} ${answer.headers.get('location')}`;
const refused = '303 /ui/?login=refused';
const expired = '303 /ui/?login=expired';
const failed = '303 /ui/?login=failed';
const reasonOf = ({ world }: Opened): unknown => {
  const line = world.lines.findLast(({ event }) => event === 'login-not-finished') as
    | Record<string, unknown>
    | undefined;
  return line?.['reason'];
};
const groupsOf = async ({ world }: Opened, user: string): Promise<string[]> => {
  const rows = await world.service.store.read(
    'SELECT g.name FROM "group" g JOIN group_user m ON m.group_id = g.id JOIN user u ON u.id = m.user_id WHERE u.name = ? ORDER BY 1',
    [user],
  );
  return rows.map(([name]) => String(name));
};

describe('a login by way of a provider', () => {
  it('is offered on the login page by name and icon, to anybody', async () => {
    const { get } = await open();
    const answer = await get('/APInoauth/login');
    expect(await answer.json()).toEqual({
      provider: [
        { name: 'keycloak', title: 'Company', icon: 'key' },
        { name: 'second', title: 'second' },
      ],
    });
  });

  it('sends the browser there with PKCE, state and nonce, and keeps them sealed', async () => {
    const { get, provider } = await open();
    const begun = await get('/APInoauth/login/keycloak?hint=anna&prompt=login');
    const address = new URL(begun.headers.get('location')!);
    expect([begun.status, `${address.origin}${address.pathname}`]).toEqual([303, `${provider.issuer}/auth`]);
    const sent = Object.fromEntries(address.searchParams);
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'portico',
      redirect_uri: `${origin}/APInoauth/login/keycloak/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      login_hint: 'anna',
      prompt: 'login',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(sent[name]).toMatch(/^[\w-]{43}$/);
    const cookie = begun.headers.get('set-cookie')!;
    expect(cookie).toMatch(
      /^__Host-portico-login=v1\.[\w-]+\.[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    for (const name of ['state', 'nonce']) expect(cookie).not.toContain(sent[name]);
  });

  it('creates the user with its groups, and begins a session at the page that was asked for', async () => {
    const opened = await open();
    const { login, who, provider, world } = opened;
    const answer = await login();
    expect(told(answer)).toBe('303 /ui/library');
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-portico=[\w-]{43}; .*SameSite=Strict$/);
    expect(await who(cookieIn(answer))).toBe('anna');
    expect(await groupsOf(opened, 'anna')).toEqual(['_item_read', '_user']);
    const [, form] = [provider.requests[0], provider.requests.find(({ path }) => path === '/token')!];
    expect(form.authorization).toBe(`Basic ${btoa('portico:a+secret')}`);
    const created = (await world.events()).filter(({ name, entity }) => name === 'user/create' && entity === 'anna');
    expect(created).toHaveLength(1);
  });

  it('brings the groups up to date, for the same person under another name, too', async () => {
    const opened = await open();
    await opened.login();
    const { behaviour } = opened.provider;
    behaviour.person = { ...behaviour.person, groups: [], preferred_username: 'anna.ek' };
    const answer = await opened.login();
    expect(await opened.who(cookieIn(answer))).toBe('anna');
    expect(await groupsOf(opened, 'anna')).toEqual(['_user']);
  });

  it('asks the userinfo endpoint for what the ID token lacks', async () => {
    const opened = await open();
    const { behaviour } = opened.provider;
    behaviour.person = { sub: '4711' };
    behaviour.userInfo = { preferred_username: 'anna', groups: ['staff'] };
    expect(await opened.who(cookieIn(await opened.login()))).toBe('anna');
    expect(await groupsOf(opened, 'anna')).toEqual(['_item_read', '_user']);
    behaviour.userInfo = { ...behaviour.userInfo, sub: '4712' };
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, 'userinfo-of-another']);
  });

  it('tells the browser where the provider ends its own session', async () => {
    const { login, world, provider, who } = await open();
    const cookie = cookieIn(await login());
    const headers = { host: 'portico.test', cookie, 'portico-ui': '1', 'sec-fetch-site': 'same-origin' };
    const answer = await world.service.fetch(new Request(`${origin}/API/session`, { method: 'DELETE', headers }), {
      secure: true,
    });
    const address = new URL(answer.headers.get('portico-logout')!);
    expect([answer.status, address.origin, address.pathname]).toEqual([204, provider.issuer, '/end']);
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${origin}/ui/`);
    expect(address.searchParams.get('id_token_hint')!.split('.')).toHaveLength(3);
    expect(await who(cookie)).toBe('401');
  });
});

describe('a session of a provider', () => {
  it('goes on while the provider vouches, and is over within the time of askAgain once the account is disabled', async () => {
    const { login, who, world, provider } = await open();
    const cookie = cookieIn(await login());
    for (let turn = 0; turn < 4; turn++) {
      await world.clock.advance(3 * minute);
      await world.service.tick(10_000);
      expect(await who(cookie), String(turn)).toBe('anna');
    }
    provider.behaviour.enabled = false;
    await world.clock.advance(5 * minute);
    expect(await who(cookie)).toBe('401');
  });

  const passing: readonly (readonly [string, NonNullable<TestProvider['behaviour']['instead']>])[] = [
    ['a failure', { status: 500, body: '{}' }],
    ['too many requests', { status: 429, body: '{"error":"slow_down"}' }],
    ['a client that is refused', { status: 401, body: '{"error":"invalid_client"}' }],
    ['a page of a proxy', { status: 400, body: '<html>' }],
  ];
  it.each(passing)('goes on after %s of the token endpoint that is over in time', async (_what, instead) => {
    const { login, who, world, provider } = await open();
    const cookie = cookieIn(await login());
    provider.behaviour.instead = instead;
    await world.clock.advance(3 * minute);
    await world.service.tick(10_000);
    expect(await who(cookie)).toBe('anna');
    provider.behaviour.instead = undefined;
    for (let turn = 0; turn < 3; turn++) {
      await world.clock.advance(minute);
      await world.service.tick(10_000);
      expect(await who(cookie), String(turn)).toBe('anna');
    }
  });

  it('is over within that time, too, when the provider does not answer, and nobody asks', async () => {
    const { login, who, world } = await open();
    const cookie = cookieIn(await login());
    await world.clock.advance(5 * minute - 1);
    expect(await who(cookie)).toBe('anna');
    await world.clock.advance(1);
    expect(await who(cookie)).toBe('401');
  });

  it('ends with the ID token where there is no refresh token', async () => {
    const { login, who, world, provider } = await open();
    provider.behaviour.tokens = { refresh_token: undefined };
    const cookie = cookieIn(await login());
    await world.clock.advance(10 * minute - 1);
    expect(await who(cookie)).toBe('anna');
    await world.clock.advance(1);
    expect(await who(cookie)).toBe('401');
  });

  it('keeps its refresh token sealed', async () => {
    const { login, world } = await open();
    await login();
    const rows = await world.service.store.read('SELECT kept FROM login_session');
    expect(rows).toHaveLength(1);
    expect(String(rows[0]![0])).toMatch(/^v1\./);
  });
});

describe('a logout at the provider', () => {
  const logout = ({ world }: Opened, ...tokens: readonly string[]) =>
    world.service.fetch(
      new Request(`${origin}/APInoauth/login/keycloak/logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(tokens.map((token) => ['logout_token', token])).toString(),
      }),
      { secure: true },
    );

  it('ends the sessions of the person here', async () => {
    const opened = await open();
    const cookies = [cookieIn(await opened.login()), cookieIn(await opened.login())];
    expect((await logout(opened, opened.provider.logoutToken())).status).toBe(200);
    for (const cookie of cookies) expect(await opened.who(cookie)).toBe('401');
  });

  it('is asked for again, with 503, while the provider of the keys is away, and ends nothing before', async () => {
    const opened = await open();
    opened.provider.behaviour.away = true;
    const { status, headers } = await logout(opened, opened.provider.logoutToken());
    expect([status, headers.get('portico-error')]).toEqual([503, 'provider-unavailable']);
    opened.provider.behaviour.away = false;
    await opened.world.clock.advance(minute);
    const cookie = cookieIn(await opened.login());
    expect((await logout(opened, opened.provider.logoutToken())).status).toBe(200);
    expect(await opened.who(cookie)).toBe('401');
  });

  it('ends the one session that it names', async () => {
    const opened = await open();
    const first = cookieIn(await opened.login());
    opened.provider.behaviour.person = { ...opened.provider.behaviour.person, sid: 's-2' };
    const second = cookieIn(await opened.login());
    expect((await logout(opened, opened.provider.logoutToken({ sid: 's-2' }))).status).toBe(200);
    expect([await opened.who(first), await opened.who(second)]).toEqual(['anna', '401']);
  });

  const attacks: readonly (readonly [string, (opened: Opened) => string])[] = [
    ['an ID token', ({ provider }) => provider.logoutToken({ nonce: 'n' })],
    ['a token without the event', ({ provider }) => provider.logoutToken({ events: {} })],
    ['a token for another client', ({ provider }) => provider.logoutToken({ aud: 'other' })],
    ['a token of another issuer', ({ provider }) => provider.logoutToken({ iss: 'https://evil.example' })],
    ['a token of an hour ago', ({ provider }) => provider.logoutToken({ iat: 1, exp: 4_000_000_000 })],
    ['a token of the key of another provider', ({ other }) => other.logoutToken()],
    ['an unsigned token', ({ provider }) => unsigned({ alg: 'none' }, { sub: '4711', iss: provider.issuer })],
    ['no token', () => ''],
  ];
  it('is not believed for two tokens, of which one may hold', async () => {
    const opened = await open();
    const cookie = cookieIn(await opened.login());
    const token = opened.provider.logoutToken();
    expect((await logout(opened, token, token)).status).toBe(400);
    expect(await opened.who(cookie)).toBe('anna');
  });

  it.each(attacks)('is not believed for %s', async (_what, token) => {
    const opened = await open();
    const cookie = cookieIn(await opened.login());
    expect((await logout(opened, token(opened))).status).toBe(400);
    expect(await opened.who(cookie)).toBe('anna');
  });
});

describe('the time of a login', () => {
  const loginAtOf = async ({ world }: Opened): Promise<unknown> =>
    (await world.service.store.read('SELECT login_at FROM token'))[0]?.[0];
  /** Sent by the page to log in again: as the provider answers. */
  async function again({ get, provider }: Opened, authTime?: number): Promise<Response> {
    provider.behaviour.person = { ...provider.behaviour.person, auth_time: authTime };
    const begun = await get('/APInoauth/login/keycloak?prompt=login&page=/ui/people');
    const sent = new URL(begun.headers.get('location')!).searchParams;
    expect([sent.get('prompt'), sent.get('max_age')]).toEqual(['login', '0']);
    return get(provider.loginAt(begun.headers.get('location')!), cookieIn(begun));
  }

  it('step-up: a session at the provider that is old makes no login of now', async () => {
    const opened = await open();
    const now = opened.world.clock.now();
    opened.provider.behaviour.person = { ...opened.provider.behaviour.person, auth_time: now / 1000 - 7200 };
    await opened.login();
    expect(await loginAtOf(opened)).toBe(now - 7_200_000);
  });

  it('step-up: a provider that does not tell when the login was, or tells a time to come, makes no recent one', async () => {
    const silent = await open();
    await silent.login();
    expect(await loginAtOf(silent)).toBe(0);
    const ahead = await open();
    const now = ahead.world.clock.now();
    ahead.provider.behaviour.person = { ...ahead.provider.behaviour.person, auth_time: now / 1000 + 7200 };
    await ahead.login();
    expect(await loginAtOf(ahead)).toBe(now);
  });

  it('step-up: a person who is sent to log in again, and did not, is refused', async () => {
    const opened = await open();
    const now = opened.world.clock.now() / 1000;
    expect([told(await again(opened, now - 300)), reasonOf(opened)]).toEqual([refused, 'login-not-again']);
    expect([told(await again(opened)), reasonOf(opened)]).toEqual([refused, 'login-not-again']);
    expect([told(await again(opened, now)), await loginAtOf(opened)]).toEqual(['303 /ui/people', now * 1000]);
  });
});

describe('attacks', () => {
  it('CSRF on the callback: a code of the attacker in the browser of a victim logs nobody in', async () => {
    const { get, provider } = await open();
    const begun = await get('/APInoauth/login/keycloak');
    const back = provider.loginAt(begun.headers.get('location')!);
    expect(told(await get(back))).toBe(expired);
    const ofVictim = await get('/APInoauth/login/keycloak');
    expect(told(await get(back, cookieIn(ofVictim)))).toBe(refused);
  });

  it('a second cookie of the same name, which another page may have set, counts as none', async () => {
    const { get, provider } = await open();
    const begun = await get('/APInoauth/login/keycloak');
    const back = provider.loginAt(begun.headers.get('location')!);
    expect(told(await get(back, `${cookieIn(begun)}; ${cookieIn(await get('/APInoauth/login/keycloak'))}`))).toBe(
      expired,
    );
  });

  it('replay: a code that was used logs nobody in again', async () => {
    const { get, provider } = await open();
    const begun = await get('/APInoauth/login/keycloak');
    const back = provider.loginAt(begun.headers.get('location')!);
    expect(told(await get(back, cookieIn(begun)))).toBe('303 /ui/');
    expect(told(await get(back, cookieIn(begun)))).toBe(refused);
  });

  it('a login that takes longer than ten minutes is over', async () => {
    const { get, provider, world } = await open();
    const begun = await get('/APInoauth/login/keycloak');
    await world.clock.advance(10 * minute);
    expect(told(await get(provider.loginAt(begun.headers.get('location')!), cookieIn(begun)))).toBe(expired);
  });

  it('mix-up: the answer of one provider is not taken for that of another', async () => {
    const opened = await open();
    const { get, provider, other, login } = opened;
    const begun = await get('/APInoauth/login/keycloak');
    const back = provider.loginAt(begun.headers.get('location')!);
    expect(told(await get(back.replace('/keycloak/', '/second/'), cookieIn(begun)))).toBe(expired);
    expect([told(await login({ iss: other.issuer })), reasonOf(opened)]).toEqual([refused, 'issuer-wrong']);
    expect(other.requests.filter(({ path }) => path === '/token')).toEqual([]);
    expect(provider.requests.filter(({ path }) => path === '/token')).toEqual([]);
  });

  it('mix-up: a provider that names itself in answers must do it', async () => {
    const opened = await open();
    opened.provider.behaviour.discovery = { authorization_response_iss_parameter_supported: true };
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, 'issuer-wrong']);
    expect(told(await opened.login({ iss: opened.provider.issuer }))).toBe('303 /ui/library');
  });

  it('mix-up: a discovery document of another issuer is not used', async () => {
    const opened = await open();
    opened.world.expectErrors('login-not-finished');
    opened.provider.behaviour.discovery = { issuer: opened.other.issuer };
    expect(told(await opened.get('/APInoauth/login/keycloak'))).toBe(failed);
  });

  it('session fixation: a login has a new session, whatever cookie the browser had', async () => {
    const { get, provider, who, login } = await open();
    const old = cookieIn(await login());
    const begun = await get('/APInoauth/login/keycloak', old);
    const answer = await get(provider.loginAt(begun.headers.get('location')!), `${old}; ${cookieIn(begun)}`);
    expect(cookieIn(answer)).not.toBe(old);
    expect(await who(cookieIn(answer))).toBe('anna');
  });

  const pages = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/ui/../\\evil.example',
    '/ui/../../API/user',
    '/ui/%0d%0aset-cookie:x=1\r\nx: y',
    'javascript:alert(1)',
    '/uix',
    'ui/',
    '/ui/\t/evil.example',
  ];
  it.each(pages)('open redirect: the page %j is not one of this service', async (page) => {
    const { login } = await open();
    expect(told(await login({}, page))).toMatch(/^303 \/ui\/(?:%0d.*)?$/i);
  });

  it('takeover: an account does not enter a user who exists by the same name, unless the file says so', async () => {
    const opened = await open();
    opened.provider.behaviour.person = { ...opened.provider.behaviour.person, preferred_username: 'admin' };
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, 'user-exists']);
    expect(await groupsOf(opened, 'admin')).toContain('_administrator');
    const joining = await open(['keycloak.joinsUsers = true']);
    joining.provider.behaviour.person = { ...joining.provider.behaviour.person, preferred_username: 'admin' };
    expect(await joining.who(cookieIn(await joining.login()))).toBe('admin');
  });

  it('the state of a login that is done stays in the browser', async () => {
    const { login } = await open();
    const [session, state, ...more] = (await login()).headers.getSetCookie();
    expect(session).toMatch(/^__Host-portico=[\w-]{43}; Path=/);
    expect([state, more]).toEqual(['__Host-portico-login=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0', []]);
  });

  it('the person of a user whose first login broke off behind the creation comes in at the next one', async () => {
    const opened = await open();
    const run = (sql: string) =>
      opened.world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
    await run(`CREATE TRIGGER crash BEFORE INSERT ON token BEGIN SELECT RAISE(ABORT, 'crash'); END`);
    opened.world.expectErrors('login-not-finished');
    expect(told(await opened.login())).toBe(failed);
    expect(await opened.world.service.store.read(`SELECT name FROM user WHERE name = 'anna'`)).toHaveLength(1);
    await run('DROP TRIGGER crash');
    expect(await opened.who(cookieIn(await opened.login()))).toBe('anna');
  });

  it('takeover: a name that the provider gives to another person opens nothing', async () => {
    const opened = await open();
    await opened.login();
    opened.provider.behaviour.person = { ...opened.provider.behaviour.person, sub: '4712' };
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, 'user-exists']);
  });

  it('an address that the provider has not verified is nobody', async () => {
    const opened = await open(['keycloak.userClaim = email']);
    const { behaviour } = opened.provider;
    behaviour.person = { ...behaviour.person, email: 'anna@example.com' };
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, 'email-not-verified']);
    behaviour.person = { ...behaviour.person, email_verified: true };
    expect(await opened.who(cookieIn(await opened.login()))).toBe('anna@example.com');
  });

  it('a user who is disabled here stays out', async () => {
    const opened = await open();
    await opened.login();
    const headers = { authorization: basic(admin), 'content-type': 'application/json' };
    const off = await opened.world.service.fetch(
      new Request(`${origin}/API/user/anna`, { method: 'DELETE', headers }),
      { secure: true },
    );
    expect(off.status).toBeLessThan(300);
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, 'user-disabled']);
  });

  type Claims = Readonly<Record<string, unknown>>;
  const forged: readonly (readonly [string, string, (opened: Opened) => (claims: Claims) => string])[] = [
    ['unsigned', 'token-malformed', () => (claims) => unsigned({ alg: 'none' }, claims)],
    [
      'of no algorithm, with a signature',
      'algorithm-refused',
      () => (claims) => unsigned({ alg: 'none' }, claims, 'AAAA'),
    ],
    [
      'with the public key as a shared secret',
      'algorithm-refused',
      ({ provider: { key } }) => {
        const secret = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
        return (claims) => coded(secret, claims);
      },
    ],
    ['signed by another key', 'signature-wrong', () => (claims) => signed(pair('Ed25519'), claims)],
    [
      'with a foreign nonce',
      'nonce-wrong',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, { ...claims, nonce: 'x' }),
    ],
    [
      'without a nonce',
      'nonce-wrong',
      ({ provider: { key } }) =>
        ({ nonce, ...claims }) =>
          signed(key, claims),
    ],
    [
      'for another client',
      'audience-wrong',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, { ...claims, aud: 'x' }),
    ],
    [
      'for another party',
      'party-wrong',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, { ...claims, azp: 'x' }),
    ],
    [
      'for several, and no party',
      'party-wrong',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, { ...claims, aud: ['portico', 'x'] }),
    ],
    [
      'of another issuer',
      'issuer-wrong',
      ({ provider: { key }, other }) =>
        (claims) =>
          signed(key, { ...claims, iss: other.issuer }),
    ],
    [
      'that has expired',
      'token-expired',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, { ...claims, exp: 1 }),
    ],
    [
      'for another access token',
      'access-token-wrong',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, { ...claims, at_hash: 'x' }),
    ],
    [
      'without a subject',
      'subject-missing',
      ({ provider: { key } }) =>
        ({ sub, ...claims }) =>
          signed(key, claims),
    ],
    [
      'that is an access token',
      'token-type-wrong',
      ({ provider: { key } }) =>
        (claims) =>
          signed(key, claims, { typ: 'at+jwt' }),
    ],
  ];
  it.each(forged)('an ID token %s is refused: %s', async (_what, reason, forge) => {
    const opened = await open();
    opened.provider.behaviour.sign = forge(opened);
    expect([told(await opened.login()), reasonOf(opened)]).toEqual([refused, reason]);
    expect(await groupsOf(opened, 'anna')).toEqual([]);
  });

  const answers: readonly (readonly [string, NonNullable<TestProvider['behaviour']['instead']>])[] = [
    ['a huge answer', { status: 200, body: `{"id_token":"${'x'.repeat(2_000_000)}"}` }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
    ['a page', { status: 200, body: '<html>' }],
    ['a name twice', { status: 200, body: '{"id_token":"a","id_token":"b"}' }],
    ['a failure', { status: 500, body: '{}' }],
  ];
  it.each(answers)('%s of the token endpoint is a failure, and no login', async (_what, instead) => {
    const opened = await open();
    opened.world.expectErrors('login-not-finished');
    opened.provider.behaviour.instead = instead;
    expect(told(await opened.login())).toBe(failed);
  });

  it('code injection: the refusal of the provider is a word, and no text of it gets anywhere', async () => {
    const opened = await open();
    expect([told(await opened.login({ error: 'access_denied' })), reasonOf(opened)]).toEqual([
      refused,
      'access-denied',
    ]);
    const evil = await opened.login({ error: '<script>\r\nx' });
    expect([told(evil), reasonOf(opened)]).toEqual([refused, 'provider-refused']);
    expect(JSON.stringify(opened.world.lines)).not.toContain('script');
  });
});
