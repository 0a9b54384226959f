import { expect, it } from 'vitest';
import { builtInSecurity } from '../../src/composition/service.ts';
import { changePassword, switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import { alice, newUser } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials, type TestService } from '../support/service.ts';

const whoami = (as: Credentials) => ({ as, request: 'GET /API/whoami' });
const statusOf = async (world: World, as: Credentials) => (await world.send(whoami(as))).status;

async function userIn(world: TestService, name: string) {
  return (await findUser(world.service.store, { name }))!;
}

const challenge = 'BASIC realm="serviceRealm"';
const out = { status: 401, answers: { 'www-authenticate': challenge }, says: { exact: '' } } as const;

/** Forms that a caller of a refused login names, and the body that tells it. */
const says = 'No filter accepted the credentials of the request.';
const forms: readonly [accept: string, ...parts: string[]][] = [
  ['application/json', `"notAuthorized":{"message":"${says}"}`],
  ['application/xml', '<ExceptionDocument xmlns=', `<notAuthorized><message>${says}</message></notAuthorized>`],
  ['text/xml, */*;q=0.1', '<notAuthorized>'],
  ['application/json, application/problem+json', '"type":"urn:portico:error:not-authenticated"', '"status":401'],
  ['application/problem+xml', '<problem xmlns="urn:ietf:rfc:7807">'],
];
/** A text may be read without its status, and a browser shows a page of its own. */
const silent = [
  '*/*',
  'text/plain',
  'application/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
];

const rows: readonly Scenario[] = [
  {
    name: 'basic against the users in the database',
    ...whoami(alice),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8', 'www-authenticate': null },
    says: { exact: 'alice' },
  },
  { name: 'refuses a wrong password', ...whoami(['alice', 'wrong']), ...out },
  ...forms.map(([accept, ...contains]) => ({
    name: `refuses a wrong password in the form of the caller: ${accept}`,
    ...whoami(['alice', 'wrong']),
    headers: { accept },
    ...out,
    says: { contains },
  })),
  ...silent.map((accept) => ({
    name: `refuses a wrong password without a body for a caller who names no form: ${accept}`,
    ...whoami(['alice', 'wrong']),
    headers: { accept },
    ...out,
  })),
  { name: 'refuses an empty password', ...whoami(['alice', '']), ...out },
  { name: 'refuses an unknown user', ...whoami(['nobody', 'password of alice']), ...out },
  { name: 'refuses an empty name', ...whoami(['', '']), ...out },
  { name: 'refuses the name in another case', ...whoami(['Alice', alice[1]]), ...out },
  { name: 'refuses the name with a blank after it', ...whoami(['alice ', alice[1]]), ...out },
  { name: 'refuses a request without credentials', request: 'GET /API/whoami', ...out },
  {
    name: 'logs in by an alias, as the user whose alias it is',
    ...whoami(['al', alice[1]]),
    status: 200,
    says: { exact: 'alice' },
  },
  {
    name: 'takes everything after the first colon as the password',
    given: [newUser(['bob', ':a:b:'])],
    ...whoami(['bob', ':a:b:']),
    status: 200,
  },
  {
    name: 'takes names and passwords as UTF-8, and does not normalise them',
    given: [newUser(['jörg', 'pässwörd \u{1f511}'])],
    ...whoami(['jörg', 'pässwörd \u{1f511}']),
    status: 200,
    says: { exact: 'jörg' },
  },
  {
    name: 'does not take another Unicode form of the same password',
    given: [newUser(['jörg', 'p\u00e4'])],
    ...whoami(['jörg', 'pa\u0308']),
    ...out,
  },
  {
    name: 'keeps blanks at the ends of a password',
    given: [newUser(['bob', ' p '])],
    ...whoami(['bob', 'p']),
    ...out,
  },
  {
    name: 'refuses a user who has no password, whatever is given',
    given: [{ as: admin, request: 'POST /API/user', body: { userName: 'robot' } }],
    ...whoami(['robot', '']),
    ...out,
  },
  {
    name: 'takes the scheme in any case',
    request: 'GET /API/whoami',
    headers: { authorization: `bAsIc ${btoa(alice.join(':'))}` },
    status: 200,
  },
];

describeMatrix('login', (entry) => {
  itHolds(entry, rows, { given: [newUser(alice, [], { alias: ['al'] })] });

  it('puts the application name of security.ini into the challenge', async () => {
    const world = await entry.open();
    const text = builtInSecurity.text.replace(
      'authcBasic.applicationName = serviceRealm',
      'authcBasic.applicationName = My "app"',
    );
    expect(await world.service.configure({ ...builtInSecurity, text })).toMatchObject({ applied: true });
    const answer = await world.send({ request: 'GET /API/whoami' });
    expect(answer.headers.get('www-authenticate')).toBe('BASIC realm="My \\"app\\""');
  });

  it('puts a disabled user out at once, remembered password or not, and back in', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    const { store } = world.service;
    expect(await statusOf(world, alice)).toBe(200);
    const before = world.scrypt.calls.length;
    expect(await statusOf(world, alice)).toBe(200);
    expect(world.scrypt.calls.length, 'the password is remembered').toBe(before);
    await store.commit(switchUser(await userIn(world, 'alice'), false), { user: 'test' });
    expect(await statusOf(world, alice)).toBe(401);
    await store.commit(switchUser(await userIn(world, 'alice'), true), { user: 'test' });
    expect(await statusOf(world, alice)).toBe(200);
  });

  it('forgets the old password the moment another one is set', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    expect(await statusOf(world, alice)).toBe(200);
    const hash = await world.service.rooms.identity.passwords.hash('another');
    await world.service.store.commit(changePassword(await userIn(world, 'alice'), hash), { user: 'test' });
    expect(await statusOf(world, alice)).toBe(401);
    expect(await statusOf(world, ['alice', 'another'])).toBe(200);
  });
});
