import { describe, expect, it } from 'vitest';
import { storageDeletionKind } from '../../src/storage/storages/deletion.ts';
import type { World } from '../support/matrix.ts';
import { by, jsonOf, plain, send } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import {
  fetchEntry,
  fileRows,
  mediaOptions,
  missing,
  newStorage,
  openStorages,
  storageAt,
} from '../support/storages.ts';
import { held } from '../support/work.ts';
import { givenTo, keeper, looker } from '../support/world.ts';

const deleted = ['storage/delete', 'VX-1', { storageId: 'VX-1' }] as const;

const rows: readonly Scenario[] = [
  {
    name: 'a storage goes as recorded, and is told of once',
    ...by('DELETE /API/storage/VX-1'),
    status: 204,
    answers: { 'content-type': null, 'content-length': null },
    says: { exact: '' },
    events: [deleted],
  },
  {
    name: 'a storage without files of items is deleted safely',
    ...by('DELETE /API/storage/VX-1?safe=True'),
    status: 204,
    events: [deleted],
  },
  {
    name: 'to a caller who reads text',
    ...by('DELETE /API/storage/VX-1', undefined, plain),
    status: 204,
    events: [deleted],
  },
  {
    name: 'an unknown storage does not go',
    ...by(`DELETE /API/storage/${missing}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Storage', id: missing } } },
  },
  {
    name: 'a storage goes once',
    given: [by('DELETE /API/storage/VX-1')],
    ...by('DELETE /API/storage/VX-1'),
    status: 404,
  },
  { name: 'a keeper deletes', ...by('DELETE /API/storage/VX-1'), as: keeper, status: 204, events: [deleted] },
  { name: 'a reader does not', ...by('DELETE /API/storage/VX-1'), as: looker, status: 403 },
  ...[
    'GET /API/storage/VX-1',
    'PUT /API/storage/VX-1',
    'GET /API/storage/VX-1/method',
    'GET /API/storage/VX-1/method/VX-1',
    'GET /API/storage/VX-1/metadata',
    'PUT /API/storage/VX-1/evacuate',
    'POST /API/storage/VX-1/rescan',
    'GET /API/storage/VX-1/auto-import',
    'GET /API/storage/VX-1/export',
    'GET /API/storage/VX-1/external-id',
  ].map(
    (request): Scenario => ({
      name: `a deleted storage is gone for ${request}`,
      given: [by('DELETE /API/storage/VX-1')],
      ...by(request, request.startsWith('PUT /API/storage/VX-1') && !request.endsWith('evacuate') ? {} : undefined),
      status: 404,
    }),
  ),
];

async function counts(world: World, ...tables: readonly string[]) {
  const found = await Promise.all(tables.map((table) => world.service.store.read(`SELECT COUNT(*) FROM ${table}`)));
  return found.map(([row]) => row?.[0]);
}

const everything = [
  'storage',
  'storage_method',
  'file',
  'file_use',
  'file_usage',
  'file_use_count',
  'key_value',
  'external_id',
  'storage_group_member',
  'auto_import_rule',
  'storage_scan',
] as const;

async function full(files: number, used = 0): Promise<World> {
  const world = await openStorages();
  await send(world, newStorage({ method: [{ uri: 'memory:///a/', metadata: { field: [{ key: 'k', value: 'v' }] } }] }));
  await send(world, by('PUT /API/storage/VX-1/metadata/k', 'v'));
  await send(world, by('PUT /API/storage/VX-1/external-id/disk'));
  await send(world, by('PUT /API/storage/storage-group/g'));
  await send(world, by('PUT /API/storage/storage-group/g/VX-1'));
  await send(world, by('PUT /API/storage/VX-1/auto-import', {}));
  await fileRows(world, 'VX-1', files, { used });
  return world;
}

describe('deleting a storage', () => {
  itHolds(fetchEntry, rows, mediaOptions({ given: [...givenTo('storages'), storageAt('a')] }));

  it('is refused safely as long as a file belongs to an item', async () => {
    const world = await full(3, 1);
    const { status, headers } = await world.send(by('DELETE /API/storage/VX-1?safe=true'));
    expect([status, headers.get('portico-error')]).toEqual([409, 'storage-used']);
    await world.service.store.commit(
      { changes: [{ sql: 'DELETE FROM file_use', args: [] }], events: [] },
      { user: 'test' },
    );
    expect((await world.send(by('DELETE /API/storage/VX-1?safe=true'))).status).toBe(204);
  });

  it('forgets everything but the bytes, and tells of each file once, with who used it', async () => {
    const world = await full(450, 2);
    const before = (await world.events()).at(-1)!.sequence;
    await send(world, by('DELETE /API/storage/VX-1'));
    expect(await counts(world, 'storage_scan', 'auto_import_rule', 'storage_group_member')).toEqual([0, 0, 0]);
    await world.service.tick();
    expect(await counts(world, ...everything)).toEqual(everything.map(() => 0));
    const [first, ...files] = await world.events(before);
    expect(first).toMatchObject({ name: 'storage/delete', entity: 'VX-1', user: 'admin' });
    expect(files.map(({ name, entity }) => `${name} ${entity}`)).toEqual(
      Array.from({ length: 450 }, (_, n) => `file/delete VX-${n + 1}`),
    );
    expect(files[0]!.payload).toEqual({ fileId: 'VX-1', storageId: 'VX-1', shapeId: ['VX-21'], itemId: ['VX-11'] });
    expect(files[5]!.payload).toEqual({ fileId: 'VX-6', storageId: 'VX-1' });
    expect(files[5]!.user).toBe('system');
  });

  it('leaves other storages alone', async () => {
    const world = await full(3, 3);
    await send(world, storageAt('b', { metadata: { field: [{ key: 'k', value: 'v' }] } }));
    await fileRows(world, 'VX-2', 2, { from: 100, used: 1 });
    await send(world, by('DELETE /API/storage/VX-1'));
    await world.service.tick();
    expect(await counts(world, 'storage', 'storage_method', 'file', 'file_use', 'file_use_count', 'key_value')).toEqual(
      [1, 1, 2, 1, 1, 1],
    );
    expect(await jsonOf(world, 'GET /API/storage/VX-2')).toMatchObject({ freeCapacity: 1_000_000 - 20 });
    expect((await world.send(by('DELETE /API/storage/VX-2?safe=true'))).status).toBe(409);
  });

  it('goes on where it stopped, in pieces of at most 1,000 files', async () => {
    const world = await full(1500);
    await send(world, by('DELETE /API/storage/VX-1'));
    const kind = storageDeletionKind({ store: world.service.store, clock: world.clock });
    let parts = 0;
    const once = { ...held, mayGoOn: () => parts++ === 0 };
    const pieces = await kind.claim(1, world.clock.now(), () => false);
    expect(pieces).toEqual([{ key: 'VX-1' }]);
    await kind.do(pieces[0]!, once);
    const [left] = await counts(world, 'file');
    expect(left).toBeGreaterThanOrEqual(500);
    expect(left).toBeLessThan(1500);
    expect(await kind.measure?.()).toMatchObject({ waiting: 1 });
    await kind.do(pieces[0]!, held);
    expect(await counts(world, 'file', 'storage')).toEqual([0, 0]);
    expect(await kind.claim(1, world.clock.now(), () => false)).toEqual([]);
  });

  it('two instances at once tell of no file twice', async () => {
    const world = await full(900);
    await send(world, by('DELETE /API/storage/VX-1'));
    const kinds = Array.from({ length: 3 }, () =>
      storageDeletionKind({ store: world.service.store, clock: world.clock }),
    );
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        kinds.map(async (kind) => {
          for (const piece of await kind.claim(1, world.clock.now(), () => false)) await kind.do(piece, held);
        }),
      );
      await world.clock.advance(5000);
    }
    const told = (await world.events()).filter(({ name }) => name === 'file/delete').map(({ entity }) => entity);
    expect(told).toHaveLength(900);
    expect(new Set(told).size).toBe(900);
    expect(await counts(world, 'storage')).toEqual([0]);
  });
});

describe('uses of files are counted by storage', () => {
  it('through files that come, move and go', async () => {
    const world = await openStorages();
    for (const place of ['a', 'b']) await send(world, storageAt(place));
    await fileRows(world, 'VX-1', 3, { used: 3 });
    const uses = () =>
      world.service.store.read('SELECT storage_id, uses FROM file_use_count WHERE uses > 0 ORDER BY storage_id');
    const run = (sql: string) =>
      world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
    expect(await uses()).toEqual([['VX-1', 3]]);
    await run("INSERT INTO file_use VALUES ('VX-1', 'VX-5', 'VX-6', 'VX-7')");
    expect(await uses()).toEqual([['VX-1', 4]]);
    await run("UPDATE file SET storage_id = 'VX-2' WHERE id = 'VX-1'");
    expect(await uses()).toEqual([
      ['VX-1', 2],
      ['VX-2', 2],
    ]);
    await run("DELETE FROM file_use WHERE component_id = 'VX-7'");
    expect(await uses()).toEqual([
      ['VX-1', 2],
      ['VX-2', 1],
    ]);
    await run("DELETE FROM file WHERE id = 'VX-2'");
    expect(await uses()).toEqual([
      ['VX-1', 1],
      ['VX-2', 1],
    ]);
    await run('DELETE FROM file');
    expect(await uses()).toEqual([]);
  });
});
