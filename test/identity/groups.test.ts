import { expect, it } from 'vitest';
import { editor, newGroup, newUser, people, reader } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const without = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName, remove: true })) });
const users = (...names: string[]) => ({ user: names.map((userName) => ({ userName })) });
const put = (name: string, body?: object | string): Pick<Scenario, 'as' | 'request' | 'body'> => ({
  as: editor,
  request: `PUT /API/group/${name}`,
  body,
});

const created: readonly Scenario[] = [
  {
    name: 'creates a group without a document',
    ...put('crew'),
    status: 200,
    answers: { 'content-length': '0' },
    says: { exact: '' },
    events: [['group/create', 'crew', { group: 'crew' }]],
  },
  ...['crew', 'crew?clear=true', '_import'].map((target) => ({
    name: `clients.md 6 leaves a group as it is that is put again without a document: ${target}`,
    given: [newGroup('crew'), { ...put('crew', { description: 'The crew', userList: users('alice') }), as: admin }],
    ...put(target),
    status: 200,
    says: { exact: '' },
    events: [],
  })),
  {
    name: 'tolerates a Content-Type where there is no body',
    ...put('crew'),
    headers: { 'content-type': 'application/xml' },
    status: 200,
    events: [['group/create', 'crew']],
  },
  {
    name: 'creates a group with parents, children, users, and says each membership',
    given: [newGroup('above'), newGroup('below')],
    ...put('crew', {
      description: 'The crew',
      role: 'false',
      parentGroupList: named('above'),
      childGroupList: named('below'),
      userList: users('alice', 'reader'),
      metadata: { field: [{ key: 'k', value: 'v' }] },
    }),
    status: 200,
    events: [
      ['group/create', 'crew', { group: 'crew' }],
      ['group/modify', 'above', { group: 'above', mode: 'ADD', affectedGroup: 'crew' }],
      ['group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedGroup: 'below' }],
      ['group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedUser: 'alice' }],
      ['group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedUser: 'reader' }],
    ],
  },
  {
    name: 'takes the same from XML',
    ...put(
      'crew',
      '<g:GroupDocument xmlns:g="x"><userList><user><userName>alice</userName></user></userList></g:GroupDocument>',
    ),
    status: 200,
    events: [
      ['group/create', 'crew'],
      ['group/modify', 'crew', { mode: 'ADD', affectedUser: 'alice' }],
    ],
  },
];

const full = newGroup('crew', {
  description: 'The crew',
  parentGroupList: named('above'),
  userList: users('alice', 'reader'),
  metadata: { field: [{ key: 'k', value: 'v' }] },
});

const changed: readonly Scenario[] = [
  {
    name: 'adds what is listed and keeps the rest',
    ...put('crew', { userList: users('alice', 'editor') }),
    status: 200,
    events: [['group/modify', 'crew', { mode: 'ADD', affectedUser: 'editor' }]],
  },
  {
    name: 'takes out what says remove, quoted or not',
    ...put('crew', {
      parentGroupList: { group: [{ groupName: 'above', remove: 'true' }] },
      userList: { user: [{ userName: 'alice', remove: true }] },
    }),
    status: 200,
    events: [
      ['group/modify', 'above', { mode: 'REMOVE', affectedGroup: 'crew' }],
      ['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'says nothing of a membership that was not there to be removed',
    ...put('crew', { userList: { user: [{ userName: 'editor', remove: true }] } }),
    status: 200,
    events: [],
  },
  {
    name: 'drops what is not listed when it is told to clear',
    ...put('crew?clear=true', { userList: users('reader', 'editor') }),
    status: 200,
    events: [
      ['group/modify', 'above', { mode: 'REMOVE', affectedGroup: 'crew' }],
      ['group/modify', 'crew', { mode: 'ADD', affectedUser: 'editor' }],
      ['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'changes a description',
    ...put('crew', { description: 'Another' }),
    status: 200,
    events: [['group/modify', 'crew', { group: 'crew' }]],
  },
  ...['maybe', '2', '__proto__', 'constructor'].map((word) => ({
    name: `refuses clear=${word}, and clears nothing`,
    ...put(`crew?clear=${word}`, {}),
    status: 400,
    answers: { 'portico-error': 'bad-parameter' },
  })),
];

const refused: readonly Scenario[] = [
  { name: 'refuses a user that does not exist', ...put('crew', { userList: users('ghost') }), status: 404 },
  { name: 'refuses a parent that does not exist', ...put('crew', { parentGroupList: named('ghost') }), status: 404 },
  { name: 'refuses a child that does not exist', ...put('crew', { childGroupList: named('ghost') }), status: 404 },
  { name: 'refuses a group inside itself', ...put('crew', { childGroupList: named('crew') }), status: 409 },
  {
    name: 'refuses a circle through two groups',
    given: [newGroup('above'), newGroup('crew', { parentGroupList: named('above') })],
    ...put('above', { parentGroupList: named('crew') }),
    status: 409,
    answers: { 'portico-error': 'group-cycle' },
  },
  {
    name: 'refuses a long circle',
    given: [
      newGroup('a'),
      newGroup('b', { parentGroupList: named('a') }),
      newGroup('c', { parentGroupList: named('b') }),
    ],
    ...put('c', { childGroupList: named('a') }),
    status: 409,
  },
  { name: 'refuses to make a role', ...put('_new'), status: 403, answers: { 'portico-error': 'role-fixed' } },
  { name: 'refuses to make a group a role', given: [newGroup('crew')], ...put('crew', { role: true }), status: 403 },
  { name: 'refuses to make a role a group', ...put('_import', { role: false }), status: 403 },
  {
    name: 'refuses a role inside a group',
    given: [newGroup('crew')],
    ...put('crew', { childGroupList: named('_import') }),
    status: 400,
  },
  { name: 'refuses a name that no path could carry', ...put('a:b%20'), status: 400 },
  { name: 'refuses a caller without _group_write', ...put('crew'), as: reader, status: 403 },
];

const nested = [
  newGroup('top', { parentGroupList: named('_user_read') }),
  newGroup('middle', { parentGroupList: named('top') }),
  newGroup('bottom', { parentGroupList: named('middle') }),
  newUser(['deep', 'p']),
];

const readUsers = { as: ['deep', 'p'], request: 'GET /API/user' } as const;

describeMatrix('groups', (entry) => {
  itHolds(entry, created, { given: people });
  itHolds(entry, changed, { given: [...people, newGroup('above'), full] });
  itHolds(entry, refused, { given: people });

  it('clients.md 6 keeps members, metadata and description of a group that is put again without a document', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('above'), full]);
    const read = async () => (await world.send({ as: reader, request: 'GET /API/group/crew' })).body;
    const before = await read();
    await prepare(world, [put('crew'), put('crew?clear=true')]);
    expect(await read()).toBe(before);
  });

  it('shows a group with its relations and its metadata', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('above'), full, newGroup('below', { parentGroupList: named('crew') })]);
    const answer = await world.send({ as: reader, request: 'GET /API/group/crew', headers: acceptJson });
    expect(JSON.parse(answer.body)).toEqual({
      groupName: 'crew',
      id: expect.stringMatching(/^VX-\d+$/),
      origin: 'VX',
      description: 'The crew',
      role: false,
      metadata: { field: [{ key: 'k', value: 'v' }] },
      parentGroupList: { group: [{ groupName: 'above', role: false }] },
      childGroupList: { group: [{ groupName: 'below', role: false }] },
      userList: { user: [{ userName: 'alice' }, { userName: 'reader' }] },
    });
    expect((await world.send({ as: reader, request: 'GET /API/group/nowhere' })).status).toBe(404);
    expect((await world.send({ as: editor, request: 'GET /API/group/crew' })).status).toBe(403);
  });

  it('leaves nothing of a group that is cleared', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('above'), full, { ...put('crew?clear=1', {}), as: admin }]);
    const answer = await world.send({ as: reader, request: 'GET /API/group/crew', headers: acceptJson });
    expect(Object.keys(JSON.parse(answer.body)).sort()).toEqual(['groupName', 'id', 'origin', 'role']);
  });

  it('gives the roles that groups of groups lead to, and takes them away where the chain breaks', async () => {
    const world = await entry.open();
    await prepare(world, nested);
    const status = async () => (await world.send(readUsers)).status;
    expect(await status()).toBe(403);
    await prepare(world, [newGroup('bottom', { userList: users('deep') })]);
    expect(await status()).toBe(200);
    await prepare(world, [newGroup('middle', { parentGroupList: without('top') })]);
    expect(await status()).toBe(403);
    await prepare(world, [newGroup('middle', { parentGroupList: named('_user_read') })]);
    expect(await status()).toBe(200);
    await prepare(world, [newGroup('bottom?clear=true', {})]);
    expect(await status(), 'another group was cleared').toBe(200);
    await prepare(world, [{ ...put('bottom?clear=true', {}), as: admin }]);
    expect(await status()).toBe(403);
  });

  it('lets two callers who make the same group at the same time both end well', async () => {
    const world = await entry.open();
    await prepare(world, people);
    const add = (name: string) => world.send({ as: admin, ...put('crew', { userList: users(name) }) });
    const answers = await Promise.all(['alice', 'reader', 'editor'].map(add));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const crew = await world.send({ as: admin, request: 'GET /API/group/crew', headers: acceptJson });
    expect(JSON.parse(crew.body).userList.user).toHaveLength(3);
    const made = (await world.events()).filter(({ name }) => name === 'group/create');
    expect(made).toHaveLength(1);
  });
});
