import { expect, it } from 'vitest';
import { alice, newGroup, newUser, people, reader } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };
const by = (request: string): Pick<Scenario, 'as' | 'request' | 'headers'> => ({
  as: admin,
  request,
  headers: acceptJson,
});

/** Events of the deletion of a user in two groups by a job. */
const ofDeletion = (job = 'VX-1'): NonNullable<Scenario['events']> => [
  ['job/create', job],
  ['group/modify', '_import'],
  ['group/modify', 'crew'],
  ['user/delete', 'alice'],
  ['job/update', job],
  ['job/stop', job],
  ['job/finished', job],
];

const soft: readonly Scenario[] = [
  {
    name: 'disables a user, answers a job that has ended, and sends no event of a job',
    ...by('DELETE /API/user/alice?priority=HIGH&jobmetadata=portal_groups:StringArray%3DAdmin'),
    status: 200,
    says: {
      json: {
        jobId: 'VX-1',
        user: 'admin',
        started: '2030-01-01T00:00:00.000+0000',
        finished: '2030-01-01T00:00:00.000+0000',
        status: 'FINISHED',
        type: 'DISABLE_USER',
        priority: 'HIGH',
        data: [{ key: 'portal_groups:StringArray', value: 'Admin' }],
      },
    },
    events: [['user/modify', 'alice', { changed: ['enabled'] }]],
  },
  {
    name: 'minds no trailing slash',
    ...by('DELETE /API/user/alice/'),
    status: 200,
    events: [['user/modify', 'alice']],
  },
  {
    name: 'tells of nothing when the user is disabled already',
    given: [by('DELETE /API/user/alice')],
    ...by('DELETE /API/user/alice?hard=false'),
    status: 200,
    says: { jsonPart: { status: 'FINISHED', type: 'DISABLE_USER' } },
    events: [],
  },
  {
    name: 'takes the parameters that clients know',
    ...by('DELETE /API/user/alice?preserveAccess=true&transferAccess=reader&notification=VX-1&notificationData=a'),
    status: 200,
    events: [['user/modify', 'alice']],
  },
  {
    name: 'enables a user again',
    given: [by('DELETE /API/user/alice')],
    ...by('PUT /API/user/alice/enable'),
    status: 200,
    says: { exact: '' },
    events: [['user/modify', 'alice', { changed: ['enabled'] }]],
  },
  {
    name: 'tells of nothing when the user is enabled already',
    ...by('PUT /API/user/alice/enable'),
    status: 200,
    events: [],
  },
  {
    name: 'shows who is disabled',
    given: [by('DELETE /API/user/alice')],
    ...by('GET /API/user/alice'),
    status: 200,
    says: { jsonPart: { disabled: true } },
  },
  {
    name: 'shows it as an attribute in XML',
    given: [by('DELETE /API/user/alice')],
    as: admin,
    request: 'GET /API/user/alice',
    status: 200,
    says: { contains: ['<UserDocument xmlns="urn:portico:schema" disabled="true">'] },
  },
];

const hard: readonly Scenario[] = [
  {
    name: 'deletes a user for good, tells each group, and answers with the job that has ended',
    ...by('DELETE /API/user/alice?hard=true&priority=HIGH&jobmetadata=reason%3Dleft&jobmetadata=by%3Dhand%3D1'),
    status: 200,
    says: {
      jsonPart: {
        jobId: 'VX-1',
        user: 'admin',
        status: 'FINISHED',
        type: 'DELETE_USER',
        priority: 'HIGH',
        data: [
          { key: 'reason', value: 'left' },
          { key: 'by', value: 'hand=1' },
        ],
        started: '2030-01-01T00:00:00.000+0000',
        finished: '2030-01-01T00:00:00.000+0000',
      },
    },
    events: [
      ['job/create', 'VX-1'],
      ['group/modify', '_import', { mode: 'REMOVE', affectedUser: 'alice' }],
      ['group/modify', 'crew', { mode: 'REMOVE', affectedUser: 'alice' }],
      ['user/delete', 'alice', { user: 'alice' }],
      ['job/update', 'VX-1'],
      ['job/stop', 'VX-1'],
      ['job/finished', 'VX-1'],
    ],
  },
  {
    name: 'answers the job in XML to a caller who wishes for nothing',
    as: admin,
    request: 'DELETE /API/user/alice?hard=true',
    status: 200,
    says: { contains: ['<JobDocument xmlns="urn:portico:schema"><jobId>VX-1</jobId>', '<priority>MEDIUM</priority>'] },
    events: ofDeletion(),
  },
  {
    name: 'deletes a user who is disabled',
    given: [by('DELETE /API/user/alice')],
    ...by('DELETE /API/user/alice?hard=true'),
    status: 200,
    events: ofDeletion('VX-2'),
  },
  {
    name: 'finds the user by an alias',
    ...by('DELETE /API/user/al?hard=1'),
    status: 200,
    events: ofDeletion(),
  },
  {
    name: 'gives 404 for a user who is gone',
    given: [by('DELETE /API/user/alice?hard=true')],
    ...by('DELETE /API/user/alice?hard=true'),
    status: 404,
  },
];

const refused: readonly Scenario[] = [
  { name: 'gives 404 for a user who never was', ...by('DELETE /API/user/ghost'), status: 404 },
  { name: 'gives 404 for enabling one', ...by('PUT /API/user/ghost/enable'), status: 404 },
  ...['hard=maybe', 'preserveAccess=maybe', 'hard=true&priority=URGENT', 'hard=true&jobmetadata=x'].map((query) => ({
    name: `refuses ${query}, and deletes nobody`,
    ...by(`DELETE /API/user/alice?${query}`),
    status: 400,
    answers: { 'portico-error': 'bad-parameter' },
  })),
  {
    name: 'refuses to hand over access to nobody',
    ...by('DELETE /API/user/alice?transferAccess=ghost'),
    status: 404,
    says: { contains: ['ghost'] },
  },
  ...['', '?hard=true'].map((query) => ({
    name: `refuses to delete admin, even to an administrator: DELETE${query}`,
    ...by(`DELETE /API/user/admin${query}`),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
    says: { contains: ['somebody must be left'] },
  })),
];

const cast = [
  ...people.filter(({ body }) => (body as { userName: string }).userName !== 'alice'),
  newGroup('crew'),
  newUser(alice, ['crew', '_import'], { alias: ['al'], metadata: { field: [{ key: 'k', value: 'v' }] } }),
];

async function hits(world: World, query: string): Promise<number> {
  const answer = await world.send({ as: admin, request: `GET /API/user${query}`, headers: acceptJson });
  return JSON.parse(answer.body).hits;
}

describeMatrix('DELETE /user/{name}', (entry) => {
  itHolds(entry, [...soft, ...hard, ...refused], { given: cast });

  it('puts somebody out at once, also with a password that was just verified, and lets in again', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    const status = async (as: Credentials) => (await world.send({ as, request: 'GET /API/whoami' })).status;
    expect(await status(alice)).toBe(200);
    await prepare(world, [by('DELETE /API/user/alice')]);
    expect(await status(alice)).toBe(401);
    await prepare(world, [by('PUT /API/user/alice/enable')]);
    expect(await status(alice)).toBe(200);
    await prepare(world, [by('DELETE /API/user/alice?hard=true')]);
    expect(await status(alice)).toBe(401);
  });

  it('leaves nothing behind: no row, no name, no right to inherit', async () => {
    const world = await entry.open();
    await prepare(world, [...cast, by('DELETE /API/user/alice?hard=true')]);
    const { store } = world.service;
    for (const table of ['login', 'group_user', 'key_value']) {
      const column = table === 'key_value' ? 'entity_id' : 'user_id';
      const rows = await store.read(
        `SELECT * FROM ${table} WHERE ${column} NOT IN (SELECT id FROM user UNION SELECT id FROM "group")`,
      );
      expect([table, rows]).toEqual([table, []]);
    }
    await prepare(world, [newUser(['al', 'p']), newUser(alice)]);
    const again = await world.send({ as: admin, request: 'GET /API/user/alice', headers: acceptJson });
    expect(Object.keys(JSON.parse(again.body)).sort()).toEqual(['id', 'origin', 'userName']);
  });

  it('keeps the numbers right, for users of each state', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    const counts = async () => [await hits(world, ''), await hits(world, '?disabled=true')];
    expect(await counts()).toEqual([4, 0]);
    await prepare(world, [by('DELETE /API/user/alice'), by('DELETE /API/user/reader')]);
    expect(await counts()).toEqual([4, 2]);
    await prepare(world, [by('DELETE /API/user/alice?hard=true'), by('DELETE /API/user/editor?hard=true')]);
    expect(await counts()).toEqual([2, 1]);
    await prepare(world, [by('PUT /API/user/reader/enable')]);
    expect(await counts()).toEqual([2, 0]);
  });

  it('deletes once when two ask at the same time', async () => {
    const world = await entry.open();
    await prepare(world, cast);
    const before = (await world.events()).length;
    const answers = await Promise.all(
      ['', '?hard=true', '?hard=true', ''].map((query) => world.send(by(`DELETE /API/user/alice${query}`))),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    const told = (await world.events()).slice(before).filter(({ name }) => name === 'user/delete');
    expect(told).toHaveLength(1);
    expect(await hits(world, '')).toBe(3);
    expect(await hits(world, '?disabled=true')).toBe(0);
  });

  it('lets an administrator go who is not admin, and takes the right with it', async () => {
    const world = await entry.open();
    const chief: Credentials = ['chief', 'p'];
    await prepare(world, [...cast, newUser(chief, ['_administrator'])]);
    const remove = { as: chief, request: 'DELETE /API/user/chief?hard=true', headers: acceptJson };
    expect((await world.send(remove)).status).toBe(200);
    expect((await world.send(remove)).status).toBe(401);
    expect((await world.send({ as: reader, request: 'DELETE /API/user/editor' })).status).toBe(403);
  });
});
