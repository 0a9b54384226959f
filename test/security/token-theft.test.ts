import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AuthenticationTokenList } from '../../src/identity/documents.ts';
import { alice, newUser } from '../support/cast.ts';
import { basic, describeMatrix, listenFor, openWorld, type World } from '../support/matrix.ts';
import { sendRaw } from '../support/raw.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { byToken, type How, json, type NewKey, newKey, newToken, sendWell, whoIs } from '../support/ways.ts';

const bob: Credentials = ['bob', 'password of bob'];

interface Stolen {
  readonly token: string;
  readonly id: string;
  readonly key: NewKey;
  readonly digest: string;
  readonly secretDigest: string;
}

async function open(openIt: () => Promise<World>): Promise<{ world: World; stolen: Stolen }> {
  const world = await openIt();
  await prepare(world, [newUser(alice), newUser(bob)]);
  const [token, key] = [await newToken(world, { as: alice }), await newKey(world, 'alice')];
  const [[digest, id]] = (await world.service.store.read('SELECT digest, id FROM token')) as [[string, string]];
  const [[secretDigest]] = (await world.service.store.read('SELECT secret FROM access_key')) as [[string]];
  return { world, stolen: { token, id, key, digest, secretDigest } };
}

const header = (authorization: string): How => ({ headers: { authorization } });
const pair = (user: string, password: string): How => ({ as: [user, password] });

/** Parts of a token or a key in places where they do not count. */
const misplaced: readonly (readonly [string, (stolen: Stolen) => How])[] = [
  ['the digest of a token, read out of the database, as a token', ({ digest }) => byToken(digest)],
  ['the digest of a token in another form', ({ token }) => byToken(hash('sha256', token, 'hex'))],
  ['the id of a token as a token', ({ id }) => byToken(id)],
  ['a token as a bearer token', ({ token }) => header(`Bearer ${token}`)],
  ['a token as the password of its user', ({ token }) => pair('alice', token)],
  ['a token as a user without a password', ({ token }) => pair(token, '')],
  ['a token as a password without a user', ({ token }) => pair('', token)],
  ['a token as user and password', ({ token }) => pair(token, token)],
  ['a token without a scheme', ({ token }) => header(token)],
  ['a token behind another scheme', ({ token }) => header(`tokens ${token}`)],
  ['a token in base64', ({ token }) => byToken(btoa(token))],
  ['a token with padding', ({ token }) => byToken(`${token}=`)],
  ['a token in quotes', ({ token }) => header(`token "${token}"`)],
  ['a token as a parameter of the scheme', ({ token }) => header(`token token=${token}`)],
  ['a token twice', ({ token }) => header(`token ${token} ${token}`)],
  ['a token beside another', ({ token }) => header(`token ${token}, token ${token}`)],
  ['a token without its last character', ({ token }) => byToken(token.slice(0, -1))],
  ['a token with one more', ({ token }) => byToken(`${token}A`)],
  ['a token in another case', ({ token }) => byToken(swapCase(token))],
  ['a pattern instead of a token', () => byToken('%')],
  ['no token at all', () => header('token ')],
  [
    'the digest of a secret, read out of the database, as the secret',
    ({ key, secretDigest }) => pair(key.id, secretDigest),
  ],
  ['a secret without its key', ({ key }) => pair('', key.pair[1])],
  ['a secret as the password of its user', ({ key }) => pair('alice', key.pair[1])],
  ['a secret as a token', ({ key }) => byToken(key.pair[1])],
  ['the id of a key as a token', ({ key }) => byToken(key.id)],
  ['key and secret as a token', ({ key }) => header(`token ${key.pair.join(':')}`)],
  ['the id of a key without a secret', ({ key }) => pair(key.id, '')],
  ['the password of its user as the secret', ({ key }) => pair(key.id, alice[1])],
  ['a token as the secret', ({ key, token }) => pair(key.id, token)],
  ['a token in a cookie', ({ token }) => ({ headers: { cookie: `token=${token}; Authorization=token ${token}` } })],
  [
    'a token in another header',
    ({ token }) => ({ headers: { 'x-auth-token': token, 'proxy-authorization': `token ${token}` } }),
  ],
];

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

describeMatrix('a stolen token or key', (entry) => {
  it.each(misplaced)('lets nobody in: %s', async (_what, how) => {
    const { world, stolen } = await open(entry.open);
    expect(await whoIs(world, how(stolen))).toMatch(/^401 /);
    expect(await whoIs(world, byToken(stolen.token)), 'the token is good').toBe('alice');
    expect(await whoIs(world, { as: stolen.key.pair }), 'the key is good').toBe('alice');
  });

  it.each(['token', 'Token', 'TOKEN'])('the scheme counts in any case: %s', async (scheme) => {
    const { world, stolen } = await open(entry.open);
    expect(await whoIs(world, header(`${scheme} ${stolen.token}`))).toBe('alice');
  });

  it('no parameter, no path and no body stands for the header', async () => {
    const { world, stolen } = await open(entry.open);
    const { token } = stolen;
    for (const request of [
      `GET /API/whoami?token=${token}`,
      `GET /API/whoami?access_token=${token}&Authorization=token%20${token}`,
      `GET /API/whoami;token=${token}`,
      `GET /API/token/${token}`,
    ])
      expect((await world.send({ request })).status, request).toBe(401);
    const body = `token=${token}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await world.send({ request: 'POST /API/user', headers, body })).status).toBe(401);
  });

  it('is ended by its user only: the id of somebody else’s token is none, and their path is closed', async () => {
    const { world, stolen } = await open(entry.open);
    const theirs = byToken(await newToken(world, { as: bob }));
    const end = async (how: How, user: string) =>
      (await world.send({ ...how, request: `DELETE /API/user/${user}/tokens/${stolen.id}` })).status;
    expect(await end(theirs, 'bob')).toBe(404);
    expect(await end(theirs, 'alice')).toBe(403);
    expect(await end({ as: admin }, 'bob'), 'nor under another user').toBe(404);
    expect((await world.send({ ...theirs, request: 'DELETE /API/user/alice/tokens' })).status).toBe(403);
    expect((await world.send({ ...theirs, request: 'GET /API/user/alice/tokens' })).status).toBe(403);
    expect(await whoIs(world, byToken(stolen.token))).toBe('alice');
  });

  it('gives away neither its like nor a key of somebody else', async () => {
    const { world, stolen } = await open(entry.open);
    for (const how of [byToken(stolen.token), { as: stolen.key.pair }]) {
      for (const request of ['GET /API/user/bob/token', 'POST /API/user/bob/key', 'GET /API/user/bob/key'])
        expect((await world.send({ ...how, request })).status, request).toBe(403);
    }
  });

  it('cannot be read out of a list, nor out of the database', async () => {
    const { world, stolen } = await open(entry.open);
    const tables = await world.service.store.read(`SELECT name FROM sqlite_master WHERE type = 'table'`);
    const rows = await Promise.all(tables.map(([name]) => world.service.store.read(`SELECT * FROM "${name}"`)));
    const { body } = await sendWell(world, { as: alice, request: 'GET /API/user/alice/tokens', headers: json });
    const [listed] = (JSON.parse(body) as AuthenticationTokenList).token!;
    expect(listed!.id).toBe(stolen.id);
    expect(stolen.token).not.toContain(stolen.id);
    for (const text of [body, JSON.stringify(rows)])
      for (const secret of [stolen.token, stolen.key.pair[1]]) expect(text).not.toContain(secret);
    expect(stolen.digest).toBe(hash('sha256', stolen.token, 'base64url'));
    expect(stolen.secretDigest).toBe(hash('sha256', stolen.key.pair[1], 'base64url'));
  });
});

it('two Authorization headers let nobody in, whatever is in them', async () => {
  const { world, stolen } = await open(() => openWorld('fetch'));
  const port = await listenFor(world);
  const token = `Authorization: token ${stolen.token}`;
  for (const headers of [
    [token, token],
    [token, `Authorization: ${basic(bob)}`],
    [`Authorization: ${basic(bob)}`, token],
  ]) {
    expect((await sendRaw(port, { target: '/API/whoami', headers })).status).toBe(401);
  }
  expect((await sendRaw(port, { target: '/API/whoami', headers: [token] })).body).toBe('alice');
});

it('no two tokens, keys and secrets are alike', async () => {
  const { world } = await open(() => openWorld('fetch'));
  const tokens = await Promise.all(Array.from({ length: 50 }, () => newToken(world, { as: alice })));
  const keys = await Promise.all(Array.from({ length: 50 }, () => newKey(world, 'alice')));
  expect(new Set([...tokens, ...keys.flatMap(({ pair: both }) => both)]).size).toBe(150);
});
