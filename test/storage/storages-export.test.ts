import { describe, expect, it } from 'vitest';
import { by, jsonOf, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { fetchEntry, fileRows, mediaOptions, openStorages, storageAt } from '../support/storages.ts';
import { givenTo, keeper, looker } from '../support/world.ts';

const path = 'memory:///new/';
const at = `POST /API/storage/import?path=${path}`;
const created = ['storage/create', 'VX-2', { storageId: 'VX-2' }] as const;
const file = (fileId: string, where: string, more: object = {}) => ({ fileId, path: where, ...more });

const rows: readonly Scenario[] = [
  {
    name: 'a storage without files is exported as none',
    ...by('GET /API/storage/VX-1/export'),
    status: 200,
    says: { exact: '{"file":[]}' },
  },
  { name: 'an unknown storage is not exported', ...by('GET /API/storage/VX-9/export'), status: 404 },
  {
    name: 'an export becomes a storage with its files',
    ...by(at, { file: [file('VX-90', 'a/b.mov', { size: 7, component: ['VX-5'] }), file('VX-91', 'c')] }),
    status: 200,
    says: { exact: '' },
    events: [
      created,
      ['file/new', 'VX-1', { fileId: 'VX-1', storageId: 'VX-2' }],
      ['file/new', 'VX-2', { fileId: 'VX-2', storageId: 'VX-2' }],
    ],
  },
  {
    name: 'comes in XML',
    ...by(
      at,
      '<StorageImportDocument xmlns="http://xml.vidispine.com/schema/vidispine"><file><fileId>VX-9</fileId><path>a</path></file></StorageImportDocument>',
      { 'content-type': 'application/xml' },
    ),
    status: 200,
    events: [created, ['file/new', 'VX-1']],
  },
  { name: 'needs a path', ...by('POST /API/storage/import', {}), status: 400 },
  { name: 'needs a document', ...by(at), status: 400 },
  { name: 'needs an address that may be', ...by('POST /API/storage/import?path=nonsense://x/', {}), status: 400 },
  ...['../a', 'a//b', '/a', 'a/./b', '', 'a\u0001', 'a'.repeat(4001)].map(
    (where): Scenario => ({
      name: `takes no file at ${JSON.stringify(where.slice(0, 10))}`,
      ...by(at, { file: [file('VX-9', where)] }),
      status: 400,
    }),
  ),
  { name: 'takes no path twice', ...by(at, { file: [file('VX-8', 'a'), file('VX-9', 'a')] }), status: 400 },
  { name: 'takes no negative size', ...by(at, { file: [file('VX-8', 'a', { size: -1 })] }), status: 400 },
  {
    name: 'takes at most a thousand files',
    ...by(at, { file: Array.from({ length: 1001 }, (_, n) => file(`VX-${n}`, `f${n}`)) }),
    status: 400,
    says: { contains: ['at most 1000'] },
  },
  { name: 'is made by a keeper', ...by(at, {}), as: keeper, status: 200, events: [created] },
  { name: 'is not made by a reader', ...by(at, {}), as: looker, status: 403 },
];

describe('exports and imports of storages', () => {
  itHolds(fetchEntry, rows, mediaOptions({ given: [...givenTo('storages'), storageAt('a')] }));

  it.each([json(), xml])('exports have all files, in several reads, with their components, as %j', async (headers) => {
    const world = await openStorages();
    await send(world, storageAt('a'));
    await fileRows(world, 'VX-1', 1203, { used: 1 });
    const waiting = "UPDATE file SET state = 'TO_BE_DELETED' WHERE id = 'VX-3'";
    await world.service.store.commit({ changes: [{ sql: waiting, args: [] }], events: [] }, { user: 'test' });
    const { body, headers: answered } = await send(world, by('GET /API/storage/VX-1/export', undefined, headers));
    expect(body.match(/"fileId"|<fileId>/g)).toHaveLength(1202);
    expect(answered.get('content-length')).toBeNull();
    if (headers === xml) {
      expect(body).toContain(
        '<file><fileId>VX-1</fileId><path>f1</path><size>10</size><component>VX-31</component></file>',
      );
      expect(body.endsWith('</StorageImportDocument>')).toBe(true);
      return;
    }
    const { file: files } = JSON.parse(body) as { file: object[] };
    expect(files[0]).toEqual({ fileId: 'VX-1', path: 'f1', size: 10, component: ['VX-31'] });
    expect(files.at(-1)).toEqual({ fileId: 'VX-1203', path: 'f1203', size: 10, component: [] });
  });

  it('files that are there are left out; the others wait for a scan', async () => {
    const world = await openStorages();
    await send(world, storageAt('a'));
    await fileRows(world, 'VX-1', 2, { from: 900 });
    await send(world, by(at, { file: [file('VX-900', 'f900'), file('VX-7', 'f7', { size: 5 })] }));
    const found = await world.service.store.read("SELECT path, state, size FROM file WHERE storage_id = 'VX-2'");
    expect(found).toEqual([['f7', 'OPEN', 5]]);
    expect(await jsonOf(world, 'GET /API/storage/VX-2')).toMatchObject({
      method: [{ uri: path }],
      freeCapacity: 999_995,
    });
  });
});

function json() {
  return { accept: 'application/json' };
}
