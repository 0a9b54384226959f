import { expect, it } from 'vitest';
import { newGroup, newUser, reader } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const acceptText = { accept: 'text/plain' };
const metadata = (...pairs: (readonly [string, string])[]) => ({
  metadata: { field: pairs.map(([key, value]) => ({ key, value })) },
});

const cast = [
  newGroup('crew', { description: 'The Crew', ...metadata(['floor', '2']) }),
  newGroup('cast', { description: 'the cast' }),
  newGroup('100[_a'),
  newUser(reader, ['_user_read', '_group_read'], { realName: 'Zed' }),
  newUser(['alan', 'p'], ['crew'], { realName: 'Alan Smith', ...metadata(['city', 'Rome'], ['city', 'Oslo']) }),
  newUser(['alice', 'p'], ['crew', '_import'], { realName: 'Alice Jones', ...metadata(['city', 'Paris']) }),
  newUser(['Albert', 'p'], [], { realName: 'alan smithee' }),
  newUser(['böb', 'p'], [], { realName: 'BÖB' }),
  newUser(['x[a]?', 'p']),
  newUser(['x_y', 'p']),
  newUser(['xzy', 'p']),
  { as: admin, request: 'DELETE /API/user/xzy' },
];

const field = (name: string, value?: string) => ({ name, ...(value === undefined ? {} : { value }) });
const name = (value: string) => ({ field: [field('username', value)] });
const where = (operation: string, ...parts: object[]) => ({
  operator: {
    operation,
    field: parts.filter((part) => 'name' in part),
    operator: parts.filter((part) => !('name' in part)),
  },
});

/** Search documents, and the names of the users found, in order. */
const searches: readonly (readonly [document: object | undefined, found: string, query?: string])[] = [
  [undefined, 'Albert admin alan alice böb reader x[a]? x_y xzy'],
  [{}, 'Albert admin alan alice böb reader x[a]? x_y xzy'],
  [{ operator: { operation: 'OR' } }, 'Albert admin alan alice böb reader x[a]? x_y xzy'],
  [name('al*'), 'alan alice'],
  [name('AL*'), ''],
  [name('AL*'), 'Albert alan alice', '?ignoreCase=true'],
  [name('al*'), 'Albert alan alice', '?ignoreCase=1'],
  [name('*B*'), 'Albert böb', '?ignoreCase=true'],
  [name('BÖ*'), 'böb', '?ignoreCase=true'],
  [name('bö*'), 'böb'],
  [name('alice'), 'alice'],
  [name('alic'), ''],
  [name('*li*'), 'alice'],
  [name('*'), 'Albert admin alan alice böb reader x[a]? x_y xzy'],
  [name(''), ''],
  [name('x_y'), 'x_y'],
  [name('x?y'), ''],
  [name('x[a]?'), 'x[a]?'],
  [name('x[!z]*'), ''],
  [name('x*y'), 'x_y xzy'],
  [name('x*y'), 'xzy', '?disabled=true'],
  [name('x*y'), 'x_y', '?disabled=false'],
  [name('x*y'), 'x_y xzy', '?disabled=all'],
  [name('%'), ''],
  [name('__proto__'), ''],
  [{ field: [field('userName', 'alice')] }, 'alice'],
  [{ field: [field('realname', 'Al*')] }, 'alan alice'],
  [{ field: [field('realname', '*smith*')] }, 'Albert alan', '?ignoreCase=true'],
  [{ field: [field('realname')] }, 'Albert admin alan alice böb reader'],
  [{ field: [field('city', 'R*')] }, 'alan'],
  [{ field: [field('city', 'oslo')] }, 'alan', '?ignoreCase=true'],
  [{ field: [field('city')] }, 'alan alice'],
  [{ field: [field('City', 'Rome')] }, ''],
  [{ field: [field('constructor', '*')] }, ''],
  [{ field: [field('username', 'al*'), field('city', 'Paris')] }, 'alice'],
  [where('AND', field('username', 'al*'), field('realname', '*Smith')), 'alan'],
  [where('OR', field('username', 'alice'), field('username', 'b*')), 'alice böb'],
  [where('OR', field('username', 'al*'), field('username', 'ali*')), 'alan alice'],
  [where('OR', field('username', 'alice'), field('city', 'Rome')), 'alan alice'],
  [where('NOT', field('username', 'a*'), field('username', 'x*')), 'Albert böb reader'],
  [where('NOT', field('realname', '*')), 'x[a]? x_y xzy'],
  [where('NOT', field('city', '*')), 'Albert admin böb reader x[a]? x_y xzy'],
  [{ ...name('a*'), ...where('NOT', field('username', 'ad*')) }, 'alan alice'],
  [
    where('AND', field('username', 'a*'), where('OR', field('city', 'Paris'), field('realname', 'Alan*')).operator),
    'alan alice',
  ],
  [
    where('or', where('NOT', field('username', '*a*')).operator, field('username', 'admin')),
    'Albert admin böb x_y xzy',
  ],
  [{ ...name('al*'), sort: [{ field: 'username', order: 'descending' }] }, 'alice alan'],
  [{ ...name('al*'), sort: { field: 'realname' } }, 'alan alice Albert', '?ignoreCase=true'],
  [{ ...name('a*'), sort: [{ field: 'city', order: 'descending' }] }, 'alice alan admin'],
  [{}, 'alice böb', '?first=4&number=2'],
  [{}, '', '?first=100'],
  [{}, '', '?number=0'],
];

const badOnes: readonly (readonly [document: object | string, query: string, says: string])[] = [
  [{}, '?first=-1', 'first'],
  [{}, '?ignoreCase=maybe', 'ignoreCase'],
  [{}, '?disabled=maybe', 'disabled'],
  [{ field: [{ value: 'x' }] }, '', '/SimpleSearchDocument/field[1]/name'],
  [{ operator: { field: [field('username', 'a')] } }, '', 'operation'],
  [where('XOR', field('username', 'a')), '', 'AND'],
  [{ sort: { field: 'username', order: 'up' } }, '', 'ascending'],
  [name('x'.repeat(256)), '', 'Expected values of at most 255 characters'],
  [{ field: Array.from({ length: 101 }, () => field('username', 'a*')) }, '', 'Expected at most 100 fields'],
  [{ sort: Array.from({ length: 9 }, () => ({ field: 'username' })) }, '', 'to sort by'],
];

const texts: readonly Scenario[] = [
  {
    name: 'lists users as text: name, real name, groups',
    as: reader,
    request: 'PUT /API/user/',
    headers: acceptText,
    body: { ...name('al*') },
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: 'alan\tAlan Smith\tcrew\r\nalice\tAlice Jones\t_import\tcrew\r\n' },
  },
  {
    name: 'leaves an empty place where there is no real name',
    as: reader,
    request: 'PUT /API/user',
    headers: acceptText,
    body: name('x_y'),
    status: 200,
    says: { exact: 'x_y\t\r\n' },
  },
  ...['SimpleSearchDocument', 'UserSearchDocument', 'GroupSearchDocument'].map((root) => ({
    name: `takes the root ${root}`,
    as: reader,
    request: 'PUT /API/user?ignoreCase=true',
    body: `<x:${root} xmlns:x="y"><operator operation="AND"><field><name>username</name><value>ALI*</value></field></operator><sort><field>username</field><order>descending</order></sort></x:${root}>`,
    status: 200,
    says: { contains: ['<UserListDocument', '<hits>1</hits>', '<userName>alice</userName>', '<key>city</key>'] },
  })),
  {
    name: 'finds groups by name, as text',
    as: reader,
    request: 'PUT /API/group/?role=false',
    headers: acceptText,
    body: { field: [field('groupname', 'c*')] },
    status: 200,
    says: { exact: 'cast\r\ncrew\r\n' },
  },
  ...(
    [
      [{ field: [field('groupname', '*user_read')] }, 1, '_user_read'],
      [{ field: [field('groupname', '*a*')] }, 2, '100[_a cast', '?role=false'],
      [{ field: [field('groupname', '*_')] }, 0, ''],
      [{ field: [field('description', 'the*')] }, 1, 'cast'],
      [{ field: [field('description', 'the*')] }, 2, 'cast crew', '?ignoreCase=true'],
      [{ field: [field('floor', '2')] }, 1, 'crew'],
      [{ field: [field('groupname', '100[*')] }, 1, '100[_a'],
      [{ field: [field('groupname', '_import')] }, 1, '_import', '?role=true'],
      [{ field: [field('groupname', '_import')] }, 0, '', '?role=false'],
    ] as const
  ).map(([body, hits, found, query = '']) => ({
    name: `finds the groups "${found}" by ${JSON.stringify(body)}${query}`,
    as: reader,
    request: `PUT /API/group${query}`,
    headers: acceptJson,
    body,
    status: 200,
    says: { jsonPart: { hits, group: found === '' ? [] : found.split(' ').map((groupName) => ({ groupName })) } },
  })),
];

async function found(world: World, document: object | string | undefined, query = ''): Promise<string> {
  const answer = await world.send({
    as: reader,
    request: `PUT /API/user${query}`,
    headers: acceptJson,
    body: document,
  });
  expect(answer.status, answer.body).toBe(200);
  const { user } = JSON.parse(answer.body) as { user: { userName: string }[] };
  return user.map(({ userName }) => userName).join(' ');
}

describeMatrix('search', (entry) => {
  itHolds(entry, texts, { given: cast });

  it('finds users by name, real name and metadata, combined and sorted', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    for (const [document, expected, query] of searches) {
      const shown = `${JSON.stringify(document)}${query ?? ''}`;
      expect([shown, await found(world, document, query)]).toEqual([shown, expected]);
    }
  });

  it('gives ten unless told otherwise, and counts all that fit', async () => {
    const world = await entry.open({ settings: { maxPage: 12 } });
    await prepare(world, cast);
    await prepare(
      world,
      Array.from({ length: 15 }, (_, index) => newUser([`many-${index + 10}`, 'p'])),
    );
    const hits = async (query: string) => {
      const sent = { as: reader, request: `PUT /API/user${query}`, headers: acceptJson, body: name('many-*') };
      const { hits, user } = JSON.parse((await world.send(sent)).body) as { hits: number; user: unknown[] };
      return [hits, user.length];
    };
    expect(await hits('')).toEqual([15, 10]);
    expect(await hits('?number=3')).toEqual([15, 3]);
    expect(await hits('?number=100')).toEqual([15, 12]);
    expect(await hits('?first=14')).toEqual([15, 2]);
    expect(await hits('?first=99')).toEqual([15, 0]);
  });

  it('says what is wrong with what it is sent', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    for (const [body, query, says] of badOnes) {
      const answer = await world.send({ as: reader, request: `PUT /API/user${query}`, headers: acceptJson, body });
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(says)]);
    }
  });

  it('compares the beginning of a value that is longer than the setting says, in conditions and when sorting', async () => {
    const world = await entry.open({ settings: { maxSearchText: 16, maxSearchPattern: 20 } });
    const long = '0123456789abcdef';
    await prepare(world, [
      newUser(['one', 'p'], [], { realName: `${long}-b`, ...metadata(['note', `${long}-b`]) }),
      newUser(['two', 'p'], [], { realName: `${long}-a`, ...metadata(['note', `${long}-a`]) }),
    ]);
    const found = async (value: string, sort?: string) => {
      const body = {
        field: [field('realname', value), field('note', value)],
        ...(sort ? { sort: { field: sort } } : {}),
      };
      const answer = await world.send({ as: admin, request: 'PUT /API/user', headers: acceptJson, body });
      const { user } = JSON.parse(answer.body) as { user: { userName: string }[] };
      return user.map(({ userName }) => userName).join(' ');
    };
    expect(await found('*-a')).toBe('');
    expect(await found('*ef')).toBe('one two');
    expect(await found(long)).toBe('one two');
    // Behind the sixteenth character nothing counts, so the name decides.
    expect(await found('0*', 'realname')).toBe('one two');
    const tooLong = { as: admin, request: 'PUT /API/user', body: name('x'.repeat(21)) };
    expect((await world.send(tooLong)).body).toContain('Expected values of at most 20 characters');
  });

  it('refuses what would take more steps than the setting says, and not what fits', async () => {
    const world = await entry.open({ settings: { maxSearchSteps: 100_000 } });
    await prepare(world, [
      newGroup('long', { description: 'a'.repeat(990) }),
      newGroup('huge', { description: 'a'.repeat(1_000_000) }),
    ]);
    const answer = async (group: string, description: string) => {
      const body = { field: [field('groupname', group), field('description', description)] };
      const { status, body: says } = await world.send({ as: admin, request: 'PUT /API/group', body });
      return `${status}${says.includes('Expected a narrower search or shorter values') ? ' too costly' : ''}`;
    };
    expect(await answer('long', `*${'a'.repeat(50)}*`)).toBe('200');
    expect(await answer('long', `*${'a'.repeat(150)}*`)).toBe('400 too costly');
    expect(await answer('long', `${'a'.repeat(150)}*`)).toBe('200');
    expect(await answer('huge', 'a*')).toBe('400 too costly');
  });

  it('refuses what would compare more than the setting says, and not what the index narrows', async () => {
    const world = await entry.open({ settings: { maxSearchWork: 1000 } });
    const values = Array.from({ length: 1100 }, (_, index) => `('VX-x${index}', 'many-${index + 1000}', 1, 1, 1, 0)`);
    await world.service.store.commit(
      {
        changes: [
          {
            sql: `INSERT INTO user (id, name, password_version, enabled, version, created_at) VALUES ${values.join()}`,
            args: [],
          },
        ],
        events: [],
      },
      { user: 'test' },
    );
    const status = async (body: object) =>
      (await world.send({ as: admin, request: 'PUT /API/user', headers: acceptJson, body })).status;
    expect(await status(name('*1'))).toBe(400);
    expect(await status(name('many*'))).toBe(400);
    expect(await status(name('many-15*'))).toBe(200);
    expect(await status(where('NOT', field('username', 'many-15*')))).toBe(400);
    expect(await status({ field: Array.from({ length: 11 }, () => field('username', 'many-15*')) })).toBe(400);
    const answer = await world.send({ as: admin, request: 'PUT /API/user', headers: acceptJson, body: name('*1') });
    expect(answer.body).toContain('Expected a narrower search');
  });
});
