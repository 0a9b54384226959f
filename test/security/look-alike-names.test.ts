import { expect, it } from 'vitest';
import type { Plugin } from '../../src/spi/index.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { whoIs } from '../support/ways.ts';

const alice: Credentials = ['alice', 'password of alice'];

/** Names that a screen shows as `alice`, or as other letters than they hold. */
const lookAlikes: readonly (readonly [string, string])[] = [
  ['a zero-width space', 'ali\u200bce'],
  ['a zero-width joiner', 'alice\u200d'],
  ['a byte order mark', '\ufeffalice'],
  ['a soft hyphen', 'al\u00adice'],
  ['a word joiner', 'a\u2060lice'],
  ['a character that turns the direction around', '\u202eecila'],
  ['an isolate that turns the direction around', '\u2067ecila\u2069'],
  ['an Arabic letter mark', 'alice\u061c'],
  ['a tag character', 'alice\u{e0041}'],
  ['a Hangul filler', 'alice\u3164'],
  ['a grapheme joiner', 'a\u034flice'],
  ['a variation selector', 'alice\ufe0f'],
  ['a line separator', 'ali\u2028ce'],
  ['a paragraph separator', 'ali\u2029ce'],
  ['a control character', 'ali\u0085ce'],
];

/** Every way by which a caller names a user or a group. */
function waysToName(name: string): readonly Sent[] {
  const encoded = encodeURIComponent(name);
  return [
    { request: 'POST /API/user', body: { userName: name, password: 'p' } },
    { request: `PUT /API/user/${encoded}` },
    { request: 'PUT /API/user/bob', body: { userName: name } },
    { request: 'POST /API/user', body: { userName: 'carol', alias: [name] } },
    { request: 'PUT /API/user/bob', body: { userName: 'bob', alias: [name] } },
    { request: `PUT /API/user/bob/alias/${encoded}` },
    { request: `PUT /API/group/${encoded}` },
    { request: `PUT /API/group/${encoded}`, body: { description: 'd' } },
  ];
}

const countNames = async ({ service }: World): Promise<number> =>
  Number((await service.store.read('SELECT (SELECT count(*) FROM login) + (SELECT count(*) FROM "group")'))[0]![0]);

describeMatrix('two names that look the same', (entry) => {
  it.each(lookAlikes)('are not made with %s', async (_what, name) => {
    const world = await entry.open();
    await prepare(world, [newUser(alice), newUser(['bob', 'p']), newGroup('alice')]);
    const [names, events] = [await countNames(world), (await world.events()).length];
    for (const sent of waysToName(name)) {
      const { status, body } = await world.send({ ...sent, as: admin, headers: { accept: 'application/json' } });
      expect([sent.request, status]).toEqual([sent.request, 400]);
      expect(body).toMatch(/(?:invisible|control) characters?/);
    }
    expect([await countNames(world), (await world.events()).length]).toEqual([names, events]);
  });

  it.each(lookAlikes)(
    'are not made by the first login of an account of another realm, with %s',
    async (_what, name) => {
      const people: Plugin = {
        name: 'people',
        version: '1.0.0',
        contract: 1,
        realms: {
          'test.People': {
            says: 'Accepts whom a test names.',
            create: () => ({
              supports: ({ kind }) => kind === 'password',
              authenticate: (credentials) =>
                credentials.kind === 'password' && credentials.password.reveal() === 'of the other realm'
                  ? { answer: 'account', account: { name, attributes: { realName: 'Alice' } } }
                  : { answer: 'not-mine' },
            }),
          },
        },
      };
      const text = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
people = test.People
info = portico.AttributeUserInfoProvider
creation = com.service.security.auth.UserCreationListener
creation.infoProvider = $info
securityManager.realms = $serviceRealm, $people
securityManager.authenticator.authenticationListeners = $creation
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`;
      const world = await entry.open({ security: { file: 'security.ini', plugins: [people], text } });
      world.expectErrors('listener-failed');
      const names = await countNames(world);
      expect(await whoIs(world, { as: ['someone', 'of the other realm'] })).toBe('401 listener-failed');
      expect(await countNames(world)).toBe(names);
    },
  );

  it('stay usable where an earlier release stored them', async () => {
    const world = await entry.open();
    const name = 'ali\u200bce';
    await prepare(world, [newUser(alice), newGroup('crew')]);
    const rename = (table: string, from: string) => ({
      sql: `UPDATE ${table} SET name = ? WHERE name = ?`,
      args: [name, from],
    });
    const changes = [rename('user', 'alice'), rename('login', 'alice'), rename('"group"', 'crew')];
    await world.service.store.commit({ changes, events: [] }, { user: 'test' });
    expect((await world.send({ as: [name, alice[1]], request: 'GET /API/whoami' })).body).toBe(name);
    const path = encodeURIComponent(name);
    await prepare(world, [
      { as: admin, request: `GET /API/user/${path}` },
      { as: admin, request: `PUT /API/user/${path}`, body: { userName: name, realName: 'Alice' } },
      { as: admin, request: `PUT /API/group/${path}`, body: { description: 'd' } },
      { as: admin, request: `PUT /API/group/${path}/user/${path}` },
      { as: admin, request: `PUT /API/user/${path}`, body: { userName: 'alice' } },
      { as: admin, request: `DELETE /API/group/${path}` },
    ]);
    expect(await whoIs(world, { as: alice })).toBe('alice');
  });
});
