import { expect, it } from 'vitest';
import { alice, editor, newGroup, newUser, people } from '../support/cast.ts';
import { faultyDatabase } from '../support/databases.ts';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const by = (request: string, body?: Scenario['body']): Pick<Scenario, 'as' | 'request' | 'body'> => ({
  as: editor,
  request,
  body,
});

const users: readonly Scenario[] = [
  {
    name: 'puts a user into a group',
    ...by('PUT /API/group/crew/user/alice'),
    status: 200,
    says: { exact: '' },
    events: [['group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedUser: 'alice' }]],
  },
  {
    name: 'tells of nothing when the user is in it',
    given: [by('PUT /API/group/crew/user/alice')],
    ...by('PUT /API/group/crew/user/alice'),
    status: 200,
    events: [],
  },
  {
    name: 'takes a user out of a group',
    given: [by('PUT /API/group/crew/user/alice')],
    ...by('DELETE /API/group/crew/user/alice'),
    status: 200,
    says: { exact: '' },
    events: [['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }]],
  },
  {
    name: 'tells of nothing when the user is not in it',
    ...by('DELETE /API/group/crew/user/alice'),
    status: 200,
    events: [],
  },
  {
    name: 'grants a role',
    ...by('PUT /API/group/_import/user/alice'),
    status: 200,
    events: [['group/modify', '_import', { mode: 'ADD', affectedUser: 'alice' }]],
  },
  {
    name: 'finds a user by an alias, and tells the name',
    given: [{ as: admin, request: 'PUT /API/user/alice/alias/al' }],
    ...by('PUT /API/group/crew/user/al'),
    status: 200,
    events: [['group/modify', 'crew', { affectedUser: 'alice' }]],
  },
  ...['PUT', 'DELETE'].flatMap((method) => [
    { name: `gives 404 for no group: ${method}`, ...by(`${method} /API/group/ghost/user/alice`), status: 404 },
    { name: `gives 404 for no user: ${method}`, ...by(`${method} /API/group/crew/user/ghost`), status: 404 },
    { name: `gives 404 for no parent: ${method}`, ...by(`${method} /API/group/ghost/group/crew`), status: 404 },
    { name: `gives 404 for no child: ${method}`, ...by(`${method} /API/group/crew/group/ghost`), status: 404 },
  ]),
];

const roles = 'PUT /API/group/crew/roles';
const entries = (add: readonly string[], remove: readonly string[] = []) => ({
  group: [...named(...add).group, ...remove.map((groupName) => ({ groupName, remove: true }))],
});
const had = by(roles, entries(['_import', '_export']));

/** Roles of a group in one request: all or none. */
const changesOfRoles: readonly Scenario[] = [
  {
    name: 'gives roles to a group and takes others away in one request',
    given: [had],
    ...by(roles, entries(['_item_read'], ['_import', '_export'])),
    status: 200,
    events: [
      ['group/modify', '_item_read', { mode: 'ADD', affectedGroup: 'crew' }],
      ['group/modify', '_import', { mode: 'REMOVE', affectedGroup: 'crew' }],
      ['group/modify', '_export', { mode: 'REMOVE', affectedGroup: 'crew' }],
    ],
  },
  ...[
    ['a role that the group has by now', entries(['_item_read', '_import']), 409],
    ['a role that the group lacks by now', entries(['_item_read'], ['_item_write']), 409],
    ['a role that is not there', entries(['_item_read', '_ghost']), 404],
    ['a group that is no role', entries(['_item_read', 'cast']), 400],
  ].map(
    ([what, body, status]): Scenario => ({
      name: `changes nothing for ${what}`,
      given: [had],
      ...by(roles, body as Scenario['body']),
      status: status as number,
      events: [],
    }),
  ),
  { name: 'gives 404 for no group', ...by('PUT /API/group/ghost/roles', entries(['_item_read'])), status: 404 },
  {
    name: 'leaves administrators to administrators',
    ...by(roles, entries(['_item_read', '_administrator'])),
    status: 403,
    events: [],
  },
];

const groups: readonly Scenario[] = [
  {
    name: 'puts a group into a group',
    ...by('PUT /API/group/crew/group/cast'),
    status: 200,
    says: { exact: '' },
    events: [['group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedGroup: 'cast' }]],
  },
  {
    name: 'tells of nothing when it is in it',
    given: [by('PUT /API/group/crew/group/cast')],
    ...by('PUT /API/group/crew/group/cast'),
    status: 200,
    events: [],
  },
  {
    name: 'takes a group out of a group',
    given: [by('PUT /API/group/crew/group/cast')],
    ...by('DELETE /API/group/crew/group/cast'),
    status: 200,
    events: [['group/modify', 'crew', { mode: 'REMOVE', affectedGroup: 'cast' }]],
  },
  {
    name: 'tells of nothing when it is not in it',
    ...by('DELETE /API/group/crew/group/cast'),
    status: 200,
    events: [],
  },
  {
    name: 'grants a role to a group',
    ...by('PUT /API/group/_import/group/crew'),
    status: 200,
    events: [['group/modify', '_import', { mode: 'ADD', affectedGroup: 'crew' }]],
  },
  {
    name: 'refuses a circle',
    given: [by('PUT /API/group/crew/group/cast')],
    ...by('PUT /API/group/cast/group/crew'),
    status: 409,
    answers: { 'portico-error': 'group-cycle' },
  },
  { name: 'refuses a group in itself', ...by('PUT /API/group/crew/group/crew'), status: 409 },
  { name: 'refuses a role in a group', ...by('PUT /API/group/crew/group/_import'), status: 400 },
];

const put = '/API/user/alice/groups';

const ofUser: readonly Scenario[] = [
  {
    name: 'adds a user to several groups and keeps the others',
    given: [by('PUT /API/group/crew/user/alice')],
    ...by(`PUT ${put}/`, named('crew', 'cast', '_import', 'cast')),
    status: 200,
    says: { exact: '' },
    events: [
      ['group/modify', 'cast', { mode: 'ADD', affectedUser: 'alice' }],
      ['group/modify', '_import', { mode: 'ADD', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'takes it out of those that say remove',
    given: [by('PUT /API/group/crew/user/alice')],
    ...by(`PUT ${put}`, { group: [{ groupName: 'crew', remove: 'true' }, { groupName: 'cast' }] }),
    status: 200,
    events: [
      ['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }],
      ['group/modify', 'cast', { mode: 'ADD', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'moves: out of all that is not listed, roles included',
    given: [by('PUT /API/group/crew/user/alice'), by('PUT /API/group/_import/user/alice')],
    ...by(`PUT ${put}?move=true`, named('cast')),
    status: 200,
    events: [
      ['group/modify', '_import', { mode: 'REMOVE', affectedUser: 'alice' }],
      ['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }],
      ['group/modify', 'cast', { mode: 'ADD', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'tells of nothing when all is as it was',
    given: [by('PUT /API/group/crew/user/alice')],
    ...by(`PUT ${put}?move=true`, named('crew')),
    status: 200,
    events: [],
  },
  {
    name: 'takes XML',
    ...by(`PUT ${put}`, '<GroupListDocument><group><groupName>crew</groupName></group></GroupListDocument>'),
    status: 200,
    events: [['group/modify', 'crew']],
  },
  {
    name: 'refuses a group that does not exist, and adds none',
    ...by(`PUT ${put}`, named('crew', 'ghost')),
    status: 404,
  },
  { name: 'gives 404 for nobody', ...by('PUT /API/user/ghost/groups', named('crew')), status: 404 },
  { name: 'refuses no document', ...by(`PUT ${put}`), status: 400 },
  { name: 'refuses move=maybe', ...by(`PUT ${put}?move=maybe`, named('crew')), status: 400 },
];

/** `chiefs` leads to `_administrator`, `deputies` further down; `agents` to `_runas`. */
const chiefs = [
  newGroup('chiefs', { parentGroupList: named('_administrator') }),
  newGroup('deputies', { parentGroupList: named('chiefs') }),
  newGroup('agents', { parentGroupList: named('_runas') }),
  newGroup('own'),
  newUser(['boss', 'p'], ['chiefs', '_administrator', 'own']),
];

const overreaching: readonly (readonly [string, string, Scenario['body']?])[] = [
  ['making itself an administrator', 'PUT /API/group/_administrator/user/editor'],
  ['joining a group of administrators', 'PUT /API/group/chiefs/user/editor'],
  ['joining one further down', 'PUT /API/group/deputies/user/editor'],
  ['joining who may act for others', 'PUT /API/group/agents/user/editor'],
  ['the role of acting for others', 'PUT /API/group/_runas/user/editor'],
  ['making its group one of administrators', 'PUT /API/group/_administrator/group/own'],
  ['making its group one below them', 'PUT /API/group/deputies/group/own'],
  ['taking an administrator out', 'DELETE /API/group/_administrator/user/boss'],
  ['taking one out of a group of them', 'DELETE /API/group/chiefs/user/boss'],
  ['taking the role from a group', 'DELETE /API/group/_administrator/group/chiefs'],
  ['taking a group from below', 'DELETE /API/group/chiefs/group/deputies'],
  ['adding itself from its own side', 'PUT /API/user/editor/groups', named('own', '_administrator')],
  ['adding itself to a group of administrators so', 'PUT /API/user/editor/groups', named('deputies')],
  ['moving itself among them', 'PUT /API/user/editor/groups?move=true', named('_group_write', 'chiefs')],
  ['moving an administrator away', 'PUT /API/user/boss/groups?move=true', named('own')],
  ['removing an administrator so', 'PUT /API/user/boss/groups', { group: [{ groupName: 'chiefs', remove: true }] }],
  ['deleting a group of administrators', 'DELETE /API/group/chiefs'],
  ['deleting one further down', 'DELETE /API/group/deputies'],
  ['deleting it among others', 'DELETE /API/group?name=own,deputies'],
];

const refused: readonly Scenario[] = overreaching.map(([what, request, body]) => ({
  name: `refuses ${what} to a caller who is not an administrator`,
  ...by(request, body),
  status: 403,
  answers: { 'portico-error': 'not-allowed' },
}));

const allowed: readonly Scenario[] = [
  {
    name: 'lets an administrator decide who is one, from either side',
    ...by('PUT /API/user/alice/groups', named('_administrator', 'deputies')),
    as: admin,
    status: 200,
    events: [
      ['group/modify', '_administrator', { mode: 'ADD', affectedUser: 'alice' }],
      ['group/modify', 'deputies', { mode: 'ADD', affectedUser: 'alice' }],
    ],
  },
  {
    name: 'lets an administrator delete a group of them',
    ...by('DELETE /API/group/deputies'),
    as: admin,
    status: 200,
    events: [
      ['group/modify', 'chiefs', { mode: 'REMOVE', affectedGroup: 'deputies' }],
      ['group/delete', 'deputies', { group: 'deputies' }],
    ],
  },
  {
    name: 'lets a caller with _group_write move somebody who is no administrator',
    ...by('PUT /API/user/alice/groups?move=true', named('own')),
    status: 200,
    events: [['group/modify', 'own', { mode: 'ADD', affectedUser: 'alice' }]],
  },
];

const kept: readonly Scenario[] = [
  ['DELETE /API/group/_administrator/user/admin'],
  ['PUT /API/user/admin/groups?move=true', named('own')],
  ['PUT /API/user/admin/groups', { group: [{ groupName: '_administrator', remove: true }] }],
].map(([request, body]) => ({
  name: `refuses to take the role from admin, even to admin: ${request}`,
  ...by(request as string, body as object),
  as: admin,
  status: 403,
  answers: { 'portico-error': 'not-allowed' },
}));

async function groupsOf(world: World, user: string): Promise<string> {
  const answer = await world.send({ as: admin, request: `GET /API/user/${user}`, headers: acceptJson });
  const { groupList } = JSON.parse(answer.body) as { groupList?: { group: { groupName: string }[] } };
  return (groupList?.group ?? []).map(({ groupName }) => groupName).join(' ');
}

describeMatrix('memberships', (entry) => {
  itHolds(entry, [...users, ...changesOfRoles, ...groups, ...ofUser], {
    given: [...people, newGroup('crew'), newGroup('cast')],
  });
  itHolds(entry, [...refused, ...allowed, ...kept], { given: [...people, ...chiefs] });

  it('give and take roles at once, from whichever side they change', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('crew'), newGroup('cast')]);
    const status = async () => (await world.send({ as: alice, request: 'GET /API/user' })).status;
    const steps: readonly (readonly [Sent, number])[] = [
      [by('PUT /API/group/_user_read/group/crew'), 403],
      [by('PUT /API/group/crew/user/alice'), 200],
      [by('DELETE /API/group/crew/user/alice'), 403],
      [by(put.replace('/API', 'PUT /API'), named('cast')), 403],
      [by('PUT /API/group/crew/group/cast'), 200],
      [by('DELETE /API/group/_user_read/group/crew'), 403],
      [by('PUT /API/group/_user_read/group/cast'), 200],
      [by('DELETE /API/group/cast'), 403],
      [by('PUT /API/group/_user_read/user/alice'), 200],
      [by('PUT /API/user/alice/groups?move=true', {}), 403],
    ];
    for (const [sent, expected] of steps) {
      await prepare(world, [sent]);
      expect([sent.request, await status()]).toEqual([sent.request, expected]);
    }
  });

  it('end as all callers wish who change different ones at the same time, from both sides', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('crew'), newGroup('cast'), newGroup('own')]);
    const before = (await world.events()).length;
    const answers = await Promise.all(
      [
        by('PUT /API/group/crew/user/alice'),
        by('PUT /API/user/alice/groups', named('cast', 'crew')),
        by('PUT /API/group/own/user/alice'),
        by('PUT /API/group/crew', { userList: { user: [{ userName: 'alice' }] } }),
      ].map((sent) => world.send(sent)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await groupsOf(world, 'alice')).toBe('cast crew own');
    const told = (await world.events()).slice(before).map(({ entity }) => entity);
    expect(told.sort()).toEqual(['cast', 'crew', 'own']);
  });

  it('of many in one group, and of one in many, come about all at once', async () => {
    const world = await entry.open();
    const many = Array.from({ length: 24 }, (_, index) => `m${index}`);
    await prepare(world, [...people, newGroup('crew'), ...many.map((name) => newUser([name, 'p']))]);
    await prepare(
      world,
      many.map((name) => newGroup(name)),
    );
    const put = (path: string) => world.send(by(`PUT /API/group/${path}`));
    const answers = await Promise.all(many.flatMap((name) => [put(`crew/user/${name}`), put(`${name}/user/alice`)]));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const crew = await world.send({ as: admin, request: 'GET /API/group/crew/users', headers: acceptJson });
    expect(JSON.parse(crew.body).hits).toBe(many.length);
    expect((await groupsOf(world, 'alice')).split(' ').sort()).toEqual([...many].sort());
  });

  it('of groups are told once when both ends are asked at the same time', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('crew'), newGroup('cast')]);
    const before = (await world.events()).length;
    const answers = await Promise.all(
      [
        by('PUT /API/group/crew/group/cast'),
        by('PUT /API/group/cast', { parentGroupList: named('crew') }),
        by('PUT /API/group/crew', { childGroupList: named('cast') }),
      ].map((sent) => world.send(sent)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await world.events()).slice(before)).toHaveLength(1);
  });

  it('close no circle when two halves of one come at the same time', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newGroup('crew'), newGroup('cast')]);
    const answers = await Promise.all(
      [by('PUT /API/group/crew/group/cast'), by('PUT /API/group/cast/group/crew')].map((sent) => world.send(sent)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  /** The graph, or the group, changes after a request has read it and before it commits. */
  it.each([
    ['the group comes below the role', newGroup('own', { parentGroupList: named('_administrator') }), 403],
    ['the group is deleted', { as: admin, request: 'DELETE /API/group/own' }, 404],
    ['the user is deleted', { as: admin, request: 'DELETE /API/user/alice?hard=true' }, 404],
    ['the user is renamed', { as: admin, request: 'PUT /API/user/alice', body: { userName: 'alicia' } }, 404],
  ])('are decided again when %s meanwhile', async (_what, meanwhile, expected) => {
    for (const request of ['PUT /API/user/alice/groups', 'PUT /API/group/own/user/alice']) {
      const database = faultyDatabase(await migratedDatabase());
      const world = await entry.open({ database });
      await prepare(world, [...people, newGroup('own')]);
      database.beforeNextWrite(() => prepare(world, [meanwhile]));
      const answer = await world.send(by(request, named('own')));
      expect([request, answer.status]).toEqual([request, expected]);
    }
  });

  it('are not left twice when a group goes meanwhile', async () => {
    const database = faultyDatabase(await migratedDatabase());
    const world = await entry.open({ database });
    await prepare(world, [...people, newGroup('crew'), newGroup('cast')]);
    await prepare(world, [by('PUT /API/user/alice/groups', named('crew', 'cast'))]);
    const before = (await world.events()).length;
    database.beforeNextWrite(() => prepare(world, [{ as: admin, request: 'DELETE /API/group/crew' }]));
    expect((await world.send(by('PUT /API/user/alice/groups?move=true', {}))).status).toBe(200);
    const told = (await world.events()).slice(before).map(({ name, entity }) => `${name} ${entity}`);
    expect(told).toEqual(['group/delete crew', 'group/modify cast']);
  });
});
