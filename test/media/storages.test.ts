import { describe, expect, it } from 'vitest';
import { alice } from '../support/cast.ts';
import { startOfTime } from '../support/clock.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import {
  by,
  done,
  fetchEntry,
  fileRows,
  jsonOf,
  keeper,
  looker,
  mediaOptions,
  newStorage,
  openStorages,
  people,
  plain,
  recorded,
  storageAt,
  xml,
} from './storages-support.ts';

const created = ['storage/create', 'VX-1', { storageId: 'VX-1' }] as const;
const missing = 'VX-1000000';
const noSuch = { jsonPart: { notFound: { type: 'Storage', id: missing, context: null } } };

const recordedAnswer =
  '{"id":"VX-1","state":"NONE","type":"LOCAL","capacity":1500000,"freeCapacity":1500000,' +
  '"method":[{"id":"VX-1","uri":"memory:///srv/media1/","read":true,"write":true,"browse":true,"type":"NONE"}],' +
  '"metadata":{"field":[{"key":"name","value":"test_storage"},{"key":"purpose","value":"tests"}]},' +
  '"lowWatermark":1350000,"highWatermark":1125000,"lowWatermarkPercentage":90,"highWatermarkPercentage":75,' +
  '"showImportables":true}';

describe('a new storage', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'M1, N12, storages 3.3: is answered as recorded, and told of once',
      ...newStorage(),
      status: 200,
      answers: { 'content-type': 'application/json' },
      says: { exact: recordedAnswer },
      events: [created],
    },
    {
      name: 'M1 comes in XML and is answered in XML',
      ...by(
        'POST /API/storage',
        '<StorageDocument xmlns="http://xml.vidispine.com/schema/vidispine"><type>LOCAL</type><capacity>1500000</capacity><method><uri>memory:///in/</uri><read>true</read><write>false</write></method><metadata><field><key>excludefilter</key><value>\\..*</value></field></metadata><lowWatermarkPercentage>70</lowWatermarkPercentage><highWatermarkPercentage>90</highWatermarkPercentage><scanInterval>-1</scanInterval><autoDetect>true</autoDetect><showImportables>true</showImportables></StorageDocument>',
        { 'content-type': 'application/xml' },
      ),
      status: 200,
      answers: { 'content-type': 'application/xml; charset=UTF-8' },
      says: {
        contains: [
          '<id>VX-1</id><state>NONE</state><type>LOCAL</type><capacity>1500000</capacity><freeCapacity>1500000</freeCapacity><method><id>VX-1</id><uri>memory:///in/</uri><read>true</read><write>false</write><browse>true</browse><type>NONE</type></method><metadata><field><key>excludefilter</key><value>\\..*</value></field></metadata><lowWatermark>1050000</lowWatermark><highWatermark>1350000</highWatermark><lowWatermarkPercentage>70</lowWatermarkPercentage><highWatermarkPercentage>90</highWatermarkPercentage><scanInterval>-1</scanInterval><autoDetect>true</autoDetect><showImportables>true</showImportables></StorageDocument>',
        ],
        lacks: ['<timestamp>', '<bandwidth>'],
      },
      events: [created],
    },
    {
      name: 'M1, storages 3.1: has the recorded defaults',
      ...newStorage({}),
      status: 200,
      says: {
        json: {
          id: 'VX-1',
          state: 'NONE',
          type: 'LOCAL',
          capacity: 1_000_000,
          freeCapacity: 1_000_000,
          method: [],
          metadata: { field: [] },
          lowWatermark: 1_000_000,
          highWatermark: 1_000_000,
          lowWatermarkPercentage: 100,
          highWatermarkPercentage: 100,
          showImportables: true,
        },
      },
      events: [created],
    },
    {
      name: 'is answered as its id to a caller who reads text',
      ...by('POST /API/storage', recorded, plain),
      status: 200,
      says: { exact: 'VX-1' },
      events: [created],
    },
    {
      name: 'M15, storages 3.3: rounds its watermarks down',
      ...newStorage({ capacity: 1001, lowWatermarkPercentage: 33, highWatermarkPercentage: 1 }),
      status: 200,
      says: { jsonPart: { lowWatermark: 330, highWatermark: 10 } },
      events: [created],
    },
    {
      name: 'M15 keeps watermarks that are given in bytes',
      ...newStorage({ capacity: 1_500_000, lowWatermark: 1_234_567, highWatermark: 2_000_000 }),
      status: 200,
      says: {
        jsonPart: {
          lowWatermark: 1_234_567,
          lowWatermarkPercentage: 82,
          highWatermark: 2_000_000,
          highWatermarkPercentage: 100,
        },
      },
      events: [created],
    },
    {
      name: 'keeps what only others read',
      ...newStorage({
        type: 'archive',
        priority: 'high',
        bandwidth: 5,
        projection: 'p',
        sequence: [{ regex: '(.*)[0-9]+', numGroup: 1 }],
        sequenceTimeout: 60,
        bean: 'b',
        archiveScript: 's',
        resourceTag: 't',
        scanInterval: 60,
        autoDetect: false,
        id: 'VX-77',
        state: 'READY',
        freeCapacity: 1,
      }),
      status: 200,
      says: {
        jsonPart: {
          id: 'VX-1',
          state: 'NONE',
          freeCapacity: 1_000_000,
          type: 'ARCHIVE',
          priority: 'HIGH',
          bandwidth: 5,
          projection: 'p',
          sequence: [{ regex: '(.*)[0-9]+', numGroup: 1 }],
          sequenceTimeout: 60,
          bean: 'b',
          archiveScript: 's',
          resourceTag: 't',
          scanInterval: 60,
          autoDetect: false,
        },
      },
      events: [created],
    },
    ...(
      [
        [{ type: 'CLOUD' }, '/StorageDocument/type'],
        [{ method: [{ read: true }] }, 'uri'],
        [{ method: [{ uri: '' }] }, 'an address with a scheme'],
        [{ capacity: -1 }, '/StorageDocument/capacity'],
        [{ lowWatermarkPercentage: 101 }, '/StorageDocument/lowWatermarkPercentage'],
        [{ highWatermark: -1 }, '/StorageDocument/highWatermark'],
        [{ scanInterval: 0 }, '/StorageDocument/scanInterval'],
        [{ scanInterval: -2 }, '/StorageDocument/scanInterval'],
        [{ priority: 'URGENT' }, 'HIGHEST'],
        [{ method: [{ uri: 'memory:///a/', bandwidth: -1 }] }, '/StorageDocument/method/bandwidth'],
        [{ method: Array.from({ length: 51 }, (_, n) => ({ uri: `memory:///${n}/` })) }, 'at most 50 methods'],
        [{ capacity: 'much' }, '/StorageDocument/capacity'],
      ] as const
    ).map(([document, told]) => ({
      name: `is refused with ${JSON.stringify(document).slice(0, 60)}`,
      ...newStorage(document),
      status: 400,
      says: { contains: [told] },
    })),
    { name: 'is refused without a document', ...by('POST /API/storage'), status: 400 },
    {
      name: 'is refused with one address twice',
      ...newStorage({ method: [{ uri: 'memory:///a/' }, { uri: 'memory:///a/' }] }),
      status: 409,
    },
    { name: 'needs the role', ...newStorage(), as: alice, given: [], status: 403 },
  ];
  itHolds(
    fetchEntry,
    rows,
    mediaOptions({
      given: [...people, { ...by('POST /API/user?passwordType=raw', { userName: alice[0], password: alice[1] }) }],
    }),
  );
});

describe('a storage', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'M1 is read as it was answered',
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
      name: 'M1 tells its state and its free bytes as text',
      given: [newStorage()],
      ...by('GET /API/storage/VX-1/status', undefined, plain),
      status: 200,
      answers: { 'content-type': 'text/plain; charset=UTF-8' },
      says: { exact: 'NONE' },
    },
    {
      name: 'M15 tells its free bytes',
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
      name: 'M1 changes its type',
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
      name: 'M1, storages 3.6: is changed as recorded: an equal address keeps the id of its method',
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
      name: 'M1, storages 3.6: keeps what a change does not name',
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
      name: 'M15 moves its watermarks with its capacity',
      given: [newStorage()],
      ...by('PUT /API/storage/VX-1', { capacity: 1000 }),
      status: 200,
      says: { jsonPart: { capacity: 1000, freeCapacity: 1000, lowWatermark: 900, highWatermark: 750 } },
    },
    {
      name: 'M15, storages 3.6: adds methods, changes those that are named by id, and keeps the others',
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
  itHolds(fetchEntry, rows, mediaOptions({ given: people }));

  it('M15, storages 3.2: has as much room as its files leave, and never less than none', async () => {
    const world = await openStorages();
    await done(world, newStorage({ capacity: 1000 }));
    await fileRows(world, 'VX-1', 3, { size: 100 });
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ freeCapacity: 700 });
    expect((await done(world, by('GET /API/storage/VX-1/freespace', undefined, plain))).body).toBe('700');
    await fileRows(world, 'VX-1', 1, { size: 5000, from: 10 });
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ freeCapacity: 0 });
  });

  it('M15, storages 3.2: has the room of its disk where it is told to detect it, and the time of the last look', async () => {
    const world = await openStorages();
    await done(world, storageAt('in', { autoDetect: true }));
    const found = {
      sql: 'UPDATE storage SET capacity = 1000240963584, free_detected = 331430416384, seen_at = ?',
      args: [startOfTime],
    };
    await world.service.store.commit({ changes: [found], events: [] }, { user: 'test' });
    const { body } = await done(world, by('GET /API/storage/VX-1'));
    expect(body).toContain(
      '"capacity":1000240963584,"freeCapacity":331430416384,"timestamp":"2030-01-01T00:00:00.000+0000","method"',
    );
    expect((await done(world, by('GET /API/storage/VX-1', undefined, xml))).body).toContain(
      '<timestamp>2030-01-01T00:00:00.000Z</timestamp>',
    );
    await done(world, by('PUT /API/storage/VX-1', { autoDetect: false, capacity: 1000 }));
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ freeCapacity: 1000, autoDetect: false });
  });

  it('changes nothing of what a scan writes meanwhile', async () => {
    const world = await openStorages();
    await done(world, storageAt('in'));
    const scanned = { sql: "UPDATE storage SET state = 'READY', capacity = 77", args: [] };
    await world.service.store.commit({ changes: [scanned], events: [] }, { user: 'scan' });
    await done(world, by('PUT /API/storage/VX-1', { scanInterval: 10 }));
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({ state: 'READY', capacity: 77 });
  });

  it('M7, storages 4.1: is scanned from the start, when its interval changes, and when somebody asks', async () => {
    const world = await openStorages();
    const due = async (id: string) =>
      (await world.service.store.read('SELECT due FROM storage_scan WHERE storage_id = ?', [id]))[0]?.[0];
    await done(world, storageAt('a'));
    expect(await due('VX-1')).toBe(startOfTime);
    await done(world, storageAt('b', { scanInterval: -1 }));
    expect(await due('VX-2')).toBeUndefined();
    await done(world, by('POST /API/storage/VX-2/rescan'));
    expect(await due('VX-2')).toBe(startOfTime);
    await done(world, by('PUT /API/storage/VX-1', { scanInterval: -1 }));
    expect(await due('VX-1')).toBeNull();
    await world.clock.advance(1000);
    await done(world, by('PUT /API/storage/VX-1', { scanInterval: 5 }));
    expect(await due('VX-1')).toBe(startOfTime + 1000);
  });

  it('M7, storages 4.1: coalesces requests for scans with the one that is due', async () => {
    const world = await openStorages();
    await done(world, storageAt('a'));
    await done(world, storageAt('b', { type: 'EXPORT', scanInterval: -1 }));
    await world.clock.advance(1000);
    const { status, body } = await world.send(by('POST /API/storage/VX-1/rescan'));
    expect([status, body]).toEqual([200, '']);
    await done(world, by('POST /API/storage/VX-2/rescan'));
    const due = () => world.service.store.read('SELECT storage_id, due FROM storage_scan');
    expect(await due()).toEqual([['VX-1', startOfTime]]);
    const end = { sql: 'UPDATE storage_scan SET due = ?', args: [startOfTime + 60_000] };
    await world.service.store.commit({ changes: [end], events: [] }, { user: 'scan' });
    await done(world, by('POST /API/storage/rescan'));
    expect(await due()).toEqual([['VX-1', startOfTime + 1000]]);
    expect((await world.send(by(`POST /API/storage/${missing}/rescan`))).status).toBe(404);
  });
});

describe('an evacuation', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'M15, storages 3.11: begins where another storage takes the files',
      given: [storageAt('a'), storageAt('b')],
      ...by('PUT /API/storage/VX-1/evacuate'),
      status: 200,
      says: { exact: '' },
    },
    {
      name: 'is refused where no other storage takes files',
      given: [storageAt('a'), storageAt('b', { type: 'SHARED' }), newStorage({})],
      ...by('PUT /API/storage/VX-1/evacuate'),
      status: 409,
      answers: { 'portico-error': 'no-other-storage' },
    },
    {
      name: 'begins once',
      given: [storageAt('a'), storageAt('b'), by('PUT /API/storage/VX-1/evacuate')],
      ...by('PUT /API/storage/VX-1/evacuate'),
      status: 200,
    },
    {
      name: 'ends where there is none, and nothing changes',
      given: [storageAt('a')],
      ...by('DELETE /API/storage/VX-1/evacuate'),
      status: 200,
    },
    { name: 'needs a storage', ...by(`PUT /API/storage/${missing}/evacuate`), status: 404 },
    { name: 'ends for a storage', ...by(`DELETE /API/storage/${missing}/evacuate`), status: 404 },
    {
      name: 'needs the role',
      given: [storageAt('a')],
      ...by('PUT /API/storage/VX-1/evacuate'),
      as: looker,
      status: 403,
    },
  ];
  itHolds(fetchEntry, rows, mediaOptions({ given: people }));

  it('M15, storages 3.11: shows in the state, keeps new files away, and is called off', async () => {
    const world = await openStorages();
    await done(world, storageAt('a', { capacity: 9_000_000 }));
    await done(world, storageAt('b'));
    const target = async () => (await jsonOf(world, 'GET /API/import/storage'))['id'];
    expect(await target()).toBe('VX-1');
    await done(world, by('PUT /API/storage/VX-1/evacuate'));
    expect((await done(world, by('GET /API/storage/VX-1/status', undefined, plain))).body).toBe('EVACUATING');
    expect(await target()).toBe('VX-2');
    await done(world, by('DELETE /API/storage/VX-1/evacuate'));
    expect((await done(world, by('GET /API/storage/VX-1/status', undefined, plain))).body).toBe('READY');
    expect(await target()).toBe('VX-1');
  });
});

describe('storages keep metadata', () => {
  const pair = { field: [{ key: 'a', value: 'b' }] };
  const rows: readonly Scenario[] = (
    ['storage/VX-1', 'storage/VX-1/method/VX-1', 'storage/storage-group/fast'] as const
  ).flatMap((owner): readonly Scenario[] => [
    {
      name: `M1 ${owner}: sets what is named with 204`,
      ...by(`PUT /API/${owner}/metadata`, pair),
      status: 204,
      says: { exact: '' },
    },
    {
      name: `M1 ${owner}: answers it as a document`,
      given: [by(`PUT /API/${owner}/metadata`, pair), by(`PUT /API/${owner}/metadata/c`, 'd')],
      ...by(`GET /API/${owner}/metadata`),
      status: 200,
      says: {
        jsonPart: {
          field: expect.arrayContaining([
            { key: 'a', value: 'b' },
            { key: 'c', value: 'd' },
          ]),
        },
      },
    },
    {
      name: `${owner}: answers one value as text`,
      given: [by(`PUT /API/${owner}/metadata`, pair)],
      ...by(`GET /API/${owner}/metadata/a`, undefined, plain),
      status: 200,
      says: { exact: 'b' },
    },
    { name: `${owner}: clears it with 204`, ...by(`DELETE /API/${owner}/metadata`), status: 204 },
    { name: `${owner}: has no key to remove`, ...by(`DELETE /API/${owner}/metadata/zz`), status: 404 },
    {
      name: `${owner}: is written by nobody who may only read`,
      ...by(`PUT /API/${owner}/metadata`, pair),
      as: looker,
      status: 403,
    },
  ]);
  itHolds(
    fetchEntry,
    rows,
    mediaOptions({ given: [...people, newStorage(), by('PUT /API/storage/storage-group/fast')] }),
  );

  itHolds(
    fetchEntry,
    [
      {
        name: 'of a method below its own storage only',
        ...by('GET /API/storage/VX-2/method/VX-1/metadata'),
        status: 404,
      },
      { name: 'of a storage that is there', ...by(`GET /API/storage/${missing}/metadata`), status: 404, says: noSuch },
      {
        name: 'and documents of storages tell that of methods',
        given: [by('PUT /API/storage/VX-1', { method: [{ uri: 'memory:///a/', metadata: pair }] })],
        ...by('GET /API/storage/VX-1'),
        status: 200,
        says: { jsonPart: { method: [{ id: 'VX-1', metadata: pair }] } },
      },
      {
        name: 'but no more for all methods together than for one entity',
        given: [
          by('PUT /API/storage/VX-1/method?url=memory:///c/'),
          by('PUT /API/storage/VX-1/method/VX-1/metadata/a', 'x'.repeat(70_000)),
        ],
        ...by('PUT /API/storage/VX-1/method/VX-3/metadata/a', 'x'.repeat(70_000)),
        status: 400,
        says: { contains: ['in the metadata of all methods'] },
      },
      {
        name: 'written by a keeper',
        ...by('PUT /API/storage/VX-1/metadata/a', 'b'),
        as: keeper,
        status: 204,
      },
    ],
    mediaOptions({ given: [...people, storageAt('a'), storageAt('b')] }),
  );
});
