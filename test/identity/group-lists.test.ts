import { expect, it } from 'vitest';
import { editor, newGroup, people, reader } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const acceptText = { accept: 'text/plain' };
const read = (request: string, headers: Record<string, string> = acceptJson) => ({ as: reader, request, headers });
const write = (request: string, body?: string) => ({ as: editor, request, body });
const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });

const groups = [newGroup('crew', { description: 'The crew' }), newGroup('cast'), newGroup('Zoo'), newGroup('a bé')];
const names = ['Zoo', 'a bé', 'cast', 'crew'];

const facts: readonly Scenario[] = [
  {
    name: 'says that a group is no role',
    ...read('GET /API/group/crew/role', {}),
    status: 200,
    says: { exact: '0' },
  },
  {
    name: 'says that a role is one',
    ...read('GET /API/group/_import/role', acceptText),
    status: 200,
    says: { exact: '1' },
  },
  {
    name: 'says the description as text',
    ...read('GET /API/group/crew/description', acceptText),
    status: 200,
    says: { exact: 'The crew' },
  },
  {
    name: 'says nothing where there is none',
    ...read('GET /API/group/cast/description'),
    headers: {},
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'changes the description',
    ...write('PUT /API/group/crew/description/', 'Another'),
    status: 200,
    says: { exact: '' },
    events: [['group/modify', 'crew', { group: 'crew' }]],
  },
  {
    name: 'tells of nothing when it is that already',
    ...write('PUT /API/group/crew/description', 'The crew'),
    status: 200,
    events: [],
  },
  {
    name: 'describes a role',
    ...write('PUT /API/group/_import/description', 'x'),
    status: 200,
    events: [['group/modify', '_import']],
  },
  ...['role', 'description', 'children', 'parents', 'users'].map((part) => ({
    name: `gives 404 for the ${part} of no group`,
    ...read(`GET /API/group/ghost/${part}`, {}),
    status: 404,
  })),
  { name: 'makes no group by describing it', ...write('PUT /API/group/ghost/description', 'x'), status: 404 },
  {
    name: 'gives the address of a group as text',
    ...read('GET /API/group/crew', acceptText),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { contains: ['/API/group/crew'] },
  },
];

const deleted: readonly Scenario[] = [
  {
    name: 'deletes a group, and tells those that it was in',
    given: [newGroup('crew', { parentGroupList: named('cast', '_import'), childGroupList: named('Zoo') })],
    ...write('DELETE /API/group/crew'),
    status: 200,
    says: { exact: '' },
    events: [
      ['group/modify', '_import', { mode: 'REMOVE', affectedGroup: 'crew' }],
      ['group/modify', 'cast', { mode: 'REMOVE', affectedGroup: 'crew' }],
      ['group/delete', 'crew', { group: 'crew' }],
    ],
  },
  {
    name: 'deletes several, and passes over names that nothing has',
    given: [newGroup('crew', { parentGroupList: named('cast') })],
    ...write('DELETE /API/group?name=crew,ghost,cast'),
    status: 200,
    says: { exact: '' },
    events: [
      ['group/delete', 'cast'],
      ['group/delete', 'crew'],
    ],
  },
  {
    name: 'deletes nothing when nothing has these names',
    ...write('DELETE /API/group?name=ghost'),
    status: 200,
    events: [],
  },
  ...['', '?name=', '?name=,'].map((query) => ({
    name: `refuses to delete no names: DELETE /group${query}`,
    ...write(`DELETE /API/group${query}`),
    status: 400,
    answers: { 'portico-error': 'bad-parameter' },
  })),
  { name: 'gives 404 for a group that is not there', ...write('DELETE /API/group/ghost'), status: 404 },
  ...['/_import', '?name=crew,_import', '/_administrator'].map((target) => ({
    name: `refuses to delete a role, and deletes nothing: DELETE /group${target}`,
    ...write(`DELETE /API/group${target}`),
    as: admin,
    status: 403,
    answers: { 'portico-error': 'role-fixed' },
  })),
];

async function list(world: World, query: string): Promise<{ hits: number; names: string[] }> {
  const answer = await world.send(read(`GET /API/group${query}`));
  const { hits, group } = JSON.parse(answer.body) as { hits: number; group: { groupName: string }[] };
  return { hits, names: group.map(({ groupName }) => groupName) };
}

describeMatrix('groups and roles', (entry) => {
  itHolds(entry, [...facts, ...deleted], { given: [...people, ...groups] });

  it('are listed by name, page by page, apart or together, and counted', async () => {
    const world = await entry.open();
    await prepare(world, [...people, ...groups]);
    const roles = await list(world, '?role=true');
    expect(roles.names).toContain('_administrator');
    expect(roles.names.every((name) => name.startsWith('_'))).toBe(true);
    expect(roles.hits).toBe(roles.names.length);
    expect(await list(world, '?role=false')).toEqual({ hits: 4, names });
    expect(await list(world, '/?role=false&first=2&number=2')).toEqual({ hits: 4, names: ['a bé', 'cast'] });
    expect(await list(world, ';role=false;first=9')).toEqual({ hits: 4, names: [] });
    const all = await list(world, '');
    expect([all.hits, all.names.length]).toEqual([4 + roles.hits, 4 + roles.hits]);
    expect(all.names.filter((name) => !name.startsWith('_'))).toEqual(names);
    for (const query of ['?role=maybe', '?first=-1', '?number=-1']) {
      expect((await world.send(read(`GET /API/group${query}`))).status).toBe(400);
    }
  });

  it('are counted right while they come and go', async () => {
    const world = await entry.open();
    await prepare(world, [...people, ...groups]);
    await world.send(write('PUT /API/group/crew'));
    await prepare(world, [write('DELETE /API/group?name=crew,cast'), newGroup('fresh')]);
    await prepare(world, [{ as: admin, request: 'POST /APIinit' }]);
    expect(await list(world, '?role=false')).toEqual({ hits: 3, names: ['Zoo', 'a bé', 'fresh'] });
  });

  it('show their own facts in a list, and not their relations', async () => {
    const world = await entry.open();
    await prepare(world, [...people, ...groups, { as: admin, request: 'PUT /API/group/crew/metadata/k', body: 'v' }]);
    await prepare(world, [write('PUT /API/group/crew/user/alice')]);
    const answer = await world.send(read('GET /API/group?role=false&first=4'));
    expect(JSON.parse(answer.body).group).toEqual([
      {
        groupName: 'crew',
        id: expect.stringMatching(/^VX-\d+$/),
        origin: 'VX',
        description: 'The crew',
        role: false,
        metadata: { field: [{ key: 'k', value: 'v' }] },
      },
    ]);
  });

  it('leave nothing behind, and their names can be used again', async () => {
    const world = await entry.open();
    await prepare(world, [...people, ...groups]);
    await prepare(world, [
      newGroup('crew', {
        parentGroupList: named('cast'),
        childGroupList: named('Zoo'),
        userList: { user: [{ userName: 'alice' }] },
        metadata: { field: [{ key: 'k', value: 'v' }] },
      }),
      write('DELETE /API/group/crew'),
      newGroup('crew'),
    ]);
    const again = await world.send({ as: admin, request: 'GET /API/group/crew', headers: acceptJson });
    expect(Object.keys(JSON.parse(again.body)).sort()).toEqual(['groupName', 'id', 'origin', 'role']);
    const left = await world.service.store.read(
      `SELECT entity_id FROM key_value WHERE entity_type = 'group' UNION SELECT group_id FROM group_user
        UNION SELECT parent_id FROM group_group UNION SELECT child_id FROM group_group
        EXCEPT SELECT id FROM "group"`,
    );
    expect(left).toEqual([]);
  });

  it('are deleted once when two ask at the same time', async () => {
    const world = await entry.open();
    await prepare(world, [...people, ...groups]);
    const before = (await world.events()).length;
    const asked = ['/crew', '?name=crew,cast', '/crew'].map((target) =>
      world.send(write(`DELETE /API/group${target}`)),
    );
    for (const { status } of await Promise.all(asked)) expect([200, 404]).toContain(status);
    const told = (await world.events()).slice(before).map(({ name, entity }) => `${name} ${entity}`);
    expect(told.sort()).toEqual(['group/delete cast', 'group/delete crew']);
    expect((await list(world, '?role=false')).hits).toBe(2);
  });
});
