import { expect, it } from 'vitest';
import { alice, newGroup, newUser, people } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const put = (name: string, body?: object | string): Pick<Scenario, 'as' | 'request' | 'headers' | 'body'> => ({
  as: admin,
  request: `PUT /API/user/${name}`,
  headers: acceptJson,
  body,
});

const created: readonly Scenario[] = [
  {
    name: 'creates an empty user without a document',
    ...put('bob'),
    status: 200,
    says: { exact: '' },
    events: [['user/create', 'bob', { user: 'bob' }]],
  },
  {
    name: 'tolerates a Content-Type where there is no body',
    ...put('bob'),
    headers: { 'content-type': 'application/xml' },
    status: 200,
    events: [['user/create', 'bob']],
  },
  {
    name: 'answers with the user when asked for it',
    ...put('bob'),
    headers: { ...acceptJson, prefer: 'return=representation' },
    status: 200,
    says: { jsonPart: { userName: 'bob' } },
    events: [['user/create', 'bob']],
  },
  { name: 'refuses to create a user again', ...put('alice'), status: 409, says: { contains: ['conflict'] } },
  {
    name: 'refuses to create a user whose name is an alias',
    given: [newUser(['bob', 'p'], [], { alias: ['bobby'] })],
    ...put('bobby'),
    status: 409,
  },
  {
    name: 'keeps the name of a disabled user taken',
    given: [{ as: admin, request: 'DELETE /API/user/alice' }],
    ...put('alice'),
    status: 409,
  },
  ...['system', 'graph'].map((name) => ({
    name: `refuses the name ${name}, which means something else`,
    ...put(name),
    status: 403,
    answers: { 'portico-error': 'name-reserved' },
  })),
];

const changed: readonly Scenario[] = [
  {
    name: 'changes the real name and answers with the user',
    ...put('alice', { userName: 'alice', realName: 'Alice B' }),
    status: 200,
    says: { jsonPart: { userName: 'alice', realName: 'Alice B' } },
    events: [['user/modify', 'alice', { user: 'alice', changed: ['realName'] }]],
  },
  {
    name: 'takes the same from XML, and answers in XML',
    ...put('alice', '<UserDocument><userName>alice</userName><realName>Alice B</realName></UserDocument>'),
    headers: {},
    status: 200,
    says: { contains: ['<userName>alice</userName><realName>Alice B</realName>'] },
    events: [['user/modify', 'alice', { changed: ['realName'] }]],
  },
  {
    name: 'leaves what the document does not name, and tells of nothing where nothing changes',
    ...put('alice', { userName: 'alice', realName: 'Alice', alias: ['al'], groupList: named('crew') }),
    status: 200,
    says: {
      jsonPart: {
        realName: 'Alice',
        alias: ['al'],
        groupList: { group: [{ groupName: 'crew', role: false }] },
        metadata: { field: [{ key: 'k', value: 'v' }] },
      },
    },
    events: [],
  },
  {
    name: 'brings the user into groups and out of those that say remove',
    ...put('alice', {
      userName: 'alice',
      groupList: { group: [{ groupName: 'crew', remove: true }, { groupName: 'cast' }, { groupName: '_import' }] },
    }),
    status: 200,
    says: { jsonPart: { groupList: { group: [{ groupName: '_import' }, { groupName: 'cast' }] } } },
    events: [
      ['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }],
      ['group/modify', 'cast', { mode: 'ADD', affectedUser: 'alice' }],
      ['group/modify', '_import', { mode: 'ADD', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'adds aliases and metadata to those that are there',
    ...put('alice', {
      userName: 'alice',
      alias: ['ally'],
      metadata: { field: [{ key: 'l', value: 'w' }] },
    }),
    status: 200,
    says: {
      jsonPart: {
        alias: ['al', 'ally'],
        metadata: {
          field: [
            { key: 'k', value: 'v' },
            { key: 'l', value: 'w' },
          ],
        },
      },
    },
    events: [['user/modify', 'alice', { changed: ['alias', 'metadata'] }]],
  },
  {
    name: 'keeps the values that a key has when the value says add, and replaces them when not',
    given: [
      put('alice', {
        userName: 'alice',
        metadata: {
          field: [
            { key: 'l', value: '1' },
            { key: 'l', value: { mode: 'add', value: '2' } },
          ],
        },
      }),
    ],
    ...put('alice', {
      userName: 'alice',
      metadata: {
        field: [
          { key: 'l', value: { mode: 'add', value: '3' } },
          { key: 'k', value: 'new' },
        ],
      },
    }),
    status: 200,
    says: {
      jsonPart: {
        metadata: {
          field: [
            { key: 'k', value: 'new' },
            { key: 'l', value: '1' },
            { key: 'l', value: '2' },
            { key: 'l', value: '3' },
          ],
        },
      },
    },
    events: [['user/modify', 'alice', { changed: ['metadata'] }]],
  },
  {
    name: 'renames, and says what the name was',
    ...put('alice', { userName: 'alicia' }),
    status: 200,
    says: { jsonPart: { userName: 'alicia', alias: ['al'], groupList: named('crew') } },
    events: [['user/modify', 'alicia', { user: 'alicia', changed: ['name'], formerName: 'alice' }]],
  },
  {
    name: 'takes an alias of the user for its new name, and the old name for an alias',
    ...put('alice', { userName: 'al', alias: ['alice'] }),
    status: 200,
    says: { jsonPart: { userName: 'al', alias: ['alice'] } },
    events: [['user/modify', 'al', { changed: ['name', 'alias'] }]],
  },
  {
    name: 'takes the name of the path for no wish to rename, also when it is an alias',
    ...put('al', { userName: 'al', realName: 'Alice C' }),
    status: 200,
    says: { jsonPart: { userName: 'alice', realName: 'Alice C', alias: ['al'] } },
    events: [['user/modify', 'alice', { changed: ['realName'] }]],
  },
  {
    name: 'ignores what only the server says',
    ...put('alice', { userName: 'alice', disabled: true, id: 'VX-99', origin: 'X', accessPreserved: true }),
    status: 200,
    says: { lacks: ['disabled', 'VX-99'] },
    events: [],
  },
];

const refused: readonly Scenario[] = [
  { name: 'refuses to change a user that does not exist', ...put('ghost', { userName: 'ghost' }), status: 404 },
  { name: 'refuses a name that somebody has', ...put('alice', { userName: 'reader' }), status: 409 },
  {
    name: 'refuses a name that is an alias of somebody',
    given: [newUser(['bob', 'p'], [], { alias: ['bobby'] })],
    ...put('alice', { userName: 'bobby' }),
    status: 409,
  },
  {
    name: 'refuses an alias that somebody has',
    ...put('alice', { userName: 'alice', alias: ['reader'] }),
    status: 409,
  },
  ...['a/b', 'a:b', '', ' a', 'graph'].map((userName) => ({
    name: `refuses the new name ${JSON.stringify(userName)}`,
    ...put('alice', { userName }),
    status: userName === 'graph' ? 403 : 400,
    says: { contains: ['/UserDocument/userName'] },
  })),
  {
    name: 'refuses a group that does not exist, and changes nothing of the rest',
    ...put('alice', { userName: 'alice', realName: 'X', groupList: named('nowhere') }),
    status: 404,
    says: { contains: ['nowhere'] },
  },
  { name: 'refuses a document without a name', ...put('alice', { realName: 'X' }), status: 400 },
  {
    name: 'refuses the password type md5',
    ...put('alice?passwordType=md5', { userName: 'alice', password: 'd41d8cd98f00b204e9800998ecf8427e' }),
    status: 400,
    says: { contains: ['passwordType', 'Expected \\"raw\\"'] },
  },
  {
    name: 'refuses a password that nobody could log in with',
    ...put('alice', { userName: 'alice', password: 'a\nb' }),
    status: 400,
    says: { contains: ['/UserDocument/password'], lacks: ['a\\nb'] },
  },
  {
    name: 'refuses to rename admin, even to an administrator',
    ...put('admin', { userName: 'root' }),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
    says: { contains: ['keep its name'] },
  },
  {
    name: 'refuses to take the role from admin',
    ...put('admin', { userName: 'admin', groupList: { group: [{ groupName: '_administrator', remove: true }] } }),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
  },
  { name: 'refuses the user itself', ...put('alice', { userName: 'alice' }), as: alice, status: 403 },
];

const cast = [
  ...people.filter(({ body }) => (body as { userName: string }).userName !== 'alice'),
  newGroup('crew'),
  newGroup('cast'),
  newUser(alice, ['crew'], {
    realName: 'Alice',
    alias: ['al'],
    metadata: { field: [{ key: 'k', value: 'v' }] },
  }),
];

describeMatrix('PUT /user/{name}', (entry) => {
  itHolds(entry, [...created, ...changed, ...refused], { given: cast });

  it('lets somebody in under the new name and password at once, and no longer under the old ones', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    const status = async (as: Credentials) => (await world.send({ as, request: 'GET /API/whoami' })).status;
    expect(await status(alice)).toBe(200);
    await prepare(world, [put('alice', { userName: 'alicia', password: 'another' })]);
    expect(await Promise.all([status(alice), status(['alicia', alice[1]]), status(['alice', 'another'])])).toEqual([
      401, 401, 401,
    ]);
    const who = await world.send({ as: ['al', 'another'], request: 'GET /API/whoami' });
    expect([who.status, who.body]).toEqual([200, 'alicia']);
    await prepare(world, [put('alice')]);
    expect(await status(['alice', 'another']), 'the old name is somebody else now').toBe(401);
  });

  it('never says the password', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    const answer = await world.send(put('alice', { userName: 'alice', password: 'cAnArY', salt: 'cAnArY' }));
    const said = [answer.body, JSON.stringify(await world.events()), world.printed.join('')].join('');
    expect([answer.status, said.includes('cAnArY'), said.includes('scrypt')]).toEqual([200, false, false]);
  });
});
