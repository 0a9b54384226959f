import { alice, newGroup, newUser, people } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };
const post = 'POST /API/user?passwordType=raw';
const bob: Credentials = ['bob', 'p'];

const carol = {
  userName: 'carol',
  realName: 'Carol C',
  password: 'secret of carol',
  alias: ['caro', 'cc'],
  groupList: { group: [{ groupName: '_user_read' }, { groupName: 'editors', remove: 'true' }] },
  metadata: { field: [{ key: 'a/b', value: '1' }] },
};

const carolXml = `<?xml version="1.0" encoding="UTF-8"?>
<UserDocument xmlns="urn:somebody:else"><userName>carol</userName><realName>Carol C</realName>
<password>secret of carol</password><alias>caro</alias><alias>cc</alias>
<groupList><group><groupName>_user_read</groupName></group>
<group><groupName>editors</groupName><remove>true</remove></group></groupList>
<metadata><field><key>a/b</key><value>1</value></field></metadata></UserDocument>`;

const carolHappened = [
  ['user/create', 'carol', { user: 'carol' }],
  ['group/modify', '_user_read', { group: '_user_read', mode: 'ADD', affectedUser: 'carol' }],
] as const;

const created: readonly Scenario[] = [
  {
    name: 'creates a user from JSON with aliases, groups, metadata and a quoted boolean, and answers nothing',
    as: admin,
    request: post,
    headers: json,
    body: JSON.stringify(carol),
    status: 200,
    answers: {
      'content-length': '0',
      'content-type': 'application/json',
      location: /^http:\/\/[^/]+\/API\/user\/carol$/,
    },
    says: { exact: '' },
    events: carolHappened,
  },
  {
    name: 'creates the same user from XML in any namespace',
    as: admin,
    request: post,
    headers: xml,
    body: carolXml,
    status: 200,
    says: { exact: '' },
    events: carolHappened,
  },
  {
    name: 'returns what was made to a caller who prefers that, without the password',
    as: admin,
    request: post,
    headers: { ...json, accept: 'application/json', prefer: 'respond-async, return=representation' },
    body: JSON.stringify(carol),
    status: 200,
    says: {
      jsonPart: {
        userName: 'carol',
        realName: 'Carol C',
        origin: 'VX',
        alias: ['caro', 'cc'],
        groupList: { group: [{ groupName: '_user_read', role: true }] },
        metadata: { field: [{ key: 'a/b', value: '1' }] },
      },
      lacks: ['secret of carol', 'password', 'scrypt', 'salt'],
    },
    events: carolHappened,
  },
  {
    name: 'creates a user who has no password',
    as: admin,
    request: post,
    body: { userName: 'robot' },
    status: 200,
    events: [['user/create', 'robot']],
  },
  {
    name: 'takes a group that is named twice as one',
    as: admin,
    request: post,
    body: { userName: 'bob', groupList: { group: [{ groupName: '_import' }, { groupName: '_import' }] } },
    status: 200,
    events: [
      ['user/create', 'bob'],
      ['group/modify', '_import', { affectedUser: 'bob' }],
    ],
  },
];

const conflicts: readonly (readonly [string, object])[] = [
  ['the name of a user', { userName: 'alice' }],
  ['the alias of a user', { userName: 'al' }],
  ['an alias that is the name of a user', { userName: 'bob', alias: ['alice'] }],
  ['an alias that is the alias of a user', { userName: 'bob', alias: ['al'] }],
  ['an alias that is its own name', { userName: 'bob', alias: ['bob'] }],
];

/** Names, and what the refusal says of them. */
const badNames: readonly (readonly [string, string])[] = [
  ['', 'Expected at least one character'],
  ['a/b', 'which a path could not carry'],
  ['a\\b', 'which a path could not carry'],
  ['a%41', 'which a path could not carry'],
  ['a;b', 'which a path could not carry'],
  ['a:b', 'Expected no colon'],
  ['.', 'another name than a dot segment'],
  ['..', 'another name than a dot segment'],
  [' a', 'no blank at either end'],
  ['a\u00a0', 'no blank at either end'],
  ['a\r\nb', 'no control characters'],
  ['a\u0000', 'text without a NUL character'],
  ['a\u0085', 'no control characters'],
  ['a\u2028b', 'no control characters'],
  ['x'.repeat(256), 'at most 255 characters'],
];

const refused: readonly Scenario[] = [
  ...conflicts.map(([what, document]) => ({
    name: `refuses ${what} with 409, and creates nothing`,
    given: [newUser(alice, [], { alias: ['al'] })],
    as: admin,
    request: post,
    headers: { accept: 'application/json' },
    body: document,
    status: 409,
    says: {
      jsonPart: { conflict: { context: 'User', explanation: 'Expected a name that no user has, and no alias of one' } },
    },
  })),
  ...badNames.flatMap(([name, says]) => [
    {
      name: `refuses the name ${JSON.stringify(name.slice(0, 12))}`,
      as: admin,
      request: post,
      headers: { accept: 'application/json' },
      body: { userName: name },
      status: 400,
      says: { contains: [says, '/UserDocument/userName'] },
    },
    {
      name: `refuses the alias ${JSON.stringify(name.slice(0, 12))}`,
      as: admin,
      request: post,
      headers: { accept: 'application/json' },
      body: { userName: 'fine', alias: [name] },
      status: 400,
      says: { contains: [says, '/UserDocument/alias'] },
    },
  ]),
  {
    name: 'refuses a name that the service uses for itself',
    as: admin,
    request: post,
    body: { userName: 'system' },
    status: 403,
    answers: { 'portico-error': 'name-reserved' },
  },
  {
    name: 'refuses a group that does not exist, and creates nothing',
    as: admin,
    request: post,
    headers: { accept: 'application/json' },
    body: { userName: 'bob', groupList: { group: [{ groupName: '_import' }, { groupName: 'nowhere' }] } },
    status: 404,
    says: { jsonPart: { notFound: { type: 'Group', id: 'nowhere' } } },
  },
  {
    name: 'refuses a document without a name, saying which element is missing',
    as: admin,
    request: post,
    body: { realName: 'Nobody' },
    status: 400,
    says: { contains: ['/UserDocument/userName', 'missing element'] },
  },
  { name: 'refuses no document at all', as: admin, request: post, status: 400, says: { contains: ['UserDocument'] } },
  ...['md5', 'MD5', 'sha1'].map((type) => ({
    name: `refuses the password type ${type}, which would store what nobody knows`,
    as: admin,
    request: `POST /API/user?passwordType=${type}`,
    body: { userName: 'bob', password: 'd41d8cd98f00b204e9800998ecf8427e' },
    status: 400,
    says: { contains: ['passwordType', 'Expected "raw"'] },
  })),
  ...['*', ''].map((key) => ({
    name: `refuses the metadata key ${JSON.stringify(key)}`,
    as: admin,
    request: post,
    body: { userName: 'bob', metadata: { field: [{ key, value: '1' }] } },
    status: 400,
    says: { contains: ['/UserDocument/metadata/field/key'] },
  })),
  {
    name: 'refuses a caller who is not an administrator',
    given: [newGroup('helpers'), ...people],
    as: ['editor', 'password of editor'],
    request: post,
    body: { userName: 'bob' },
    status: 403,
    answers: { 'portico-error': 'role-missing' },
  },
  { name: 'refuses a caller without credentials', request: post, body: { userName: 'bob' }, status: 401 },
  {
    name: 'gives 409 and not two users when the name comes twice',
    given: [newUser(bob)],
    as: admin,
    request: post,
    body: { userName: 'bob' },
    status: 409,
  },
];

describeMatrix('POST /user', (entry) => {
  itHolds(entry, created, { given: [newGroup('editors')] });
  itHolds(entry, refused);
});
