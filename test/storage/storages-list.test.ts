import { describe, expect, it } from 'vitest';
import { readSize } from '../../src/storage/storages/list-filter.ts';
import type { World } from '../support/matrix.ts';
import { by, done, jsonOf, plain, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { fetchEntry, fileRows, mediaOptions, newStorage, openStorages, recorded } from '../support/storages.ts';
import { givenTo, looker } from '../support/world.ts';

describe('the list of storages', () => {
  const rows: readonly Scenario[] = [
    { name: 'is empty as recorded', ...by('GET /API/storage'), status: 200, says: { exact: '{}' } },
    {
      name: 'has no number of hits, as recorded',
      given: [newStorage()],
      ...by('GET /API/storage'),
      status: 200,
      says: {
        contains: ['{"storage":[{"id":"VX-1","state":"NONE","type":"LOCAL","capacity":1500000'],
        lacks: ['hits', 'bandwidth', 'timestamp'],
      },
    },
    {
      name: 'passes over a parameter that it does not know, as recorded',
      given: [newStorage()],
      ...by('GET /API/storage?state=READY'),
      status: 200,
      answers: { 'portico-ignored': 'state' },
      says: { contains: ['"id":"VX-1"'] },
    },
    {
      name: 'comes in XML',
      given: [newStorage()],
      ...by('GET /API/storage', undefined, xml),
      status: 200,
      says: { contains: ['<StorageListDocument xmlns="', '<storage><id>VX-1</id><state>NONE</state>'] },
    },
    {
      name: 'is one id in a line to a caller who reads text',
      given: [newStorage(), newStorage({})],
      ...by('GET /API/storage', undefined, plain),
      status: 200,
      says: { exact: 'VX-1\r\nVX-2\r\n' },
    },
    {
      name: 'tells how many there are to a caller who asks for a page',
      given: [newStorage({}), newStorage({}), newStorage({})],
      ...by('GET /API/storage;first=2?number=1'),
      status: 200,
      says: { jsonPart: { hits: 3, storage: [{ id: 'VX-2' }] } },
    },
    {
      name: 'tells how many there are behind the last page',
      given: [newStorage({})],
      ...by('GET /API/storage?first=9'),
      status: 200,
      says: { json: { hits: 1, storage: [] } },
    },
    { name: 'is read by who may', ...by('GET /API/storage'), as: looker, status: 200 },
    ...[
      'size=10',
      'size=a-b',
      'size=2-1',
      'size=1-2-3',
      'freebytes=1KiK-',
      'usedbytes=-x',
      'freeamount=half-',
      'files=1.5-',
      'status=BUSY',
      'status=-',
      `url=${'a'.repeat(256)}`,
    ].map(
      (query): Scenario => ({
        name: `refuses ${query.slice(0, 20)}`,
        ...by(`GET /API/storage?${query}`),
        status: 400,
        answers: { 'portico-error': 'bad-parameter' },
      }),
    ),
  ];
  itHolds(fetchEntry, rows, mediaOptions({ given: givenTo('storages') }));

  it('tells the number where the page is not the whole list', async () => {
    const world = await openStorages({ settings: { maxPage: 2 } });
    for (let n = 0; n < 3; n++) await send(world, newStorage({}));
    expect(await jsonOf(world, 'GET /API/storage')).toMatchObject({
      hits: 3,
      storage: [{ id: 'VX-1' }, { id: 'VX-2' }],
    });
  });

  it('refuses a page with more metadata than is written in one turn', async () => {
    const world = await openStorages({ settings: { maxPageValues: 1000 } });
    const field = Array.from({ length: 400 }, (_, n) => ({ key: `k${n}`, value: 'v' }));
    for (let n = 0; n < 3; n++) await send(world, newStorage({ metadata: { field } }));
    const { status, body } = await world.send(by('GET /API/storage'));
    expect([status, body.includes('Expected a smaller page')]).toEqual([400, true]);
    expect((await world.send(by('GET /API/storage?number=2'))).status).toBe(200);
  });
});

describe('filters of the list', () => {
  /** VX-1: small and used by half. VX-2: large and empty. VX-3: found on its disk. VX-4: without a driver. */
  async function four(): Promise<World> {
    const world = await openStorages();
    await send(world, newStorage({ ...recorded, capacity: 1000 }));
    await send(world, newStorage({ capacity: 5_000_000_000, method: [{ uri: 'memory:///large[1]/a' }] }));
    await send(world, newStorage({ autoDetect: true, method: [{ uri: 'memory:///disk/' }] }));
    await send(world, newStorage({ method: [{ uri: 'ftp://host/in/' }] }));
    await fileRows(world, 'VX-1', 5, { size: 100 });
    const detected = 'UPDATE storage SET capacity = 1000000, free_detected = 250000 WHERE id = ?';
    await world.service.store.commit({ changes: [{ sql: detected, args: ['VX-3'] }], events: [] }, { user: 'test' });
    await send(world, by('PUT /API/storage/storage-group/fast'));
    await send(world, by('PUT /API/storage/storage-group/slow'));
    await send(world, by('PUT /API/storage/storage-group/fast/VX-1'));
    await send(world, by('PUT /API/storage/storage-group/fast/VX-2'));
    await send(world, by('PUT /API/storage/storage-group/slow/VX-2'));
    return world;
  }

  it.each([
    ['', 'VX-1 VX-2 VX-3 VX-4'],
    ['size=-', 'VX-1 VX-2 VX-3 VX-4'],
    ['size=1KB-1MB', 'VX-1 VX-3 VX-4'],
    ['size=1001-', 'VX-2 VX-3 VX-4'],
    ['size=-1000', 'VX-1'],
    ['size=4.5GB-5GB', 'VX-2'],
    ['size=4GiB-', 'VX-2'],
    ['freebytes=-500', 'VX-1'],
    ['freebytes=250000-250000', 'VX-3'],
    ['usedbytes=1-', 'VX-1 VX-3'],
    ['usedbytes=0-0', 'VX-2 VX-4'],
    ['freeamount=50-50', 'VX-1'],
    ['freeamount=-25%25', 'VX-3'],
    ['freeamount=51-', 'VX-2 VX-4'],
    ['files=5-5', 'VX-1'],
    ['files=-4', 'VX-2 VX-3 VX-4'],
    ['storagegroup=fast', 'VX-1 VX-2'],
    ['storagegroup=slow,fast', 'VX-1 VX-2'],
    ['storagegroup=-slow', 'VX-1 VX-3 VX-4'],
    ['storagegroup=fast,-slow', 'VX-1'],
    ['storagegroup=nowhere', ''],
    ['status=OFFLINE', 'VX-4'],
    ['status=-offline', 'VX-1 VX-2 VX-3'],
    ['status=NONE,OFFLINE,-NONE', 'VX-4'],
    ['url=memory:///srv/media1/', 'VX-1'],
    ['url=memory:///*', 'VX-1 VX-2 VX-3'],
    ['url=memory:///dis?/', 'VX-3'],
    ['url=memory:///large%5B1%5D/*', 'VX-2'],
    ['url=memory', ''],
    ['url=memory:///*%26status=NONE%26files=1-', ''],
    ['url=memory:///*&status=NONE&files=1-', 'VX-1'],
  ])('%s: %s', async (query, expected) => {
    const world = await four();
    const { body } = await send(world, by(`GET /API/storage?${query}`, undefined, plain));
    expect(
      body
        .split('\r\n')
        .filter((id) => id !== '')
        .join(' '),
    ).toBe(expected);
  });

  it.each([
    ['0', 0],
    ['10', 10],
    ['10B', 10],
    ['1k', 1000],
    ['1 KB', 1000],
    ['1KiB', 1024],
    ['1.5M', 1_500_000],
    ['2TiB', 2 * 1024 ** 4],
    ['1iB', undefined],
    ['-1', undefined],
    ['99E', undefined],
    ['1e3', undefined],
  ])('reads %s as %s bytes', (text, bytes) => {
    expect(readSize(text)).toBe(bytes);
  });
});

it.each([
  ['memory:///srv/media1/', 'Rushes 🎬', 'Rushes 🎬'],
  ['memory:///srv/media%20one/', '  ', 'media one'],
  ['memory:///srv/100%/', undefined, '100%'],
  ['memory:///in/?secret=top', undefined, 'in'],
  [undefined, undefined, undefined],
])('a storage at %s with the metadata %j is called %j, where that is asked for', async (uri, named, name) => {
  const world = await openStorages();
  const metadata = { field: named === undefined ? [] : [{ key: 'name', value: named }] };
  const method = uri === undefined ? [] : [{ uri, read: true }];
  const { id } = await done<{ id: string }>(world, by('POST /API/storage', { type: 'LOCAL', method, metadata }));
  const one = await jsonOf<{ name?: string }>(world, `GET /API/storage/${id}?displayName=true`);
  const list = await jsonOf<{ storage: { name?: string }[] }>(world, 'GET /API/storage?displayName=true');
  expect([one.name, list.storage.at(-1)!.name]).toEqual([name, name]);
  expect(await jsonOf(world, `GET /API/storage/${id}`)).not.toHaveProperty('name');
});
