import { describe, expect, it } from 'vitest';
import { alice, newUser } from '../support/cast.ts';
import { by, plain } from '../support/requests.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { fetchEntry, mediaOptions, newStorage, recorded, recordedAnswer } from '../support/storages.ts';
import { givenTo, worldOf } from '../support/world.ts';

const created = ['storage/create', 'VX-1', { storageId: 'VX-1' }] as const;

describe('a new storage', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'is answered as recorded, and told of once',
      ...newStorage(),
      status: 200,
      answers: { 'content-type': 'application/json' },
      says: { exact: recordedAnswer },
      events: [created],
    },
    {
      name: 'comes in XML and is answered in XML',
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
      name: 'has the recorded defaults',
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
      name: 'rounds its watermarks down',
      ...newStorage({ capacity: 1001, lowWatermarkPercentage: 33, highWatermarkPercentage: 1 }),
      status: 200,
      says: { jsonPart: { lowWatermark: 330, highWatermark: 10 } },
      events: [created],
    },
    {
      name: 'keeps watermarks that are given in bytes',
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
      given: [
        ...givenTo('storages'),
        { ...by('POST /API/user?passwordType=raw', { userName: alice[0], password: alice[1] }) },
      ],
    }),
  );
});

const storageAt = (uri: string) =>
  by('POST /API/storage', { type: 'LOCAL', capacity: 1000, scanInterval: -1, method: [{ uri }] });

it('a storage inside the folder of another one is told by the self-test and the log, and one beside it is not', async () => {
  const world = await fetchEntry.open(mediaOptions());
  const check = async () => JSON.parse((await world.send(by('GET /API/selftest/storages'))).body);
  for (const uri of ['memory:///in/', 'memory:///in-2/', 'memory:///out']) await world.send(storageAt(uri));
  expect(await check()).toMatchObject({ name: 'storages', status: 'ok' });

  for (const uri of ['memory:///in/hot/', 'memory:///out/'])
    expect((await world.send(storageAt(uri))).status).toBe(200);
  const sentence = (inner: string, outer: string) =>
    `Expected folders of storages apart from each other: that of ${inner} lies in that of ${outer}, so each of its files is in both`;
  expect(await check()).toMatchObject({
    status: 'warning',
    message: [sentence('VX-4', 'VX-1'), sentence('VX-5', 'VX-3'), sentence('VX-3', 'VX-5')],
  });

  await world.send(by('DELETE /API/storage/VX-4'));
  await world.send(by('DELETE /API/storage/VX-5'));
  expect(await check()).toMatchObject({ status: 'ok' });
});

it('proposes addresses of this server that no storage has, to those who make storages', async () => {
  const all = ['memory:///in/', 'memory:///second/', 'memory:///third/'];
  const world = await worldOf('uploads', { scheme: (inner) => ({ ...inner, proposals: () => all }) });
  await prepare(world, [newUser(['maker', 'p'], ['_storage_write']), newUser(['reader', 'p'], ['_storage_read'])]);
  const ask = (name: string) =>
    world.send({ as: [name, 'p'], request: 'GET /API/storage/proposal', headers: { accept: 'application/json' } });
  expect(JSON.parse((await ask('maker')).body)).toEqual({ method: all.slice(1).map((uri) => ({ uri })) });
  expect((await ask('reader')).status).toBe(403);
});
