import { expect, it } from 'vitest';
import { fileStates } from '../../src/storage/files/rules.ts';
import { register, useFile } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, bodyOf, rowsOf } from '../support/requests.ts';
import { type ExpectedEvent, playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { librarian, type RoomWorld, viewer, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const hash = '3f24f48dac74de775ccfb8184d3b5d28cd561613';
const set = (state: string) => ask(`PUT /API/file/VX-1/state/${state}`);
const rowOf = async (world: RoomWorld, id = 'VX-1') => (await rowsOf(world, 'file')).find((row) => row['id'] === id)!;

describeMatrix('the states of files that callers set', (entry) => {
  for (const from of fileStates) {
    it(`goes from ${from} to every state, and tells of each that is another one`, async () => {
      const world = await worldOf('files', {}, entry.open);
      await prepare(world, [register('a.mov', { state: from })]);
      let now: string = from;
      for (const to of [...fileStates, from]) {
        const event: readonly ExpectedEvent[] =
          to === now
            ? []
            : [[to === 'CLOSED' ? 'file/close' : 'file/change', 'VX-1', { fileId: 'VX-1', storageId: 'VX-1' }]];
        const row: Scenario = {
          ...set(to),
          name: to,
          status: 200,
          says: { jsonPart: { id: 'VX-1', state: to } },
          events: event,
        };
        await playScenario(world, row);
        now = to;
      }
    });
  }

  it('tells who uses the file', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14', 'VX-7 VX-13 VX-15');
    const payload = { fileId: 'VX-1', storageId: 'VX-1', itemId: ['VX-7'], shapeId: ['VX-12', 'VX-13'] };
    await playScenario(world, {
      ...set('CLOSED'),
      name: 'to CLOSED',
      status: 200,
      events: [['file/close', 'VX-1', payload]],
    });
  });

  it('answers the state as text, and takes it in small letters', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    const answer = await world.send({ ...set('closed'), headers: { accept: 'text/plain' } });
    expect([answer.status, answer.body]).toEqual([200, 'CLOSED']);
  });

  it('refuses a word that is no state, and callers without the role', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    await playScenario(world, {
      ...set('SHUT'),
      name: 'a word',
      status: 400,
      says: { contains: ['Expected one of NONE, OPEN'] },
    });
    await playScenario(world, { ...set('OPEN'), as: viewer, name: 'a role', status: 403 });
    await playScenario(world, { ...ask('PUT /API/file/VX-9/state/OPEN'), name: 'a file', status: 404 });
  });

  it('waits with the bytes of a deleted file for as long as the setting says', async () => {
    const world = await worldOf('files', { settings: { deleteGraceHours: 2 } }, entry.open);
    await prepare(world, [register('a.mov'), set('TO_BE_DELETED')]);
    expect((await rowOf(world))['delete_due']).toBe(world.clock.now() + 2 * 3_600_000);
    await prepare(world, [set('CLOSED')]);
    expect((await rowOf(world))['delete_due']).toBeNull();
  });

  it('never gives two files one path: a deleted one stays so while another has its path', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov'), set('TO_BE_DELETED'), register('a.mov')]);
    await playScenario(world, {
      ...set('CLOSED'),
      name: 'back to CLOSED',
      status: 409,
      says: { jsonPart: { fileAlreadyExists: { storageId: 'VX-1', fileId: 'VX-2', path: 'a.mov' } } },
    });
  });

  it('has closed files hashed, and forgets the hash of one that opens', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov'), set('CLOSED')]);
    expect((await rowOf(world))['hash_due']).toBe(world.clock.now());
    await prepare(world, [ask(`PUT /API/file/VX-1/hash/${hash}`)]);
    expect(await rowOf(world)).toMatchObject({ hash, hash_due: null });
    await prepare(world, [set('BEING_READ')]);
    expect(await rowOf(world)).toMatchObject({ hash, hash_due: null });
    await prepare(world, [set('OPEN')]);
    expect(await rowOf(world)).toMatchObject({ hash: null, hash_due: null });
  });
});

describeMatrix('hashes of files that callers set', (entry) => {
  const rows: readonly Scenario[] = [
    {
      ...ask(`PUT /API/file/VX-1/hash/${hash.toUpperCase()}`),
      name: 'sets the hash and tells of it',
      status: 200,
      says: { exact: '' },
      events: [['file/hash', 'VX-1']],
    },
    {
      ...ask(`PUT /API/file/VX-1/hash/${hash}`),
      name: 'tells nobody of the hash that it has',
      given: [ask(`PUT /API/file/VX-1/hash/${hash}`)],
      status: 200,
    },
    {
      ...ask(`PUT /API/file/VX-1/hash/${'ab'.repeat(16)}?algorithm=MD5`),
      name: 'keeps a hash of another algorithm as metadata',
      status: 200,
      events: [['file/hash', 'VX-1']],
    },
    {
      ...ask(`PUT /API/file/VX-1/hash/${'ab'.repeat(16)}?algorithm=md5`),
      name: 'tells nobody of such a hash that it has',
      given: [ask(`PUT /API/file/VX-1/hash/${'ab'.repeat(16)}?algorithm=MD5`)],
      status: 200,
    },
    {
      ...ask(`PUT /API/file/VX-1/hash/${hash}0`),
      name: 'refuses a hash that is too long',
      status: 400,
      says: { contains: ['Expected 40 hexadecimal digits for SHA-1'] },
    },
    { ...ask(`PUT /API/file/VX-1/hash/${hash.slice(1)}g`), name: 'refuses what is not hexadecimal', status: 400 },
    {
      ...ask(`PUT /API/file/VX-1/hash/${hash}?algorithm=CRC`),
      name: 'refuses an algorithm that it does not know',
      status: 400,
    },
    { ...ask(`PUT /API/file/VX-1/hash/${hash}`), as: viewer, name: 'needs the role', status: 403 },
  ];
  for (const row of rows) {
    it(row.name, async () => {
      const world = await worldOf('files', {}, entry.open);
      await prepare(world, [register('a.mov')]);
      await playScenario(world, row);
    });
  }

  it('answers them with the file', async () => {
    const world = await worldOf('files', {}, entry.open);
    const md5 = 'ab'.repeat(16);
    await prepare(world, [
      register('a.mov'),
      ask(`PUT /API/file/VX-1/hash/${hash}`),
      ask(`PUT /API/file/VX-1/hash/${md5}?algorithm=MD5`),
    ]);
    expect(bodyOf(await world.send(ask('GET /API/file/VX-1')))).toMatchObject({
      hash,
      metadata: { field: [{ key: 'hash_MD5', value: md5 }] },
    });
  });
});

describeMatrix('files that are forgotten or abandoned', (entry) => {
  it('forgets a row with its metadata and names, and leaves the bytes', async () => {
    const world = await worldOf('files', {}, entry.open);
    const place = world.storage.place('memory:///in/');
    place.put('a.mov', 'bytes');
    await prepare(world, [
      register('a.mov'),
      ask('PUT /API/file/VX-1/metadata/color', 'red'),
      ask('PUT /API/file/VX-1/external-id/tape:1'),
    ]);
    await playScenario(world, {
      ...ask('DELETE /API/file/VX-1/entity'),
      name: 'once',
      status: 200,
      says: { exact: '' },
      events: [['file/delete', 'VX-1', { fileId: 'VX-1', storageId: 'VX-1' }]],
    });
    expect(await rowsOf(world, 'file')).toEqual([]);
    expect((await rowsOf(world, 'key_value')).filter((row) => row['entity_type'] === 'file')).toEqual([]);
    expect((await rowsOf(world, 'external_id')).filter((row) => row['entity_type'] === 'file')).toEqual([]);
    expect(place.files.has('a.mov')).toBe(true);
    await playScenario(world, { ...ask('DELETE /API/file/VX-1/entity'), name: 'twice', status: 404 });
  });

  it('refuses to forget what a component uses', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14');
    await playScenario(world, {
      ...ask('DELETE /API/file/VX-1/entity'),
      name: 'used',
      status: 409,
      answers: { 'portico-error': 'file-used' },
      says: { jsonPart: { conflict: { context: 'File', id: 'VX-1' } } },
    });
  });

  it('takes a file from the components of one item, or of all', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14', 'VX-8 VX-13 VX-15');
    const both = { itemId: ['VX-7', 'VX-8'], shapeId: ['VX-12', 'VX-13'] };
    const byAdmin = (query: string) => ({ ...ask(`PUT /API/file/VX-1/abandon${query}`), as: admin });
    const none = {
      ...byAdmin('?item=VX-9'),
      name: 'of an item that does not use it',
      status: 200,
    };
    await playScenario(world, none);
    const one = { ...byAdmin('?item=VX-7'), name: 'of one item', status: 200 };
    await playScenario(world, { ...one, events: [['file/change', 'VX-1', both]] });
    expect((await rowsOf(world, 'file_use')).map((row) => row['item_id'])).toEqual(['VX-8']);
    const all = { ...byAdmin(''), name: 'of all items', status: 200 };
    await playScenario(world, { ...all, events: [['file/change', 'VX-1', { itemId: ['VX-8'] }]] });
    expect(await rowsOf(world, 'file_use')).toEqual([]);
    await playScenario(world, all);
  });

  it('who writes files takes none from the items of others', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14');
    for (const query of ['', '?item=VX-7'])
      await playScenario(world, {
        ...ask(`PUT /API/file/VX-1/abandon${query}`),
        name: `abandon${query}`,
        status: 403,
        answers: { 'portico-error': 'not-allowed' },
      });
  });
});
