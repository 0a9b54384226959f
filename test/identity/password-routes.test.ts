import { expect, it } from 'vitest';
import { matchesHash } from '../../src/identity/passwords/hash.ts';
import { findLogin } from '../../src/identity/users/store.ts';
import { alice, newUser, people } from '../support/cast.ts';
import { describeMatrix, requestOf, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

const by = (request: string, body?: string): Pick<Scenario, 'as' | 'request' | 'body'> => ({
  as: admin,
  request,
  body,
});
const robot = { as: admin, request: 'POST /API/user', body: { userName: 'robot' } };
const changed: Scenario['events'] = [['user/modify', 'alice', { user: 'alice', changed: ['password'] }]];

const set: readonly Scenario[] = [
  {
    name: 'sets a password',
    ...by('PUT /API/user/alice/password?type=raw', 'another'),
    status: 200,
    says: { exact: '' },
    events: changed,
  },
  {
    name: 'takes no type for raw, and a trailing slash',
    ...by('PUT /API/user/alice/password/', 'another'),
    status: 200,
    events: changed,
  },
  {
    name: 'lets users set their own',
    ...by('PUT /API/user/alice/password?type=RAW', 'another'),
    as: alice,
    status: 200,
    events: changed,
  },
  {
    name: 'lets an administrator set the first one',
    given: [robot],
    ...by('PUT /API/user/robot/password', 'first'),
    status: 200,
    events: [['user/modify', 'robot']],
  },
  ...['admin', 'carol'].map((name) => ({
    name: `refuses "short" for the administrator ${name}, as the command does`,
    given: [newUser(['carol', 'p'], ['_administrator'])],
    ...by(`PUT /API/user/${name}/password`, 'short'),
    status: 400,
    says: { contains: ['Expected 8 to 1024 characters'], lacks: ['"short"'] },
    headers: { accept: 'text/plain' },
  })),
  {
    name: 'sets a password of eight characters for an administrator',
    ...by('PUT /API/user/admin/password', 'eight888'),
    status: 200,
    events: [['user/modify', 'admin', { user: 'admin', changed: ['password'] }]],
  },
  {
    name: 'sets a short password of a user without power, as clients of older systems do',
    ...by('PUT /API/user/alice/password', 'short'),
    status: 200,
    events: changed,
  },
  ...['md5', 'MD5', 'sha1'].map((type) => ({
    name: `refuses the type ${type}, which would store what nobody knows`,
    ...by(`PUT /API/user/alice/password?type=${type}`, 'd41d8cd98f00b204e9800998ecf8427e'),
    status: 400,
    says: { contains: ['Expected "raw": passwords are sent as they are'], lacks: ['d41d8'] },
    headers: { accept: 'text/plain' },
  })),
  ...['', 'a\nb', 'x'.repeat(1025)].map((password) => ({
    name: `refuses the password ${JSON.stringify(password.slice(0, 5))}, which could not be kept`,
    ...by('PUT /API/user/alice/password', password),
    status: 400,
    answers: { 'portico-error': 'bad-value' },
  })),
  {
    name: 'refuses a body that is too large to be a password before it is read to its end',
    ...by('PUT /API/user/alice/password', 'x'.repeat(2_000_000)),
    status: 413,
  },
  { name: 'gives 404 for nobody', ...by('PUT /API/user/ghost/password', 'x'), status: 404 },
];

const salts: readonly Scenario[] = [
  {
    name: 'has no salt where there is no password',
    given: [robot],
    ...by('GET /API/user/robot/password/salt'),
    status: 404,
  },
  { name: 'has no salt of nobody', ...by('GET /API/user/ghost/password/salt'), status: 404 },
  { name: 'makes no salt for nobody', ...by('POST /API/user/ghost/password/salt'), status: 404 },
  {
    name: 'makes a salt, and says that the password changed',
    ...by('POST /API/user/alice/password/salt'),
    status: 200,
    answers: { 'content-type': 'application/octet-stream' },
    events: changed,
  },
  {
    name: 'says in a form that can be read why a salt is refused',
    ...by('GET /API/user/ghost/password/salt'),
    headers: { accept: 'application/octet-stream' },
    status: 404,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
  },
];

async function bytesOf(world: World, request: string): Promise<string> {
  const answer = await world.service.fetch(requestOf('http://portico.test', { as: admin, request }));
  return Buffer.from(await answer.arrayBuffer()).toString('hex');
}

describeMatrix('passwords', (entry) => {
  itHolds(entry, [...set, ...salts], { given: people });

  it('voids the old password at the next request, also where it was just verified', async () => {
    const world = await entry.open();
    await prepare(world, people);
    const status = async (as: Credentials) => (await world.send({ as, request: 'GET /API/whoami' })).status;
    expect(await status(alice)).toBe(200);
    await prepare(world, [{ ...by('PUT /API/user/alice/password', 'another'), as: alice }]);
    expect([await status(alice), await status(['alice', 'another'])]).toEqual([401, 200]);
  });

  it('gives the salt of the stored hash, and with a new one no password matches until one is set', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    const salt = '/API/user/alice/password/salt';
    const status = async (as: Credentials) => (await world.send({ as, request: 'GET /API/whoami' })).status;
    const first = await bytesOf(world, `GET ${salt}`);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    const stored = (await findLogin(world.service.store, { name: 'alice' }))!.password!;
    expect(stored).toContain(Buffer.from(first, 'hex').toString('base64').replace(/=+$/, ''));

    const second = await bytesOf(world, `POST ${salt}`);
    expect(second).not.toBe(first);
    expect(await bytesOf(world, `GET ${salt}`)).toBe(second);
    expect([await status(alice), await status(['alice', ''])]).toEqual([401, 401]);
    const voided = (await findLogin(world.service.store, { name: 'alice' }))!.password!;
    expect(await matchesHash(alice[1], voided, world.scrypt.compute)).toBe(false);
    await prepare(world, [by('PUT /API/user/alice/password', alice[1])]);
    expect(await status(alice)).toBe(200);
  });

  it('refuses with as much work as ever when the password was voided', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice), by('POST /API/user/alice/password/salt')]);
    const before = world.scrypt.calls.length;
    expect((await world.send({ as: alice, request: 'GET /API/whoami' })).status).toBe(401);
    expect(world.scrypt.calls.slice(before)).toEqual([{ cost: 14, block: 8, parallel: 5, length: 32 }]);
  });

  it('hashes nothing for nobody', async () => {
    const world = await entry.open();
    await prepare(world, people);
    await world.send({ as: admin, request: 'GET /API/whoami' });
    const before = world.scrypt.calls.length;
    await world.send(by('PUT /API/user/ghost/password', 'x'));
    expect(world.scrypt.calls.length).toBe(before);
  });
});
