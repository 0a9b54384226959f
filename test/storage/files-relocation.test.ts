import { expect, it } from 'vitest';
import { register, registered, useFile } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, rowsOf } from '../support/requests.ts';
import { playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { librarian, viewer, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const hash = '3f24f48dac74de775ccfb8184d3b5d28cd561613';

const rows: readonly Scenario[] = [
  {
    ...ask('POST /API/storage/VX-1/file/VX-1/path?path=b%2Fc.mov'),
    name: 'makes a new file, and the old one waits for its deletion',
    status: 200,
    says: {
      jsonPart: { id: 'VX-2', path: 'b/c.mov', storage: 'VX-1', state: 'CLOSED', uri: ['memory:///in/b/c.mov'] },
    },
    events: [
      ['file/new', 'VX-2', { fileId: 'VX-2', itemId: ['VX-7'], shapeId: ['VX-12'] }],
      ['file/change', 'VX-1', { fileId: 'VX-1', itemId: ['VX-7'], shapeId: ['VX-12'] }],
    ],
  },
  {
    ...ask('POST /API/file/VX-1/path?path=a.mov&storage=VX-2'),
    name: 'takes the file to another storage',
    status: 200,
    says: { jsonPart: { id: 'VX-2', path: 'a.mov', storage: 'VX-2', uri: ['memory:///out/a.mov'] } },
    events: [
      ['file/new', 'VX-2', { storageId: 'VX-2' }],
      ['file/change', 'VX-1', { storageId: 'VX-1' }],
    ],
  },
  {
    ...ask('POST /API/file/VX-1/path?path=b.mov&state=OPEN'),
    name: 'takes a state for the new file',
    status: 200,
    says: { jsonPart: { state: 'OPEN' } },
    events: [
      ['file/new', 'VX-2'],
      ['file/change', 'VX-1'],
    ],
  },
  {
    ...ask('POST /API/file/VX-1/path?path=b.mov&duplicate=true'),
    name: 'has both files with duplicate=true',
    status: 200,
    says: { jsonPart: { id: 'VX-2', path: 'b.mov' } },
    events: [['file/new', 'VX-2', { itemId: ['VX-7'] }]],
  },
  {
    ...ask('POST /API/file/VX-1/path?path=a.mov'),
    name: 'refuses the path that the file has',
    status: 409,
    says: { jsonPart: { fileAlreadyExists: { fileId: 'VX-1', path: 'a.mov' } } },
  },
  {
    ...ask('POST /API/file/VX-1/path?path=taken.mov'),
    name: 'refuses the path of another file',
    given: registered('taken.mov'),
    status: 409,
    says: { jsonPart: { fileAlreadyExists: { storageId: 'VX-1', fileId: 'VX-2', path: 'taken.mov' } } },
  },
  { ...ask('POST /API/file/VX-1/path'), name: 'needs a path', status: 400 },
  { ...ask('POST /API/file/VX-1/path?path=..%2Fb.mov'), name: 'refuses a path out of the storage', status: 400 },
  { ...ask('POST /API/file/VX-1/path?path=b.mov&storage=VX-9'), name: 'needs a storage that is there', status: 404 },
  { ...ask('POST /API/file/VX-9/path?path=b.mov'), name: 'needs a file that is there', status: 404 },
  { ...ask('POST /API/file/VX-1/path?path=b.mov'), as: viewer, name: 'needs the role', status: 403 },
];

describeMatrix('a file whose bytes were moved', (entry) => {
  const open = async () => {
    const world = await worldOf('files', {}, entry.open);
    const size = { size: 12, hash, state: 'CLOSED', metadata: { field: [{ key: 'mtime', value: '1' }] } };
    await prepare(world, [
      ask('POST /API/storage/VX-1/file', { path: 'a.mov', ...size }),
      ask('PUT /API/file/VX-1/external-id/tape:1'),
    ]);
    await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14');
    return world;
  };
  const uses = async (world: Awaited<ReturnType<typeof open>>) =>
    (await rowsOf(world, 'file_use')).map((row) => `${row['file_id']} ${row['component_id']}`).toSorted();

  for (const row of rows) {
    it(row.name, async () => {
      await playScenario(await open(), row);
    });
  }

  it('is used by the same components, with its size, hash, metadata and names', async () => {
    const world = await open();
    await prepare(world, [ask('POST /API/file/VX-1/path?path=b.mov')]);
    expect(await uses(world)).toEqual(['VX-2 VX-14']);
    const file = JSON.parse((await world.send(ask('GET /API/file/tape:1'))).body) as object;
    expect(file).toMatchObject({ id: 'VX-2', size: 12, hash, metadata: { field: [{ key: 'mtime', value: '1' }] } });
    const old = (await rowsOf(world, 'file')).find((each) => each['id'] === 'VX-1');
    expect(old).toMatchObject({ state: 'TO_BE_DELETED', delete_due: world.clock.now() });
  });

  it('belongs to the components at both places with duplicate=true, and nothing is deleted', async () => {
    const world = await open();
    await prepare(world, [ask('POST /API/file/VX-1/path?path=b.mov&duplicate=true')]);
    expect(await uses(world)).toEqual(['VX-1 VX-14', 'VX-2 VX-14']);
    expect((await rowsOf(world, 'file')).map((row) => row['state'])).toEqual(['CLOSED', 'CLOSED']);
    expect(JSON.parse((await world.send(ask('GET /API/file/tape:1'))).body)).toMatchObject({ id: 'VX-1' });
  });

  it('leaves its old path to another file', async () => {
    const world = await open();
    await prepare(world, [ask('POST /API/file/VX-1/path?path=b.mov'), register('a.mov')]);
    expect(JSON.parse((await world.send(ask('GET /API/storage/VX-1/file/path/a.mov'))).body)).toMatchObject({
      id: 'VX-3',
    });
  });
});
