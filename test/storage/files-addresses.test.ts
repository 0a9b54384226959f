import { expect, it } from 'vitest';
import { filePaths } from '../../src/storage/files/entity.ts';
import { register, registered } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, bodyOf, json } from '../support/requests.ts';
import { playScenario, prepare } from '../support/scenario.ts';
import { openService } from '../support/service.ts';
import { librarian, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const enc = encodeURIComponent;

it('every call about a file is at every address, with the same role and the same words', async () => {
  const world = await openService({ start: false });
  const { routes } = world.service;
  await world.close();
  const callsAt = (place: string) =>
    routes
      .filter(({ path }) => path === place || path.startsWith(`${place}/`))
      .map(({ method, path, access, says, acting }) => [method, path.slice(place.length), access.needs, says, acting]);
  const [first, ...others] = filePaths.map(callsAt);
  expect(first!.length).toBeGreaterThan(15);
  for (const calls of others) expect(calls).toEqual(first);
});

describeMatrix('the addresses of one file', (entry) => {
  const path = 'in/a b;c%41\\ü+.mov'.replace('\\', '');
  const uri = `memory:///in/${path.split('/').map(enc).join('/')}`;
  const addresses = [
    '/file/VX-1',
    '/storage/file/VX-1',
    '/storage/VX-1/file/VX-1',
    `/storage/file/path/${enc(path)}`,
    `/storage/VX-1/file/path/${enc(path)}`,
    `/storage/file/uri/${enc(uri)}`,
    `/storage/VX-1/file/uri/${enc(uri)}`,
    `/storage/VX-1/file/uri/${enc('memory://ann:secret@/in/').replace('%2Fin%2F', enc('/in/'))}${enc(path.split('/').map(enc).join('/'))}`,
    '/file/tape%2F1',
    '/storage/VX-1/file/tape%2F1',
  ];

  it('all lead to it', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register(path), ask('PUT /API/file/VX-1/external-id/tape%2F1')]);
    for (const address of addresses) {
      const answer = await world.send(ask(`GET /API${address}`));
      expect([address, answer.status, bodyOf(answer)['path']]).toEqual([address, 200, path]);
    }
  });

  it('take every call about it', async () => {
    for (const address of addresses) {
      const world = await worldOf('files', {}, entry.open);
      await prepare(world, [register(path), ask('PUT /API/file/VX-1/external-id/tape%2F1')]);
      const at = `/API${address}`;
      const hash = 'ab'.repeat(20);
      const calls = [
        { ...ask(`POST ${at}/data`, 'bytes'), headers: { ...json, 'content-type': 'application/octet-stream' } },
        { ...ask(`GET ${at}/data`), headers: {} },
        ask(`POST ${at}/uri`),
        ask(`PUT ${at}/state/OPEN`),
        ask(`PUT ${at}/hash/${hash}`),
        ask(`PUT ${at}/metadata/color`, 'red'),
        ask(`GET ${at}/metadata`),
        { ...ask(`GET ${at}/metadata/color`), headers: {} },
        ask(`PUT ${at}/external-id/other`),
        ask(`GET ${at}/external-id`),
        ask(`GET ${at}/shape`),
        { ...ask(`PUT ${at}/re-index`), headers: {} },
        ask(`PUT ${at}/abandon`),
        ask(`DELETE ${at}/metadata/color`),
        ask(`POST ${at}/path?path=copy.mov&duplicate=true`),
        ask(`DELETE ${at}/entity`),
      ];
      for (const call of calls) {
        const { status, body } = await world.send(call);
        expect([call.request, status < 300, status < 300 ? '' : body]).toEqual([call.request, true, '']);
      }
      expect((await world.send(ask(`GET ${at}`))).status).toBe(404);
    }
  });

  it('fire nothing for metadata', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    await playScenario(world, { ...ask('PUT /API/file/VX-1/metadata/color', 'red'), name: 'a key', status: 204 });
  });

  it('ask for a storage where several have the path', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov'), register('a.mov', {}, 'VX-2')]);
    await playScenario(world, {
      ...ask('DELETE /API/storage/file/path/a.mov/entity'),
      name: 'a guess could forget the other one',
      status: 400,
      says: { contains: ['Expected a storage in the address'] },
    });
    expect(bodyOf(await world.send(ask('GET /API/storage/VX-2/file/path/a.mov')))).toMatchObject({ storage: 'VX-2' });
  });

  it('find the file below the nearest method', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('deep/a.mov'));
    const changes = [
      { sql: `UPDATE storage_method SET uri = 'memory:///in/deep/' WHERE storage_id = 'VX-2'`, args: [] },
    ];
    await world.service.store.commit({ changes, events: [] }, { user: 'test' });
    const request = ask(`GET /API/storage/file/uri/${enc('memory:///in/deep/a.mov')}`);
    expect(bodyOf(await world.send(request))).toMatchObject({ id: 'VX-1', storage: 'VX-1' });
    await prepare(world, [register('a.mov', {}, 'VX-2')]);
    expect(bodyOf(await world.send(request))).toMatchObject({ id: 'VX-2', storage: 'VX-2' });
  });

  it('are looked up by a matrix parameter, as libraries of the original do', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register(path)]);
    for (const [place, named] of [
      ['/storage/VX-1/file', `path=${enc(path)};includeItem=True`],
      ['/storage/VX-1/file', `path=${enc(`/${path}`)}`],
      ['/storage/file', `path=${enc(path)}`],
      ['/storage/file', `uri=${enc(uri)}`],
      ['/storage/file', `uri=${enc(enc(uri))}`],
      ['/storage/VX-1/file', `uri=${enc(uri)}`],
    ]) {
      for (const mark of [';', '?']) {
        const parameters = mark === '?' ? named!.replace(';', '&') : named;
        const answer = await world.send(ask(`GET /API${place}/byURI${mark}${parameters}`));
        expect([place, parameters, answer.status, bodyOf(answer)['path']]).toEqual([place, parameters, 200, path]);
      }
    }
    for (const [address, status] of [
      ['/storage/VX-2/file/byURI;path=a', 404],
      [`/storage/VX-2/file/byURI;uri=${enc(uri)}`, 404],
      ['/storage/file/byURI;path=other.mov', 404],
      ['/storage/file/byURI', 400],
      ['/storage/VX-1/file/byURI;path=a;uri=b', 400],
      ['/storage/file/byURI;uri=nothing', 400],
    ])
      expect([address, (await world.send(ask(`GET /API${address}`))).status]).toEqual([address, status]);
  });

  it('never tell the password of an address in a refusal', async () => {
    const world = await worldOf('files', {}, entry.open);
    for (const address of [
      's3://key:hidden@bucket',
      'hidden',
      'memory://key:hidden@/in/../x',
      'memory://k:hidden@/nowhere/a',
    ]) {
      const answer = await world.send(ask(`GET /API/storage/VX-1/file/uri/${enc(address)}`));
      expect([address, answer.status >= 400]).toEqual([address, true]);
      expect(answer.body).not.toContain('key:hidden');
      expect(answer.body).not.toContain('k:hidden');
    }
  });

  it('answer 404 for what no file has', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    const missing = ['/storage/VX-1/file/path/b.mov', '/storage/file/path/A.MOV', `/storage/VX-2/file/path/a.mov`];
    for (const address of [
      ...missing,
      '/storage/VX-9/file/path/a.mov',
      `/storage/file/uri/${enc('memory:///in/b.mov')}`,
    ])
      expect([address, (await world.send(ask(`GET /API${address}`))).status]).toEqual([address, 404]);
  });
});
