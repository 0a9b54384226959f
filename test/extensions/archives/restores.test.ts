import { describe, expect, it } from 'vitest';
import { fetchWire } from '../../../src/core/outbound/wire.ts';
import { key } from '../../plugins/storages/support.ts';
import { newUser } from '../../support/cast.ts';
import { testClock } from '../../support/clock.ts';
import type { JobSeen } from '../../support/files.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { ask, done, rowsOf, send, sqlIn } from '../../support/requests.ts';
import { type FakeS3, fakeS3 } from '../../support/s3/fake.ts';
import { playScenario } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';

const hour = 3_600_000;
const octets = { accept: 'application/json', 'content-type': 'application/octet-stream' };
const anything = { accept: '*/*' };

interface ArchiveWorld extends World {
  readonly fake: FakeS3;
}

/** The storage VX-1 in a bucket, VX-2 in its archive, and an item whose only file is VX-1 in the archive. */
async function archive(storageClass = 'DEEP_ARCHIVE'): Promise<ArchiveWorld> {
  const clock = testClock();
  const fake = fakeS3({ key, bucket: 'media', host: 's3.example', now: clock.now });
  const network = fetchWire((input, init) => fake.fetch(new Request(input, init)));
  const wire = { ...network, resolve: async () => ['93.184.216.34'] };
  const world = await openWorld('fetch', { clock, wire });
  const address = (folder: string, more = '') =>
    `s3://${key.accessKey}:${encodeURIComponent(key.secret)}@media/${folder}/?endpoint=https://s3.example&region=${key.region}${more}`;
  for (const uri of [address('in'), address('archive', `&storageClass=${storageClass}`)])
    await send(world, ask('POST /API/storage', { scanInterval: -1, method: [{ uri }] }));
  await send(world, { ...ask('POST /API/storage/VX-2/file/data?path=film.mov', 'film'), headers: octets });
  const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
  const shape = { containerComponent: { file: [{ id: 'VX-1' }] } };
  await done(world, ask(`POST /API/item/${id}/shape/create?tag=original`, shape));
  return { ...world, fake };
}

const fileOf = async (world: World, id = 'VX-1') =>
  done<{ state: string; hash?: string }>(world, ask(`GET /API/file/${id}`));
const jobOf = async (world: World, id: string) =>
  done<JobSeen & { waiting?: object }>(world, ask(`GET /API/job/${id}`));
const lastEvent = async (world: World) => (await world.events()).at(-1)!.sequence;
const told = async (world: World, after: number) =>
  (await world.events(after))
    .filter(({ name }) => !name.startsWith('job/'))
    .map(({ name, entity }) => `${name} ${entity}`);

/** Lets hours pass, minute by minute, as the work does. */
async function pass(world: World, hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 15) {
    await world.clock.advance(15 * 60_000);
    await world.service.tick();
  }
}

describe('a file in an archive', () => {
  it('is archived with its first byte, keeps its hash, and its bytes are refused with the way back', async () => {
    const world = await archive();
    expect((await fileOf(world)).state).toBe('ARCHIVED');
    expect((await rowsOf(world, 'file'))[0]).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      hash_due: null,
    });
    for (const method of ['GET', 'HEAD'])
      await playScenario(world, {
        name: 'refused',
        ...ask(`${method} /API/file/VX-1/data`),
        headers: anything,
        status: 409,
        answers: { 'portico-error': 'file-archived' },
        ...(method === 'GET' && { says: { contains: ['PUT /file/VX-1/restore'] } }),
      });
    await playScenario(world, { name: 'no link', ...ask('POST /API/file/VX-1/uri?scheme=s3'), status: 409 });
  });

  it('tells how long a restore takes and what it costs, by prices that the operator has set', async () => {
    const world = await archive();
    const restore = ask('GET /API/file/VX-1/restore');
    const file = { id: 'VX-1', size: 4, state: 'archived', storageClass: 'DEEP_ARCHIVE' };
    expect(await done(world, restore)).toEqual({
      bytes: 4,
      file: [file],
      tier: [
        { name: 'Standard', least: 43_200, most: 43_200 },
        { name: 'Bulk', least: 172_800, most: 172_800 },
      ],
    });
    await send(world, ask('PUT /API/storage/VX-2/metadata/restorePrice_DEEP_ARCHIVE_Bulk', '0.0025 0.025 USD'));
    await send(world, ask('PUT /API/storage/VX-2/metadata/restorePrice_DEEP_ARCHIVE_Standard', 'cheap'));
    await world.service.store.commit(
      { changes: [{ sql: 'UPDATE file SET size = 1099511627776', args: [] }], events: [] },
      { user: 'test' },
    );
    const { tier } = await done<{ tier: { name: string; cost?: number; currency?: string }[] }>(
      world,
      ask('GET /API/item/VX-1/restore'),
    );
    expect(tier.map(({ name, cost, currency }) => [name, cost, currency])).toEqual([
      ['Standard', undefined, undefined],
      ['Bulk', 2.5601, 'USD'],
    ]);
  });

  it('comes back by a job that waits for the bucket, and goes when its days are over', async () => {
    const world = await archive();
    const before = await lastEvent(world);
    const { jobId, type } = await done<JobSeen>(world, ask('PUT /API/file/VX-1/restore?expirationInDays=2'));
    expect(type).toBe('RESTORE');
    await world.service.tick();
    const asked = () => world.fake.asked.filter((line) => line.startsWith('HEAD ')).length;
    const waiting = await jobOf(world, jobId);
    expect([waiting.status, waiting.waiting]).toMatchObject([
      'WAITING',
      { requirement: 'FileArchived', resourceId: 'VX-1' },
    ]);
    const looks = asked();
    await pass(world, 11);
    expect(asked() - looks).toBeLessThanOrEqual(44);
    expect((await fileOf(world)).state).toBe('ARCHIVED');
    await pass(world, 1.5);
    expect((await jobOf(world, jobId)).status).toBe('FINISHED');
    expect((await fileOf(world)).state).toBe('CLOSED');
    expect(await told(world, before)).toEqual(['file/close VX-1']);
    const answer = await world.send({ ...ask('GET /API/file/VX-1/data'), headers: anything });
    expect([answer.status, answer.body]).toEqual([200, 'film']);
    await world.clock.advance(49 * hour);
    await send(world, ask('POST /API/storage/VX-2/rescan'));
    await world.service.tick();
    expect((await fileOf(world)).state).toBe('ARCHIVED');
    expect((await told(world, before)).slice(1)).toEqual(['file/change VX-1']);
  });

  it('of an item comes back with it, each as soon as it can, unless a copy can be read', async () => {
    const world = await archive('GLACIER');
    await send(world, { ...ask('POST /API/storage/VX-2/file/data?path=deep.mov', 'deep'), headers: octets });
    const deep = world.fake.objects.get('archive/deep.mov')!;
    world.fake.objects.set('archive/deep.mov', { ...deep, storageClass: 'DEEP_ARCHIVE' });
    const shape = { containerComponent: { file: [{ id: 'VX-2' }] } };
    await done(world, ask('PUT /API/shape-tag/web', {}));
    await done(world, ask('POST /API/item/VX-1/shape/create?tag=web', shape));
    const restore = ask('PUT /API/item/VX-1/restore?expirationInDays=1&retrievalTier=standard');
    const { jobId } = await done<JobSeen>(world, restore);
    const states = async () => [
      (await jobOf(world, jobId)).status,
      ...(await rowsOf(world, 'file')).map(({ state }) => state),
    ];
    await pass(world, 6);
    expect(await states()).toEqual(['WAITING', 'CLOSED', 'ARCHIVED']);
    await pass(world, 7);
    expect(await states()).toEqual(['FINISHED', 'CLOSED', 'CLOSED']);
    expect(world.fake.objects.get('archive/film.mov')!.restored).toMatchObject({ tier: 'Standard' });
    const { jobId: again } = await done<JobSeen>(world, restore);
    await world.service.tick();
    expect((await jobOf(world, again)).log!.task[0]!.subStep).toMatchObject([
      { description: 'No file is in an archive' },
    ]);
  });

  it('is neither told of nor restored for a user to whom its shape is closed', async () => {
    const world = await archive();
    const eve: Credentials = ['eve', 'password of eve'];
    await send(world, newUser(eve, ['_item_read', '_item_write']));
    const gives = (permission: string, more: object = {}) =>
      done(world, ask('POST /API/item/VX-1/access', { permission, user: eve[0], ...more }));
    const filesFor = async () =>
      (await done<{ file: { id: string }[] }>(world, ask('GET /API/item/VX-1/restore', undefined, eve))).file;
    await gives('WRITE');
    expect(await filesFor()).toMatchObject([{ id: 'VX-1' }]);
    await gives('NONE', { operation: { shape: { tag: 'original' } }, priority: 1 });
    expect(await filesFor()).toEqual([]);
    const order = ask('PUT /API/item/VX-1/restore?expirationInDays=1', undefined, eve);
    const { jobId } = await done<JobSeen>(world, order);
    await world.service.tick();
    expect((await jobOf(world, jobId)).status).toBe('FINISHED');
    expect(world.fake.objects.get('archive/film.mov')!.restored).toBeUndefined();
  });

  it('of an item is not asked for among more than 100', async () => {
    const world = await archive();
    const copies = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)`;
    const all = [
      `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
        SELECT 'F-' || i, 1000 + i, storage_id, i, folder, i, extension, state, 0, 0, 1 FROM n CROSS JOIN file`,
      `INSERT INTO component (id, shape_id, kind, position, expected, document)
        SELECT 'C-' || i, shape_id, 'binary', i, 0, document FROM n CROSS JOIN component`,
      `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
        SELECT 'F-' || i, item_id, shape_id, 'C-' || i FROM n CROSS JOIN file_use`,
    ];
    for (const sql of all) await sqlIn(world, `${copies} ${sql}`);
    const says = { contains: ['Expected at most 100 archived files: 101'] };
    for (const request of ['GET /API/item/VX-1/restore', 'PUT /API/item/VX-1/restore?expirationInDays=1'])
      await playScenario(world, { name: 'too many', ...ask(request), status: 400, says, events: [] });
  });

  it.each([
    [
      'a tier that the class does not have',
      'expirationInDays=1&retrievalTier=Expedited',
      'Expected one of Standard, Bulk',
    ],
    ['no days', 'retrievalTier=Bulk', 'expirationInDays'],
    ['no time', 'expirationInDays=0', 'from 1 to 3650'],
  ])('is not asked for with %s', async (_what, query, says) => {
    const world = await archive();
    await playScenario(world, {
      name: 'refused',
      ...ask(`PUT /API/file/VX-1/restore?${query}`),
      status: 400,
      says: { contains: [says] },
    });
    expect(world.fake.objects.get('archive/film.mov')!.restored).toBeUndefined();
  });

  it('is found by a scan when the bucket itself has moved it, and when somebody else has restored it', async () => {
    const world = await archive();
    await send(world, { ...ask('POST /API/storage/VX-1/file/data?path=b.mov', 'b'), headers: octets });
    const object = world.fake.objects.get('in/b.mov')!;
    const scanned = async () => {
      await send(world, ask('POST /API/storage/VX-1/rescan'));
      await world.service.tick();
      const { state, hash } = await fileOf(world, 'VX-2');
      return [state, hash !== undefined];
    };
    world.fake.objects.set('in/b.mov', { ...object, storageClass: 'GLACIER' });
    expect(await scanned()).toEqual(['ARCHIVED', true]);
    const now = world.clock.now();
    world.fake.objects.set('in/b.mov', {
      ...object,
      storageClass: 'GLACIER',
      restored: { from: now, until: now + hour, tier: 'Bulk' },
    });
    expect(await scanned()).toEqual(['CLOSED', true]);
  });

  it('lets a copy wait until it is back', async () => {
    const world = await archive('GLACIER');
    const copy = await done<JobSeen>(world, ask('POST /API/file/VX-1/storage/VX-1'));
    await world.service.tick();
    expect(await jobOf(world, copy.jobId)).toMatchObject({
      status: 'WAITING',
      waiting: { requirement: 'FileArchived' },
    });
    await done(world, ask('PUT /API/file/VX-1/restore?expirationInDays=1&retrievalTier=Expedited'));
    await pass(world, 1);
    expect((await jobOf(world, copy.jobId)).status).toBe('FINISHED');
  });
});

describe('storage rules', () => {
  it('copy the files of a shape to an archive once, and never take the archive for a source', async () => {
    const world = await archive();
    await send(world, { ...ask('POST /API/storage/VX-1/file/data?path=b.mov', 'b'), headers: octets });
    const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
    const shape = { containerComponent: { file: [{ id: 'VX-2' }] } };
    await done(world, ask(`POST /API/item/${id}/shape/create?tag=original`, shape));
    await send(world, ask(`PUT /API/item/${id}/storage-rule`, { storage: ['VX-1', 'VX-2'] }));
    await send(world, ask('PUT /API/item/VX-1/storage-rule', { storage: ['VX-1', 'VX-2'] }));
    await pass(world, 3);
    const states = (await rowsOf(world, 'file')).map(({ id: file, storage_id, state }) => [file, storage_id, state]);
    expect(states).toEqual([
      ['VX-1', 'VX-2', 'ARCHIVED'],
      ['VX-2', 'VX-1', 'CLOSED'],
      [expect.any(String), 'VX-2', 'ARCHIVED'],
    ]);
  });
});
