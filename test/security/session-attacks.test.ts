import { expect, it } from 'vitest';
import { alice, newUser } from '../support/cast.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import {
  type Browser,
  browserAt,
  logIn,
  newKey,
  newToken,
  ofPage,
  type PageRequest,
  setStatus,
  whoIs,
} from '../support/ways.ts';

interface Opened {
  readonly world: World;
  readonly browser: Browser;
  readonly cookie: string;
}

async function open(): Promise<Opened> {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(alice)]);
  const browser = browserAt(world);
  return { world, browser, cookie: await logIn(browser, alice) };
}

const text = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
type Headers = Readonly<Record<string, string>>;

it.each<[string, string, Headers]>([
  ['a form of another site that posts', 'POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a form of a neighbouring site that posts', 'POST', { 'sec-fetch-site': 'same-site' }],
  ['a script of another site', 'PUT', { ...ofPage, 'sec-fetch-site': 'cross-site' }],
  ['a script of another port', 'PUT', { ...ofPage, 'sec-fetch-site': 'same-site', origin: 'https://portico.test:444' }],
  ['a form of the same site without the header of the page', 'POST', { 'sec-fetch-site': 'same-origin' }],
  ['a link of another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a picture in another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a bookmark that deletes', 'DELETE', { 'sec-fetch-site': 'none', 'portico-ui': '1' }],
  ['an old browser in another site', 'GET', { origin: 'https://evil.test' }],
  ['an old browser that tells no origin', 'GET', {}],
  ['an old browser, sandboxed', 'GET', { origin: 'null' }],
  ['a referrer of a look-alike', 'GET', { referer: 'https://portico.test.evil.test/' }],
  ['a referrer with the name in its user part', 'GET', { referer: 'https://portico.test@evil.test/' }],
  ['a forged referrer beside an origin', 'GET', { origin: 'https://evil.test', referer: 'https://portico.test/' }],
  ['plain HTTP of the same name', 'GET', { origin: 'http://portico.test' }],
])('rides on the cookie: %s', async (_, method, headers) => {
  const { world, browser, cookie } = await open();
  const path = { POST: '/API/group/x', PUT: '/API/user/alice/password', DELETE: '/API/session', GET: '/API/whoami' };
  const answer = await browser({ request: `${method} ${path[method as 'GET']}`, cookie, headers });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Session']);
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(await (await browser({ request: 'GET /API/whoami', cookie })).text()).toBe('alice');
  expect(world.lines.some(({ user, method: used }) => user === 'alice' && used === 'PUT')).toBe(false);
});

it.each<[string, (opened: Opened) => Promise<PageRequest> | PageRequest]>([
  [
    'the text of a session as a token',
    ({ cookie }) => ({ request: '', headers: { authorization: `token ${text(cookie)}` } }),
  ],
  [
    'the text of a session as a bearer token',
    ({ cookie }) => ({ request: '', headers: { authorization: `Bearer ${text(cookie)}` } }),
  ],
  ['the text of a session as a password', ({ cookie }) => ({ request: '', as: ['alice', text(cookie)] })],
  [
    'a token as a cookie',
    async ({ world }) => ({ request: '', cookie: `__Host-portico=${await newToken(world, { as: alice })}` }),
  ],
  ['a password as a cookie', () => ({ request: '', cookie: `__Host-portico=${alice[1]}` })],
  ['a cookie without its prefix over TLS', ({ cookie }) => ({ request: '', cookie: cookie.slice('__Host-'.length) })],
  ['a second cookie behind the first', ({ cookie }) => ({ request: '', cookie: `${cookie}; __Host-portico=x` })],
  ['a second cookie before the first', ({ cookie }) => ({ request: '', cookie: `__Host-portico=x; ${cookie}` })],
  ['a cookie in quotes', ({ cookie }) => ({ request: '', cookie: `__Host-portico="${text(cookie)}"` })],
  ['a cookie whose name differs in case', ({ cookie }) => ({ request: '', cookie: cookie.replace('Host', 'host') })],
  ['wrong credentials beside a good cookie', ({ cookie }) => ({ request: '', cookie, as: ['alice', 'wrong'] })],
])('puts what it has where it does not count: %s', async (_, make) => {
  const opened = await open();
  const given = await make(opened);
  const answer = await opened.browser({
    ...given,
    headers: { ...ofPage, ...given.headers },
    request: 'GET /API/whoami',
  });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Session']);
});

it('reads the digest of a session in the database and sends it as a cookie', async () => {
  const { world, browser } = await open();
  const [row] = (await world.service.store.read('SELECT digest, id FROM token')) as [string, string][];
  for (const stolen of row!) {
    const answer = await browser({ request: 'GET /API/whoami', cookie: `__Host-portico=${stolen}` });
    expect(answer.status).toBe(401);
  }
});

it('listens to a login that crosses the network without TLS', async () => {
  const { world } = await open();
  for (const origin of ['http://portico.test', 'http://192.0.2.1:8080', 'http://127.0.0.1.evil.test']) {
    const answer = await browserAt(world, origin)({ request: 'POST /API/session', as: alice });
    expect([answer.status, answer.headers.get('set-cookie')], origin).toEqual([403, null]);
    expect(await answer.text()).toContain('needs TLS');
  }
});

it('logs the victim in as the attacker, from a page of another origin', async () => {
  const { browser } = await open();
  for (const [headers, status] of [
    [{ 'sec-fetch-site': 'cross-site' }, 401],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'https://evil.test' }, 401],
  ] as const) {
    const answer = await browser({ request: 'POST /API/session', as: alice, headers });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null]);
  }
});

it('turns a token that was lent for a minute into a session of days', async () => {
  const { world, browser } = await open();
  const headers = { ...ofPage, authorization: `token ${await newToken(world, { as: alice })}` };
  expect((await browser({ request: 'POST /API/session', headers })).status).toBe(403);
});

it('begins another session with a session, so that it never ends', async () => {
  const { browser, cookie } = await open();
  expect((await browser({ request: 'POST /API/session', cookie })).status).toBe(403);
});

it('keeps the session of an access key after the key has ended', async () => {
  const { world, browser } = await open();
  const { id, pair } = await newKey(world, 'alice', { as: alice });
  const cookie = await logIn(browser, pair);
  expect((await browser({ request: 'GET /API/whoami', cookie })).status).toBe(200);
  await world.send(setStatus('alice', id, 'INACTIVE'));
  expect((await browser({ request: 'GET /API/whoami', cookie })).status).toBe(401);
});

it('acts for somebody else with a session, without the right to', async () => {
  const { browser, cookie } = await open();
  const headers = { ...ofPage, runas: 'admin' };
  expect((await browser({ request: 'GET /API/whoami', cookie, headers })).status).toBe(403);
});

it('makes a key or a new password of a session that was left open', async () => {
  const { browser, cookie } = await open();
  for (const request of ['POST /API/user/alice/key', 'PUT /API/user/alice/password']) {
    const answer = await browser({ request, cookie, ...(request.startsWith('PUT') ? { body: 'mine now' } : {}) });
    expect(answer.status, request).toBe(403);
  }
});

it.each([
  ['a script with a wrong password', { ...ofPage, authorization: 'Basic YWxpY2U6d3Jvbmc=' }],
  ['a script without credentials', { ...ofPage }],
  ['a picture', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
  ['an event stream', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', accept: 'text/event-stream' }],
])('opens the login window of the browser over the page: %s', async (_, headers) => {
  const { browser } = await open();
  const answer = await browser({ request: 'GET /API/whoami', headers });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Session']);
});

it('programs see the challenge that they always saw', async () => {
  const { world } = await open();
  const { headers } = await world.send({ request: 'GET /API/whoami', headers: { 'sec-fetch-mode': 'cors' } });
  expect(headers.get('www-authenticate')).toBe('BASIC realm="serviceRealm"');
  expect(await whoIs(world, {})).toBe('401 credentials-missing');
});
