import { describe, expect, it } from 'vitest';
import { unsigned } from '../../support/keys.ts';
import type { TestProvider } from './provider.ts';
import { cookieIn, failed, groupsOf, minute, type Opened, open, origin, reasonOf, refused, told } from './support.ts';

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
    expect(await world.service.explain({ method: 'GET', target: undefined, user: 'anna' })).toMatchObject({
      lastLogin: { way: 'provider', realm: 'keycloak' },
      group: [
        { name: '_item_read', role: true, source: 'login', realm: 'keycloak', claim: 'groups: staff' },
        { name: '_user', role: true, source: 'login', realm: 'keycloak', claim: 'defaultGroups' },
      ],
    });
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

  it('an attack: a message of a megabyte, of which nobody has proved anything, is not read', async () => {
    const opened = await open();
    expect((await logout(opened, 'x'.repeat(1_000_000))).status).toBe(413);
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

describe('people of a provider', () => {
  async function opened(secondFactor?: 'optional') {
    const opened = await open([], secondFactor && { secondFactor });
    const { world, provider, login } = opened;
    provider.behaviour.person = { ...provider.behaviour.person, auth_time: world.clock.now() / 1000 };
    const cookie = cookieIn(await login());
    const ask = async (method: string, path: string, body?: string) => {
      const headers = { host: 'portico.test', accept: 'application/json', 'portico-ui': '1', cookie };
      const sent = { method, headers: { ...headers, 'sec-fetch-site': 'same-origin' }, ...(body && { body }) };
      const answer = await world.service.fetch(new Request(`${origin}/API${path}`, sent), { secure: true });
      const code = answer.headers.get('portico-error');
      return { status: answer.status, code, text: await answer.text() };
    };
    return { ...opened, ask };
  }

  it.each([undefined, 'optional'] as const)(
    'make access keys while their login there is recent (second factor %s)',
    async (factor) => {
      const { ask, world } = await opened(factor);
      const session = await ask('GET', '/session');
      expect(JSON.parse(session.text)).toMatchObject({ userName: 'anna', password: false, provider: 'keycloak' });
      expect((await ask('POST', '/user/anna/key?name=nightly')).status).toBe(200);
      expect((await ask('POST', '/user/admin/key')).status).toBe(403);
      // The password of the service stays what they do not have.
      expect((await ask('PUT', '/user/anna/password', 'a pass phrase of hers')).status).toBe(403);
      world.clock.advance(minute);
      expect((await ask('POST', '/user/anna/key')).status).toBe(200);
    },
  );

  it.each([undefined, 'optional'] as const)('make none by an old session (second factor %s)', async (factor) => {
    const { ask, world, provider } = await opened(factor);
    // The provider goes on to vouch for the person, which is no login.
    provider.behaviour.person = { ...provider.behaviour.person, auth_time: world.clock.now() / 1000 };
    for (let turn = 0; turn < 30; turn++) {
      await world.clock.advance(2 * minute);
      await world.service.tick(100);
    }
    const answer = await ask('POST', '/user/anna/key');
    expect([answer.status, answer.code]).toEqual([403, 'login-too-old']);
  });
});

describe('the log of a login that was not finished', () => {
  const lineOf = ({ world }: Opened) => world.lines.findLast(({ event }) => event === 'login-not-finished');

  it('names the person and the claim that is missing', async () => {
    const opened = await open(['keycloak.requiredClaims = department:news']);
    expect(told(await opened.login())).toBe(refused);
    expect(lineOf(opened)).toMatchObject({ reason: 'claim-missing', user: 'anna', claim: 'department' });
  });

  it('names the claim that should be the user name', async () => {
    const opened = await open(['keycloak.userClaim = upn']);
    expect(told(await opened.login())).toBe(refused);
    expect(lineOf(opened)).toMatchObject({ reason: 'user-claim-wrong', claim: 'upn' });
  });

  it('names both issuers where the file has another one than the provider', async () => {
    const opened = await open();
    opened.provider.behaviour.discovery = { issuer: 'https://id.example.com/realms/other' };
    expect(told(await opened.get('/APInoauth/login/keycloak'))).toBe(failed);
    opened.world.expectErrors('login-not-finished');
    const issuer = `Expected the issuer of security.ini, "${opened.provider.issuer}", in the discovery document`;
    expect(lineOf(opened)).toMatchObject({
      word: 'failed',
      error: `${issuer}: "https://id.example.com/realms/other"`,
    });
  });

  it('is not all: a login without groups says which claim the provider does not tell', async () => {
    const opened = await open(['keycloak.groupsClaim = realm_access.roles']);
    expect(told(await opened.login())).toBe('303 /ui/library');
    expect(opened.world.lines.findLast(({ event }) => event === 'groups-not-told')).toMatchObject({
      ...{ level: 'warn', component: 'keycloak', reason: 'no-claim', claim: 'realm_access.roles', user: 'anna' },
    });
  });
});
