import { describe, expect, it } from 'vitest';
import { groupHierarchy } from '../../src/identity/memberships/relation-routes.ts';
import { newGroup, newUser, reader } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const acceptText = { accept: 'text/plain' };
const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const members = (...names: string[]) => ({ user: names.map((userName) => ({ userName })) });

/**
 * all: staff (in _user_read) holds press and desk, both hold night; ann is in night and other, bob in press, cy in staff.
 * dee is disabled.
 */
const cast = [
  newUser(reader, ['_user_read', '_group_read']),
  ...['ann', 'bob', 'cy', 'dee'].map((name) => newUser([name, 'p'], [], { realName: `Real ${name}` })),
  newGroup('staff', { parentGroupList: named('_user_read', '_import') }),
  newGroup('press', { parentGroupList: named('staff'), userList: members('bob') }),
  newGroup('desk', { parentGroupList: named('staff') }),
  newGroup('night', { parentGroupList: named('press', 'desk'), userList: members('ann', 'dee') }),
  newGroup('other', { userList: members('ann') }),
  newGroup('staff', { userList: members('cy') }),
  { as: admin, request: 'PUT /API/user/ann/groups', body: named('_export') },
  { as: admin, request: 'DELETE /API/user/dee' },
];

const read = (
  path: string,
  headers: Record<string, string> = acceptJson,
): Pick<Scenario, 'as' | 'request' | 'headers'> => ({
  as: reader,
  request: `GET /API${path}`,
  headers,
});

/** Path, hits, names on the page. */
const lists: readonly (readonly [path: string, hits: number, names: string])[] = [
  ['/user/ann/groups', 2, 'night other'],
  ['/user/ann/groups/?allgroups=true', 5, 'desk night other press staff'],
  ['/user/ann/groups?traverse=true', 2, 'night other'],
  ['/user/ann/roles', 3, '_export _import _user_read'],
  ['/user/ann/allgroups', 8, '_export _import _user_read desk night other press staff'],
  ['/user/ann/allgroups?first=2&number=3', 8, '_import _user_read desk'],
  ['/user/bob/roles', 2, '_import _user_read'],
  ['/user/admin/groups', 0, ''],
  ['/user/admin/roles', 1, '_administrator'],
  ['/group/night/parents', 2, 'desk press'],
  ['/group/night/parents/?traverse=true', 5, '_import _user_read desk press staff'],
  ['/group/staff/children', 2, 'desk press'],
  ['/group/staff/children?traverse=1', 3, 'desk night press'],
  ['/group/_user_read/children?traverse=true&number=2', 4, 'desk night'],
  ['/group/night/children', 0, ''],
  ['/group/other/parents', 0, ''],
  ['/group/staff/users', 1, 'cy'],
  ['/group/staff/users?traverse=true', 4, 'ann bob cy dee'],
  ['/group/staff/users;traverse=true?first=2&number=2', 4, 'bob cy'],
  ['/group/staff/users?traverse=true&first=9', 4, ''],
  ['/group/_import/users?traverse=true', 4, 'ann bob cy dee'],
  ['/group/_import/users', 0, ''],
];

const texts: readonly Scenario[] = [
  {
    name: 'lists users with their real names as text',
    ...read('/group/night/users', acceptText),
    status: 200,
    says: { exact: 'ann\tReal ann\r\ndee\tReal dee\r\n' },
  },
  {
    name: 'lists parents as text',
    ...read('/group/night/parents/', acceptText),
    status: 200,
    says: { exact: 'desk\r\npress\r\n' },
  },
  {
    name: 'lists children as text',
    ...read('/group/press/children', acceptText),
    status: 200,
    says: { exact: 'night\r\n' },
  },
  {
    name: 'shows who is disabled among the members',
    ...read('/group/night/users'),
    status: 200,
    says: { jsonPart: { user: [{ userName: 'ann' }, { userName: 'dee', disabled: true }] } },
  },
  {
    name: 'lists in XML',
    ...read('/user/ann/groups', {}),
    status: 200,
    says: {
      contains: ['<GroupListDocument', '<hits>2</hits><group><groupName>night</groupName><role>false</role></group>'],
    },
  },
  {
    name: 'shows the hierarchy: each group with what it is in, and what was shown once by its name',
    ...read('/user/ann/groups?allgroups=true&traverse=true'),
    status: 200,
    says: {
      json: {
        hits: 5,
        group: [
          {
            groupName: 'night',
            role: false,
            parentGroupList: {
              group: [
                { groupName: 'desk', role: false, parentGroupList: { group: [{ groupName: 'staff', role: false }] } },
                { groupName: 'press', role: false, parentGroupList: { group: [{ groupName: 'staff', role: false }] } },
              ],
            },
          },
          { groupName: 'other', role: false },
        ],
      },
    },
  },
  ...[
    ['ann/belongstogroup/night', 'true'],
    ['ann/belongstogroup/staff', 'true'],
    ['ann/belongstogroup/_user_read', 'true'],
    ['bob/belongstogroup/night', 'false'],
    ['bob/belongstogroup/ghost', 'false'],
  ].map(([path, says]) => ({
    name: `answers ${path}`,
    ...read(`/user/${path}`, acceptText),
    status: 200,
    says: { exact: says! },
  })),
  ...['/user/ghost/groups', '/user/ghost/roles', '/user/ghost/allgroups', '/user/ghost/belongstogroup/staff'].map(
    (path) => ({ name: `gives 404 for ${path}`, ...read(path, {}), status: 404 }),
  ),
  ...['/user/ann/groups?allgroups=maybe', '/group/staff/users?traverse=maybe', '/group/staff/children?first=-1'].map(
    (path) => ({
      name: `refuses ${path}`,
      ...read(path),
      status: 400,
    }),
  ),
];

async function list(world: World, path: string): Promise<{ hits: number; names: string }> {
  const answer = await world.send(read(path));
  const { hits, group, user } = JSON.parse(answer.body) as {
    hits: number;
    group?: { groupName: string }[];
    user?: { userName: string }[];
  };
  return { hits, names: (group?.map((each) => each.groupName) ?? user!.map((each) => each.userName)).join(' ') };
}

describeMatrix('what follows from memberships', (entry) => {
  itHolds(entry, texts, { given: cast });

  it('is listed near and far, page by page, and counted', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    for (const [path, hits, names] of lists) expect([path, await list(world, path)]).toEqual([path, { hits, names }]);
  });

  it('keeps to the largest page, and counts all the same', async () => {
    const world = await entry.open({ settings: { maxPage: 2 } });
    await prepare(world, cast);
    expect(await list(world, '/user/ann/allgroups?number=100')).toEqual({ hits: 8, names: '_export _import' });
    expect(await list(world, '/group/staff/users?traverse=true')).toEqual({ hits: 4, names: 'ann bob' });
  });
});

describe('a hierarchy', () => {
  const node = (id: string) => ({ id, name: id, role: 0 });

  it('of many ways up is as long as its lines, not as its ways', () => {
    const layers = Array.from({ length: 20 }, (_, layer) => [node(`${layer}a`), node(`${layer}b`)]);
    const links = layers.flatMap((layer, index) =>
      layer.flatMap((child) => (layers[index + 1] ?? []).map((parent) => ({ parent: parent.id, child: child.id }))),
    );
    const text = JSON.stringify(groupHierarchy(layers[0]!, layers.flat(), links));
    expect(text.match(/groupName/g)!.length).toBeLessThanOrEqual(links.length + 2);
  });

  it('that is deeper than a reader takes ends there', () => {
    const chain = Array.from({ length: 1000 }, (_, index) => node(String(index)));
    const links = chain.slice(1).map((parent, index) => ({ parent: parent.id, child: String(index) }));
    const text = JSON.stringify(groupHierarchy([chain[0]!], chain, links));
    expect(text.match(/groupName/g)).toHaveLength(25);
  });
});
