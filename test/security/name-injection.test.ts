import { expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Names that some layer below could take for syntax of its own: SQL, its patterns, JSON, XML, dot, addresses. */
const names = [
  `' OR '1'='1`,
  `x' UNION SELECT password FROM user --`,
  '"group"',
  'a*b',
  'a?b',
  'a[b]c',
  'a_b',
  '{"a",1}',
  '["admin"]',
  '<b>&amp<b>',
  ']]>',
  'a" -> "b',
  'a,b',
  'a+b@c?d#e=f&g',
  '😀 é \u{10ffff}',
  '..admin',
  '$admin',
  '?1',
];

const acceptJson = { accept: 'application/json' };

async function json(world: World, request: string, body?: object) {
  const answer = await world.send({ as: admin, request, headers: acceptJson, body });
  expect(answer.status, `${request}: ${answer.body}`).toBe(200);
  return answer.body === '' ? undefined : JSON.parse(answer.body);
}

describeMatrix('a name', (entry) => {
  it.each(names)('%s is a user like any other, found by its name and by nothing else', async (name) => {
    const world = await entry.open();
    const path = `/API/user/${encodeURIComponent(name)}`;
    await prepare(world, [newUser(['bystander', 'p'])]);
    const before = (await json(world, 'GET /API/user')).hits;
    await json(world, `PUT ${path}`);
    expect((await json(world, `GET ${path}`)).userName).toBe(name);
    await prepare(world, [
      { as: admin, request: `PUT ${path}/realname`, body: name },
      {
        as: admin,
        request: `PUT ${path}/metadata`,
        body: { field: [{ key: name.replaceAll('*', '+'), value: name }] },
      },
    ]);
    const found = await json(world, 'PUT /API/user', { field: [{ name: 'realname', value: name }] });
    expect(found.user.map(({ userName }: { userName: string }) => userName)).toEqual([name]);
    const byKey = await json(world, 'PUT /API/user', { field: [{ name: name.replaceAll('*', '+') }] });
    expect(byKey.hits).toBe(1);
    await json(world, `DELETE ${path}?hard=true`);
    expect((await json(world, 'GET /API/user')).hits).toBe(before);
  });

  it.each(names.filter((name) => !name.startsWith('_')))('%s is a group like any other', async (name) => {
    const world = await entry.open();
    const encoded = encodeURIComponent(name);
    await prepare(world, [newUser(['alice', 'p'])]);
    await json(world, `PUT /API/group/${encoded}`);
    await json(world, 'PUT /API/group/bystander');
    await json(world, `PUT /API/group/${encoded}/user/alice`);
    await json(world, `PUT /API/group/bystander/group/${encoded}`);
    expect(
      (await json(world, 'GET /API/user/alice/allgroups')).group
        .map((group: { groupName: string }) => group.groupName)
        .sort(),
    ).toEqual([name, 'bystander'].sort());
    const address = await world.send({
      as: admin,
      request: `GET /API/group/${encoded}`,
      headers: { accept: 'text/plain' },
    });
    expect(new URL(address.body).pathname).toBe(`/API/group/${encoded}`);
    const drawn = await world.send({ as: admin, request: 'GET /API/user/alice/graph' });
    expect(drawn.body.split('\n').filter((line) => /^ {2}"[^"]+" -> /.test(line))).toHaveLength(2);
    await json(world, `DELETE /API/group/${encoded}`);
    expect((await json(world, 'GET /API/group?role=false')).hits).toBe(1);
  });

  it('of a field or an order is a value, never a column', async () => {
    const world = await entry.open();
    for (const name of ['password', 'name', 'id', 'enabled', '1', 'name; DROP TABLE user', "x' OR 1=1 --"]) {
      const found = await json(world, 'PUT /API/user', { field: [{ name, value: '*' }], sort: [{ field: name }] });
      expect([name, found.hits]).toEqual([name, 0]);
      const sorted = await json(world, 'PUT /API/user', { sort: [{ field: name, order: 'descending' }] });
      expect([name, sorted.hits]).toEqual([name, 1]);
    }
  });
});
