import { describe, expect, it } from 'vitest';
import { coded, pair, signed, unsigned } from '../../support/keys.ts';
import { basic } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import type { TestProvider } from './provider.ts';
import {
  cookieIn,
  expired,
  failed,
  groupsOf,
  minute,
  type Opened,
  open,
  origin,
  reasonOf,
  refused,
  told,
} from './support.ts';

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
