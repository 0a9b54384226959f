import { describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json' };
const send = (world: World, request: string, body?: string | object, headers: Record<string, string> = json) =>
  world.send({ as: admin, request, body, headers });
const read = async (world: World, request: string) => JSON.parse((await send(world, `GET ${request}`)).body);

describe('task groups', () => {
  const group = {
    job: [{ type: ['TRANSCODE'], priority: ['HIGH'], data: [{ key: 'a', value: 'b' }] }],
    priority: 'LOW',
  };

  it('are made, listed, replaced and removed, with transcoders and metadata', async () => {
    const world = await openWorld('fetch');
    const put = await send(world, 'PUT /API/task-group/night', {
      ...group,
      metadata: { field: [{ key: 'k', value: 'v' }] },
    });
    const shown = { ...group, name: 'night', loc: 'http://portico.test/API/task-group/night' };
    expect(JSON.parse(put.body)).toMatchObject(shown);
    await send(world, 'PUT /API/task-group/day', {});
    for (const id of ['VX-2', 'VX-1', 'VX-2']) await send(world, `PUT /API/task-group/night/transcoder/${id}`);
    await send(world, 'DELETE /API/task-group/night/transcoder/VX-1');
    await send(world, 'PUT /API/task-group/night/metadata/other', 'text', { 'content-type': 'text/plain' });
    const { group: all } = await read(world, '/API/task-group');
    expect(all.map(({ name }: { name: string }) => name)).toEqual(['night', 'day']);
    expect(all[0]).toMatchObject({
      transcoder: [{ id: 'VX-2' }],
      metadata: { field: [{ key: 'k' }, { key: 'other' }] },
    });
    await send(world, 'PUT /API/task-group/night', { priority: 'HIGH' });
    expect(await read(world, '/API/task-group/night')).not.toHaveProperty('job');
    await send(world, 'DELETE /API/task-group/night');
    expect((await send(world, 'GET /API/task-group/night')).status).toBe(404);
    expect(await world.service.store.read(`SELECT * FROM key_value WHERE entity_type = 'task-group'`)).toEqual([]);
    await send(world, 'DELETE /API/task-group');
    expect(await read(world, '/API/task-group')).toEqual({ group: [] });
  });

  it('answer 404 below a name that none has', async () => {
    const world = await openWorld('fetch');
    for (const request of ['DELETE /API/task-group/a', 'PUT /API/task-group/a/transcoder/VX-1']) {
      expect((await send(world, request)).status).toBe(404);
    }
    expect((await send(world, 'PUT /API/task-group/a/metadata', { field: [{ key: 'k', value: 'v' }] })).status).toBe(
      404,
    );
  });
});

it('the schema of metadata is kept as a whole and group by group', async () => {
  const world = await openWorld('fetch');
  const film = { field: [{ name: 'title', min: 1, max: 1 }], min: 0, max: -1, name: 'Film' };
  await send(world, 'PUT /API/metadata-schema', { group: [film] });
  await send(world, 'PUT /API/metadata-schema/Scene', { group: [{ name: 'Film', reference: true }] });
  const { group } = await read(world, '/API/metadata-schema');
  expect(group).toEqual([film, { group: [{ name: 'Film', reference: true }], name: 'Scene' }]);
  expect(await read(world, '/API/metadata-schema/Film')).toEqual(film);
  await send(world, 'DELETE /API/metadata-schema/Film');
  expect((await send(world, 'GET /API/metadata-schema/Film')).status).toBe(404);
  await send(world, 'DELETE /API/metadata-schema');
  expect(await read(world, '/API/metadata-schema')).toEqual({});
});

it('datasets of metadata are kept in the form in which they were sent', async () => {
  const world = await openWorld('fetch');
  const turtle = '<a> <b> "c" .';
  await send(world, 'PUT /API/metadata/dataset/places', turtle, { 'content-type': 'text/turtle' });
  expect(await read(world, '/API/metadata/dataset')).toEqual({
    dataset: [{ name: 'places', uri: 'http://portico.test/API/metadata/dataset/places' }],
  });
  const got = await send(world, 'GET /API/metadata/dataset/places', undefined, { accept: 'text/turtle' });
  expect([got.headers.get('content-type'), got.body]).toEqual(['text/turtle', turtle]);
  await send(world, 'DELETE /API/metadata/dataset/places');
  expect((await send(world, 'GET /API/metadata/dataset/places', undefined, {})).status).toBe(404);
});

it('stylesheets of projections are kept as they were sent, and removed both ways', async () => {
  const world = await openWorld('fetch');
  const xml = { 'content-type': 'application/xml', accept: 'application/xml' };
  const sheet = (way: string) => `<${way} v:version="2.0" xmlns:v="http://www.w3.org/1999/XSL/Transform"/>`;
  for (const way of ['incoming', 'outgoing']) {
    expect((await send(world, `PUT /API/projection/newsroom/${way}`, sheet(way), xml)).status).toBe(200);
  }
  expect(await read(world, '/API/projection')).toEqual({ uri: ['newsroom'] });
  expect((await send(world, 'GET /API/projection/newsroom/outgoing', undefined, xml)).body).toBe(sheet('outgoing'));
  await send(world, 'DELETE /API/projection/newsroom');
  expect(await read(world, '/API/projection')).toEqual({ uri: [] });
  expect((await send(world, 'DELETE /API/projection/newsroom')).status).toBe(404);
});

it('the audit log comes as a file', async () => {
  const world = await openWorld('fetch');
  await send(world, 'PUT /API/group/crew');
  const got = await send(world, 'GET /API/log/export?path=/group');
  expect(got.headers.get('content-disposition')).toBe('attachment; filename="log.json"');
  expect(JSON.parse(got.body).entry).toMatchObject([{ method: 'PUT', path: '/group/crew' }]);
});
