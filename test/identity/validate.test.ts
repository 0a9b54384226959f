import { expect, it } from 'vitest';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { Credentials as Given, Plugin, RealmAnswer } from '../../src/spi/index.ts';
import { alice, newUser } from '../support/cast.ts';
import { describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { newKey, sendWell, switchTo } from '../support/ways.ts';

const portal: Credentials = ['portal', 'password of portal'];
const bob: Credentials = ['bob', 'password of bob'];
const people = [newUser(alice, [], { alias: ['al'] }), newUser(bob), newUser(portal, ['_runas'])];
const odd: Credentials = ['odd', '\ufeff pass:wörd \u{1f511} '];

const validate = (user: string, password: string, as: Credentials = portal) => ({
  as,
  request: `PUT /API/user/${user}/validate`,
  headers: { 'content-type': 'text/plain' },
  body: password,
});
const good = { status: 200, answers: { 'content-type': 'text/plain; charset=UTF-8' }, says: { exact: 'OK' } } as const;
const bad = { status: 403, answers: { 'portico-error': 'credentials-wrong' } } as const;

const rows: readonly Scenario[] = [
  {
    name: 'says OK to the password of the user, for a caller who may act for others',
    ...validate('alice', alice[1]),
    ...good,
  },
  { name: 'says OK to an administrator', ...validate('alice', alice[1], admin), ...good },
  { name: 'says OK to the user', ...validate('alice', alice[1], alice), ...good },
  { name: 'says OK for an alias', ...validate('al', alice[1]), ...good },
  { name: 'says OK to a user who asks by an alias', ...validate('al', alice[1], alice), ...good },
  {
    name: 'takes the path with a slash and the type raw',
    ...validate('alice', alice[1]),
    request: 'PUT /API/user/alice/validate/?type=raw',
    ...good,
  },
  {
    name: 'takes the password exactly as it came, and as UTF-8',
    given: [newUser(odd)],
    ...validate('odd', odd[1]),
    ...good,
  },
  ...[odd[1].trim(), odd[1].trimEnd(), odd[1].slice(1), `${odd[1]}\n`].map((password) => ({
    name: `does not take ${JSON.stringify(password)} for it`,
    given: [newUser(odd)],
    ...validate('odd', password),
    ...bad,
  })),
  {
    name: 'a wrong password is 403 and not 401, which would log the application out',
    ...validate('alice', 'wrong'),
    ...bad,
    answers: { ...bad.answers, 'www-authenticate': null },
    says: { lacks: ['wrong', alice[1]] },
  },
  { name: 'an empty password is wrong', ...validate('alice', ''), ...bad },
  { name: 'the password of somebody else is wrong', ...validate('alice', bob[1]), ...bad },
  { name: "the caller's own password is wrong", ...validate('alice', portal[1]), ...bad },
  { name: 'a password that is too long is wrong', ...validate('alice', 'x'.repeat(2000)), ...bad },
  {
    name: 'a body that is longer than any password is refused',
    ...validate('alice', 'x'.repeat(5000)),
    status: 413,
  },
  {
    name: 'a body that is not UTF-8 is refused',
    ...validate('alice', ''),
    body: Uint8Array.of(0xff, 0xfe),
    status: 400,
    answers: { 'portico-error': 'bad-document' },
  },
  {
    name: 'an unknown user is 404 to callers who may ask',
    ...validate('nobody', 'x'),
    status: 404,
    says: { contains: ['Type: User', 'ID: nobody'] },
  },
  {
    name: 'refuses a caller without the role, and does not say whether there is such a user',
    ...validate('nobody', 'x', bob),
    status: 403,
    answers: { 'portico-error': 'role-missing' },
  },
  {
    name: 'refuses a caller without the role who has the password',
    ...validate('alice', alice[1], bob),
    status: 403,
    answers: { 'portico-error': 'role-missing' },
    says: { contains: ['_runas'] },
  },
  ...['md5', 'MD5', 'sha1'].map((type) => ({
    name: `refuses the type ${type}: passwords are raw`,
    ...validate('alice', alice[1]),
    request: `PUT /API/user/alice/validate?type=${type}`,
    status: 400,
    answers: { 'portico-error': 'bad-parameter' },
    says: { lacks: [alice[1]] },
  })),
];

describeMatrix('PUT /user/{user}/validate', (entry) => {
  itHolds(entry, rows, { given: people });

  it('a disabled user has no valid password', async () => {
    const world = await entry.open();
    await prepare(world, people);
    await switchTo(world, 'alice', false);
    expect((await world.send(validate('alice', alice[1]))).status).toBe(403);
  });

  it('the secret of an access key is not the password of a user', async () => {
    const world = await entry.open();
    await prepare(world, people);
    const { id, pair } = await newKey(world, 'alice');
    expect((await world.send(validate(id, pair[1]))).status).toBe(404);
    expect((await world.send(validate('alice', pair[1]))).status).toBe(403);
  });

  it('a caller who acts for a user asks as that user', async () => {
    const world = await entry.open();
    await prepare(world, people);
    const runas = { runas: 'bob' };
    expect((await world.send({ ...validate('bob', bob[1], admin), headers: runas })).status).toBe(200);
    expect((await world.send({ ...validate('alice', alice[1], admin), headers: runas })).status).toBe(403);
  });
});

/** Knows dora, who is also a service user, and elsa, who is none. Says another name than it is asked for about fake. */
const elsewhere: Plugin = {
  name: 'people',
  version: '1.0.0',
  contract: 1,
  realms: {
    'people.Realm': {
      says: 'Knows some people by heart.',
      create: () => ({
        supports: ({ kind }: Given) => kind === 'password',
        authenticate(given: Given): RealmAnswer {
          if (given.kind !== 'password') return { answer: 'not-mine' };
          if (given.password.reveal() !== 'elsewhere') return { answer: 'refused', reason: 'wrong-password' };
          return { answer: 'account', account: { name: given.user === 'alice' ? 'dora' : given.user } };
        },
      }),
    },
  },
};

const security: SecurityInput = {
  file: 'security.ini',
  plugins: [elsewhere],
  text: [
    '[main]',
    'serviceRealm = com.service.security.auth.DefaultServiceRealm',
    'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
    'peopleRealm = people.Realm',
    'securityManager.realms = $serviceRealm, $peopleRealm',
    '[urls]',
    '/** = noSessionCreation, tokenAuth[permissive], authcBasic',
  ].join('\n'),
};

it.each([
  ['a service user whom a realm lets in by another password', 'dora', 'elsewhere', 200],
  ['the password that the service itself knows', 'dora', 'password of dora', 200],
  ['somebody whom only the realm knows', 'elsa', 'elsewhere', 200],
  ['a wrong password of somebody whom only the realm knows', 'elsa', 'wrong', 404],
  ['a password by which the realm lets somebody else in', 'alice', 'elsewhere', 403],
  ['a disabled user, whatever the realm says', 'gone', 'elsewhere', 403],
])('asks the realm of a plugin: %s', async (_what, user, password, status) => {
  const world: World = await openWorld('fetch', { security });
  await prepare(world, [...people, newUser(['dora', 'password of dora']), newUser(['gone', 'p'])]);
  await switchTo(world, 'gone', false);
  expect((await world.send(validate(user, password))).status).toBe(status);
  await sendWell(world, { as: portal, request: 'GET /API/whoami' });
});
