import { expect, it } from 'vitest';
import { register, registered, useFile } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking } from '../support/requests.ts';
import { playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { librarian, viewer, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const taken = { fileAlreadyExists: { storageId: 'VX-1', fileId: 'VX-1', path: 'in/a.mov' } };

/** Each row of the table of routes: status, body, events, and that nothing else happens. */
const registering: readonly Scenario[] = [
  {
    ...register('in/a.mov', { state: 'OPEN' }),
    name: 'registers a file by its path',
    status: 200,
    says: {
      json: {
        id: 'VX-1',
        path: 'in/a.mov',
        uri: ['memory:///in/in/a.mov'],
        state: 'OPEN',
        timestamp: '2030-01-01T00:00:00.000+0000',
        refreshFlag: 1,
        storage: 'VX-1',
      },
    },
    events: [['file/new', 'VX-1', { fileId: 'VX-1', storageId: 'VX-1' }]],
  },
  {
    ...register('in/a.mov'),
    name: 'registers a file without a state as NONE',
    status: 200,
    says: { jsonPart: { state: 'NONE' } },
    events: [['file/new', 'VX-1']],
  },
  {
    ...register('in/a.mov', { state: 'OPEN' }),
    name: 'answers the fault fileAlreadyExists with the file that clients go on with',
    given: [register('in/a.mov')],
    status: 409,
    answers: { 'portico-error': 'file-exists' },
    says: { jsonPart: taken },
  },
  {
    ...register('in/a.mov', { state: 'CLOSED', createOnly: 'false' }),
    name: 'changes the file of a path with createOnly=false',
    given: [register('in/a.mov')],
    status: 200,
    says: { jsonPart: { id: 'VX-1', state: 'CLOSED' } },
    events: [['file/close', 'VX-1']],
  },
  {
    ...register('in/a.mov', { createOnly: 'false' }),
    name: 'changes nothing and tells nobody where there is nothing new',
    given: [register('in/a.mov')],
    status: 200,
    says: { jsonPart: { id: 'VX-1', state: 'NONE' } },
  },
  {
    ...ask('POST /API/storage/VX-1/file?createOnly=false', {
      path: 'in/b.mov',
      state: 'CLOSED',
      uri: 'memory:///in/in/b.mov',
    }),
    name: 'reads path, state and address from JSON, with createOnly in the query',
    status: 200,
    says: { jsonPart: { id: 'VX-1', path: 'in/b.mov', state: 'CLOSED' } },
    events: [['file/new', 'VX-1']],
  },
  {
    ...ask('POST /API/storage/VX-1/file', {
      path: 'a.mov',
      size: 12,
      hash: '3F24f48dac74de775ccfb8184d3b5d28cd561613',
      metadata: { field: [{ key: 'mtime', value: '1' }] },
    }),
    name: 'keeps size, hash and metadata of the document',
    status: 200,
    says: {
      jsonPart: {
        size: 12,
        hash: '3f24f48dac74de775ccfb8184d3b5d28cd561613',
        metadata: { field: [{ key: 'mtime', value: '1' }] },
      },
    },
    events: [['file/new', 'VX-1']],
  },
  {
    ...ask('POST /API/storage/file?uri=memory%3A%2F%2F%2Fout%2Fb%20c.mov'),
    name: 'finds the storage by the address of the file',
    status: 200,
    says: { jsonPart: { storage: 'VX-2', path: 'b c.mov', uri: ['memory:///out/b%20c.mov'] } },
    events: [['file/new', 'VX-1']],
  },
  {
    ...ask('POST /API/storage/file?uri=memory%253A%252F%252F%252Fout%252Fb.mov'),
    name: 'reads an address that is encoded twice',
    status: 200,
    says: { jsonPart: { storage: 'VX-2', path: 'b.mov' } },
    events: [['file/new', 'VX-1']],
  },
  {
    ...ask('POST /API/storage/file?path=a.mov'),
    name: 'needs an address where no storage is named',
    status: 400,
    says: { contains: ['Expected the address of the file'] },
  },
  {
    ...ask('POST /API/storage/file?uri=memory%3A%2F%2F%2Fnowhere%2Fa.mov'),
    name: 'refuses an address of no storage',
    status: 400,
    says: { contains: ['Expected an address below a method of a storage'] },
  },
  {
    ...ask('POST /API/storage/VX-1/file?uri=memory%3A%2F%2F%2Fout%2Fa.mov'),
    name: 'refuses the address of another storage',
    status: 400,
  },
  { ...ask('POST /API/storage/VX-1/file'), name: 'needs a path or an address', status: 400 },
  {
    ...register('a.mov', {}, 'VX-9'),
    name: 'answers 404 for a storage that is not there',
    status: 404,
    says: { jsonPart: { notFound: { type: 'Storage', id: 'VX-9' } } },
  },
  { ...register('a.mov', { state: 'SHUT' }), name: 'refuses a state that nobody knows', status: 400 },
  { ...ask('POST /API/storage/VX-1/file', { path: 'a', state: 'SHUT' }), name: 'also in a document', status: 400 },
  {
    ...ask('POST /API/storage/VX-1/file', { path: 'a', hash: 'abc' }),
    name: 'refuses a hash of the wrong length',
    status: 400,
  },
  { ...ask('POST /API/storage/VX-1/file', { path: 'a', size: -1 }), name: 'refuses a negative size', status: 400 },
  { ...register('a.mov'), as: viewer, name: 'lets nobody register without the role', status: 403 },
  {
    ...register('a.mov'),
    headers: { accept: 'text/plain' },
    name: 'answers the id of a new file as text',
    status: 200,
    says: { exact: 'VX-1' },
    events: [['file/new', 'VX-1']],
  },
];

const reading: readonly Scenario[] = [
  {
    ...ask('GET /API/file/VX-1'),
    name: 'leaves the size out while it is not known',
    given: registered('a.mov'),
    status: 200,
    says: {
      json: {
        id: 'VX-1',
        path: 'a.mov',
        uri: ['memory:///in/a.mov'],
        state: 'CLOSED',
        timestamp: '2030-01-01T00:00:00.000+0000',
        refreshFlag: 1,
        storage: 'VX-1',
      },
    },
  },
  {
    ...ask('GET /API/file/VX-1'),
    headers: { accept: 'text/plain' },
    name: 'answers the id as text',
    given: registered('a.mov'),
    status: 200,
    says: { exact: 'VX-1' },
  },
  {
    ...ask('GET /API/file/VX-7'),
    name: 'answers 404 of type File',
    status: 404,
    says: { jsonPart: { notFound: { type: 'File', id: 'VX-7' } } },
  },
  {
    ...ask('GET /API/storage/VX-2/file/VX-1'),
    name: 'answers 404 below another storage',
    given: registered('a.mov'),
    status: 404,
  },
  {
    ...ask('GET /API/file/VX-1'),
    as: undefined,
    name: 'tells nobody without credentials',
    given: registered('a.mov'),
    status: 401,
  },
  {
    ...ask('GET /API/file/VX-1?scheme=http'),
    name: 'shows the addresses of one scheme only',
    given: registered('a.mov'),
    status: 200,
    says: { jsonPart: { uri: [] } },
  },
  {
    ...ask('GET /API/file/VX-1?methodType=HSM'),
    name: 'shows the addresses of methods of a type only',
    given: registered('a.mov'),
    status: 200,
    says: { jsonPart: { uri: [] } },
  },
  {
    ...ask('GET /API/file/VX-1?storageType=local'),
    name: 'shows addresses on storages of a type only',
    given: registered('a.mov'),
    status: 200,
    says: { jsonPart: { uri: ['memory:///in/a.mov'] } },
  },
  {
    ...ask('PUT /API/file/VX-1/re-index'),
    name: 'answers a re-index',
    given: registered('a.mov'),
    status: 200,
    says: { exact: 'VX-1' },
    headers: {},
  },
  {
    ...ask('PUT /API/file/VX-1/restore?expirationInDays=3'),
    headers: {},
    name: 'restores nothing that is not there',
    given: registered('a.mov'),
    status: 404,
  },
  {
    ...ask('GET /API/file/VX-1/shape'),
    name: 'tells that no shape uses it',
    given: registered('a.mov'),
    status: 200,
    says: { json: { hits: 0, shape: [] } },
  },
];

describeMatrix('files', (entry) => {
  for (const row of [...registering, ...reading]) {
    it(row.name, async () => {
      await playScenario(await worldOf('files', {}, entry.open), row);
    });
  }

  it('tells who uses a file: items, shapes, components', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14', 'VX-7 VX-12 VX-15', 'VX-8 VX-20 VX-30');
    const item = [
      { id: 'VX-7', shape: [{ id: 'VX-12', component: [{ id: 'VX-14' }, { id: 'VX-15' }] }] },
      { id: 'VX-8', shape: [{ id: 'VX-20', component: [{ id: 'VX-30' }] }] },
    ];
    await playScenario(world, {
      ...ask('GET /API/storage/VX-1/file/VX-1;includeItem=true'),
      name: 'with the file',
      status: 200,
      says: { jsonPart: { id: 'VX-1', item } },
    });
    await playScenario(world, {
      ...ask('GET /API/storage/file/VX-1/shape'),
      name: 'by shape',
      status: 200,
      says: {
        json: {
          hits: 2,
          shape: [
            { id: 'VX-12', item: [{ id: 'VX-7' }] },
            { id: 'VX-20', item: [{ id: 'VX-8' }] },
          ],
        },
      },
    });
  });

  it('shows one address for each method that reads, and never who logs in there', async () => {
    const world = await worldOf('files', {}, entry.open);
    const method = (id: string, uri: string, read: number, type: string) => ({
      sql: `INSERT INTO storage_method (id, serial, storage_id, uri, user_name, sealed, read, write, browse, bandwidth, type, version)
        VALUES (?, ?, 'VX-1', ?, 'ann', 'sealed', ?, 1, 1, 0, ?, 1)`,
      args: [id, Number(id.slice(3)), uri, read, type],
    });
    const changes = [
      method('VX-10', 'ftp://host/in?passive=false', 1, 'NONE'),
      method('VX-11', 'http://host/proxy/', 1, 'AUTO'),
      method('VX-12', 'sftp://host/in/', 0, ''),
    ];
    await world.service.store.commit({ changes, events: [] }, { user: 'test' });
    await prepare(world, [register('a b/ü#%?.mov')]);
    const path = 'a%20b/%C3%BC%23%25%3F.mov';
    const uris = async (query: string) => {
      const answer = await world.send(ask(`GET /API/file/VX-1${query}`));
      expect(answer.body).not.toContain('ann');
      return (JSON.parse(answer.body) as { uri: string[] }).uri;
    };
    expect(await uris('')).toEqual([`memory:///in/${path}`, `ftp://host/in/${path}`]);
    expect(await uris('?methodType=AUTO')).toEqual([`http://host/proxy/${path}`]);
    expect(await uris('?scheme=ftp')).toEqual([`ftp://host/in/${path}`]);
    const keys = { sql: `INSERT INTO key_value VALUES ('storage-method', 'VX-10', 'site', 0, 'lab')`, args: [] };
    await world.service.store.commit({ changes: [keys], events: [] }, { user: 'test' });
    expect(await uris('?methodMetadata=site%3Dlab')).toEqual([`ftp://host/in/${path}`]);
    expect(await uris('?methodMetadata=site%3Dhome')).toEqual([]);
  });

  it('has no file of a storage that is deleted', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    const changes = [{ sql: `UPDATE storage SET deleted_at = 1 WHERE id = 'VX-1'`, args: [] }];
    await world.service.store.commit({ changes, events: [] }, { user: 'test' });
    for (const request of ['GET /API/file/VX-1', 'PUT /API/file/VX-1/state/OPEN', 'DELETE /API/file/VX-1/entity'])
      expect((await world.send(ask(request))).status, request).toBe(404);
  });
});
