import { describe, expect, it } from 'vitest';
import { startOfTime } from '../support/clock.ts';
import { by, jsonOf, plain, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import {
  fetchEntry,
  fileRows,
  mediaOptions,
  missing,
  newStorage,
  noSuch,
  openStorages,
  recorded,
  recordedAnswer,
  storageAt,
} from '../support/storages.ts';
import { givenTo, looker } from '../support/world.ts';

describe('a storage', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'is read as it was answered',
      given: [newStorage()],
      ...by('GET /API/storage/VX-1'),
      status: 200,
      says: { exact: recordedAnswer },
    },
    { name: 'is read by who may read', given: [newStorage()], ...by('GET /API/storage/VX-1'), as: looker, status: 200 },
    { name: 'is not found as recorded', ...by(`GET /API/storage/${missing}`), status: 404, says: noSuch },
    {
      name: 'is found by an external id',
      given: [newStorage(), by('PUT /API/storage/VX-1/external-id/disk-a')],
      ...by('GET /API/storage/disk-a'),
      status: 200,
      says: { jsonPart: { id: 'VX-1' } },
    },
    {
      name: 'tells its state and its free bytes as text',
      given: [newStorage()],
      ...by('GET /API/storage/VX-1/status', undefined, plain),
      status: 200,
      answers: { 'content-type': 'text/plain; charset=UTF-8' },
      says: { exact: 'NONE' },
    },
    {
      name: 'tells its free bytes',
      given: [newStorage()],
      ...by('GET /API/storage/VX-1/freespace', undefined, plain),
      status: 200,
      says: { exact: '1500000' },
    },
    {
      name: 'has no state where it is not',
      ...by(`GET /API/storage/${missing}/status`, undefined, plain),
      status: 404,
    },
    {
      name: 'has no room where it is not',
      ...by(`GET /API/storage/${missing}/freespace`, undefined, plain),
      status: 404,
    },
    {
      name: 'changes its type',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1/type/archive'),
      status: 200,
      says: { exact: '' },
    },
    { name: 'has no other types', given: [newStorage()], ...by('PUT /API/storage/VX-1/type/DISK'), status: 400 },
    { name: 'has no type where it is not', ...by(`PUT /API/storage/${missing}/type/LOCAL`), status: 404 },
    {
      name: 'is changed by nobody who may only read',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1', {}),
      as: looker,
      status: 403,
    },
    {
      name: 'is not changed where it is not',
      ...by(`PUT /API/storage/${missing}`, recorded),
      status: 404,
      says: noSuch,
    },
    {
      name: 'is refused a change without a document',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1'),
      status: 400,
    },
    {
      name: 'is changed as recorded: an equal address keeps the id of its method',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1', {
        ...recorded,
        metadata: { field: [{ key: 'name', value: 'updated_test_storage' }] },
      }),
      status: 200,
      says: {
        exact: recordedAnswer.replace('"test_storage"', '"updated_test_storage"'),
      },
    },
    {
      name: 'keeps what a change does not name',
      given: [newStorage({ ...recorded, scanInterval: 30, priority: 'LOW', bandwidth: 7 })],
      ...by('PUT /API/storage/VX-1', { metadata: { field: [{ key: 'city', value: 'Rome' }] }, autoDetect: true }),
      status: 200,
      says: {
        jsonPart: {
          type: 'LOCAL',
          capacity: 1_500_000,
          method: [{ id: 'VX-1', uri: 'memory:///srv/media1/' }],
          metadata: {
            field: [
              { key: 'name', value: 'test_storage' },
              { key: 'purpose', value: 'tests' },
              { key: 'city', value: 'Rome' },
            ],
          },
          lowWatermark: 1_350_000,
          scanInterval: 30,
          autoDetect: true,
          priority: 'LOW',
          bandwidth: 7,
        },
      },
    },
    {
      name: 'moves its watermarks with its capacity',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1', { capacity: 1000 }),
      status: 200,
      says: { jsonPart: { capacity: 1000, freeCapacity: 1000, lowWatermark: 900, highWatermark: 750 } },
    },
    {
      name: 'adds methods, changes those that are named by id, and keeps the others',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1', {
        method: [
          { uri: 'memory:///other/', browse: false },
          { id: 'VX-1', uri: 'memory:///moved/', write: false },
        ],
      }),
      status: 200,
      says: {
        jsonPart: {
          method: [
            { id: 'VX-1', uri: 'memory:///moved/', read: true, write: false, browse: true },
            { id: 'VX-2', uri: 'memory:///other/', read: true, write: true, browse: false },
          ],
        },
      },
    },
    {
      name: 'is answered as text to a caller who reads text',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1', {}, plain),
      status: 200,
      says: { exact: 'VX-1' },
    },
  ];
  itHolds(fetchEntry, rows, mediaOptions({ given: givenTo('storages') }));

  it('has as much room as its files leave, and never less than none', async () => {
    const world = await openStorages();
    await send(world, newStorage({ capacity: 1000 }));
    await fileRows(world, 'VX-1', 3, { size: 100 });
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ freeCapacity: 700 });
    expect((await send(world, by('GET /API/storage/VX-1/freespace', undefined, plain))).body).toBe('700');
    expect((await send(world, by('GET /API/storage/VX-1/usedspace', undefined, plain))).body).toBe('300');
    await fileRows(world, 'VX-1', 1, { size: 5000, from: 10 });
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ freeCapacity: 0 });
  });

  it('has the room of its disk where it is told to detect it, and the time of the last look', async () => {
    const world = await openStorages();
    await send(world, storageAt('in', { autoDetect: true }));
    const found = {
      sql: 'UPDATE storage SET capacity = 1000240963584, free_detected = 331430416384, seen_at = ?',
      args: [startOfTime],
    };
    await world.service.store.commit({ changes: [found], events: [] }, { user: 'test' });
    const { body } = await send(world, by('GET /API/storage/VX-1'));
    expect(body).toContain(
      '"capacity":1000240963584,"freeCapacity":331430416384,"timestamp":"2030-01-01T00:00:00.000+0000","method"',
    );
    expect((await send(world, by('GET /API/storage/VX-1', undefined, xml))).body).toContain(
      '<timestamp>2030-01-01T00:00:00.000Z</timestamp>',
    );
    await send(world, by('PUT /API/storage/VX-1', { autoDetect: false, capacity: 1000 }));
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ freeCapacity: 1000, autoDetect: false });
  });

  it('changes nothing of what a scan writes meanwhile', async () => {
    const world = await openStorages();
    await send(world, storageAt('in'));
    const scanned = { sql: "UPDATE storage SET state = 'READY', capacity = 77", args: [] };
    await world.service.store.commit({ changes: [scanned], events: [] }, { user: 'scan' });
    await send(world, by('PUT /API/storage/VX-1', { scanInterval: 10 }));
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ state: 'READY', capacity: 77 });
  });

  it('is scanned from the start, when its interval changes, and when somebody asks', async () => {
    const world = await openStorages();
    const due = async (id: string) =>
      (await world.service.store.read('SELECT due FROM storage_scan WHERE storage_id = ?', [id]))[0]?.[0];
    await send(world, storageAt('a'));
    expect(await due('VX-1')).toBe(startOfTime);
    await send(world, storageAt('b', { scanInterval: -1 }));
    expect(await due('VX-2')).toBeUndefined();
    await send(world, by('POST /API/storage/VX-2/rescan'));
    expect(await due('VX-2')).toBe(startOfTime);
    await send(world, by('PUT /API/storage/VX-1', { scanInterval: -1 }));
    expect(await due('VX-1')).toBeNull();
    await world.clock.advance(1000);
    await send(world, by('PUT /API/storage/VX-1', { scanInterval: 5 }));
    expect(await due('VX-1')).toBe(startOfTime + 1000);
  });

  it('coalesces requests for scans with the one that is due', async () => {
    const world = await openStorages();
    await send(world, storageAt('a'));
    await send(world, storageAt('b', { type: 'EXPORT', scanInterval: -1 }));
    await world.clock.advance(1000);
    const { status, body } = await world.send(by('POST /API/storage/VX-1/rescan'));
    expect([status, body]).toEqual([200, '']);
    await send(world, by('POST /API/storage/VX-2/rescan'));
    const due = () => world.service.store.read('SELECT storage_id, due FROM storage_scan');
    expect(await due()).toEqual([['VX-1', startOfTime]]);
    const end = { sql: 'UPDATE storage_scan SET due = ?', args: [startOfTime + 60_000] };
    await world.service.store.commit({ changes: [end], events: [] }, { user: 'scan' });
    await send(world, by('POST /API/storage/rescan'));
    expect(await due()).toEqual([['VX-1', startOfTime + 1000]]);
    expect((await world.send(by(`POST /API/storage/${missing}/rescan`))).status).toBe(404);
  });
});
