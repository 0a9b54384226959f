import { expect, it } from 'vitest';
import { dotOf } from '../../../src/extensions/graphs/graph-routes.ts';
import { graphOf } from '../../../src/extensions/graphs/user-routes.ts';
import { newGroup, newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const cast = [
  newGroup('staff', { parentGroupList: named('_import') }),
  newGroup('night', { parentGroupList: named('staff') }),
  newUser(['ann', 'p'], ['night']),
];

const get = (path: string, accept?: string): Pick<Scenario, 'as' | 'request' | 'headers'> => ({
  as: admin,
  request: `GET /API/user/${path}`,
  headers: accept === undefined ? {} : { accept },
});
const dot = 'text/vnd.graphviz; charset=UTF-8';
const all = '?users=ann&groups=night,staff,_import,ghost';

const forms: readonly Scenario[] = [
  { name: 'answers dot', ...get(`graph/dot${all}`), status: 200, answers: { 'content-type': dot } },
  {
    name: 'answers dot as plain text',
    ...get(`graph/dot${all}`, 'text/plain'),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
  },
  {
    name: 'answers dot where a picture is looked for, to clients that like it better',
    ...get(`graph${all}`, 'image/png;q=0.5, text/vnd.graphviz'),
    status: 200,
    answers: { 'content-type': dot },
  },
  ...[`graph${all}`, 'ann/graph'].map((path) => ({
    name: `draws a picture for clients that ask for one: ${path}`,
    ...get(path, 'image/png'),
    status: 200,
    answers: { 'content-type': 'image/png' },
    says: { contains: ['PNG', 'IHDR', 'IEND'] },
  })),
  ...['graph/dot', 'ann/graph/dot'].map((path) => ({
    name: `has text alone below the picture: ${path}`,
    ...get(path, 'image/png'),
    status: 406,
    says: { contains: ['text/vnd.graphviz or text/plain'] },
  })),
  { name: 'draws nothing of nobody', ...get('ghost/graph'), status: 404 },
];

/** Names and arrows, without ids. */
function readDot(text: string): { nodes: string[]; arrows: string[] } {
  const nodes = new Map(
    [...text.matchAll(/^ {2}"(\w+ VX-\d+)" \[label="(.*)", shape=(\w+)\];$/gm)].map(([, id, name, shape]) => [
      id,
      `${name} (${shape})`,
    ]),
  );
  const nameOf = (id: string) => nodes.get(id)?.replace(/ \(.*/, '') ?? 'nothing';
  const arrows = [...text.matchAll(/^ {2}"(.+)" -> "(.+)";$/gm)].map(
    ([, from, to]) => `${nameOf(from!)} -> ${nameOf(to!)}`,
  );
  return { nodes: [...nodes.values()].sort(), arrows: arrows.sort() };
}

const whole = {
  nodes: ['_import (hexagon)', 'ann (ellipse)', 'night (box)', 'staff (box)'],
  arrows: ['ann -> night', 'night -> staff', 'staff -> _import'],
};

describeMatrix('the graph of users', (entry) => {
  itHolds(entry, forms, { given: cast });

  it('shows users, groups and roles, and what each is in', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    const drawn = async (path: string) => readDot((await world.send(get(path))).body);
    expect(await drawn(`graph/dot${all}`)).toEqual(whole);
    expect(await drawn('ann/graph')).toEqual(whole);
    expect(await drawn('graph?users=ann&groups=staff')).toEqual({
      nodes: ['ann (ellipse)', 'staff (box)'],
      arrows: [],
    });
    const everything = await drawn('graph');
    expect(everything.nodes.filter((node) => !node.startsWith('_'))).toEqual([
      'admin (ellipse)',
      'ann (ellipse)',
      'night (box)',
      'staff (box)',
    ]);
    expect(everything.arrows).toContain('admin -> _administrator');
  });

  it('refuses more than anybody could look at', async () => {
    const world = await entry.open({ settings: { maxPage: 2 } });
    await prepare(world, cast);
    for (const path of ['graph', 'graph/dot', 'ann/graph', 'graph?groups=a,b,c&users=ann']) {
      const answer = await world.send(get(path));
      expect([path, answer.status, answer.headers.get('portico-error')]).toEqual([path, 400, 'bad-parameter']);
    }
    expect((await world.send(get('graph?users=ann&groups=night'))).status).toBe(200);
  });
});

it('lets no name out of its label', () => {
  const name = '"]; evil -> "\\';
  const group = { id: 'VX-1', name, role: 0 };
  const text = dotOf(graphOf({ users: [], groups: [group], memberships: [], edges: [] }));
  expect(text).toContain('[label="\\"]; evil -> \\"\\\\", shape=box]');
});
